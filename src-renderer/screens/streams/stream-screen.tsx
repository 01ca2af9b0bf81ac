import { Anchor, Button, Group, Modal, Radio, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconBuildingBank, IconCalendar, IconFileImport, IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import type { CorrectedCurrency, Failure, ImportBatch, RecordItem, Stream } from '../../../src-shared/contract/index.ts';
import { ADJUSTMENTS_KEY } from '../../../src-shared/contract/streams/streams.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useAnswer, useCommand, useOperation } from '../../api/use-operation.ts';
import { Amount } from '../../components/amount.tsx';
import { ProofBadge } from '../../components/badges.tsx';
import { CoverageCard } from '../../components/coverage-card.tsx';
import { Day, Instant } from '../../components/day.tsx';
import { FailureAlert, FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { holdsLines } from '../../components/holds-lines.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { showKeptFile } from '../../components/kept-file.tsx';
import { askToUndoImport } from '../../components/undo-dialogs.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { bytesText, countOf, countText, listText } from '../../format/counts.ts';
import { agoText, dateRangeText } from '../../format/dates.ts';
import { adjustmentLabel } from '../../format/match-words.ts';
import { signedOf } from '../../format/money.ts';
import { proofSentence } from '../../format/proofs.ts';
import { plainWords } from '../../format/words.ts';
import { useNavigation } from '../../state/navigation.ts';
import { placeText } from '../../state/places.ts';

type ReadByDay = Stream['read_by'];

const DAYS: readonly { readonly value: ReadByDay; readonly label: string; readonly description: string }[] = [
  {
    value: 'booking_date',
    label: say('streams.bookingDate'),
    description: say('streams.theDayOfTheBanksBalances'),
  },
  {
    value: 'value_date',
    label: say('streams.valueDate'),
    description: say('streams.whereTheFileSays'),
  },
];

/** Chooses which day of a line becomes its date in later imports. */
function ReadBy({ stream }: { readonly stream: Stream }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <WriteButton
        variant="default"
        leftSection={<IconCalendar size={16} aria-hidden />}
        onClick={() => setOpen(true)}
        data-testid="read-by"
      >
        {say('streams.dateOfLines')}
      </WriteButton>
      {isOpen && <ReadByDialog stream={stream} onClose={() => setOpen(false)} />}
    </>
  );
}

function ReadByDialog({ stream, onClose }: { readonly stream: Stream; readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<ReadByDay>(stream.read_by);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { change, isRunning } = useChange(stream, setFailure);
  async function save(): Promise<void> {
    if (await change(chosen)) onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('streams.dateOfTheAccount')}
      closeButtonProps={{ 'aria-label': say('streams.close') }}
      data-testid="read-by-dialog"
    >
      <Stack>
        <Text size="sm">{say('streams.theDayThatLater')}</Text>
        <Radio.Group
          label={say('streams.date')}
          value={chosen}
          onChange={(value) => {
            setChosen(value as ReadByDay);
            setFailure(null);
          }}
        >
          <Stack gap="xs" mt="xs">
            {DAYS.map((day) => (
              <Radio key={day.value} {...day} data-testid={`read-by-${day.value}`} />
            ))}
          </Stack>
        </Radio.Group>
        <FailureAlert title={say('streams.theDateWasNotChanged')} failure={failure} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('streams.cancel')}
          </Button>
          <Button loading={isRunning} onClick={() => void save()} data-testid="read-by-save">
            {say('streams.save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Changes the setting. The notification offers to undo it. */
function useChange({ key, read_by: before }: Stream, onFailure: (failure: Failure) => void) {
  const update = useCommand('streams.update', onFailure);
  const change = async (to: ReadByDay): Promise<boolean> => to === before || (await update.run({ key, read_by: to })).ok;
  return { change, isRunning: update.isRunning };
}

/** Value of the select for no account. */
const NONE = 'none';

/** Links a stream to a bank account, or removes the link. */
function LinkAccount({ stream }: { readonly stream: Stream }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <WriteButton
        variant="default"
        leftSection={<IconBuildingBank size={16} aria-hidden />}
        onClick={() => setOpen(true)}
        data-testid="link-account"
      >
        {say('streams.bankAccount')}
      </WriteButton>
      {isOpen && <LinkDialog stream={stream} onClose={() => setOpen(false)} />}
    </>
  );
}

interface LinkDialogProps {
  readonly stream: Stream;
  readonly onClose: () => void;
}

function LinkDialog({ stream, onClose }: LinkDialogProps) {
  const { data: accounts } = useOperation('bank_accounts.list', {});
  const [to, setTo] = useState(stream.bank_account_id === null ? NONE : String(stream.bank_account_id));
  const [failure, setFailure] = useState<Failure | null>(null);
  const { link, isRunning } = useLink(stream, setFailure);
  async function save(): Promise<void> {
    if (await link(to === NONE ? null : Number(to))) onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('streams.bankAccountOfTheAccount')}
      closeButtonProps={{ 'aria-label': say('streams.close') }}
      data-testid="link-account-dialog"
    >
      <Stack>
        <Text size="sm">{say('streams.theBalancesThatStatements')}</Text>
        <Select
          label={say('streams.bankAccount')}
          data={[
            { value: NONE, label: say('streams.noBankAccount') },
            ...(accounts ?? []).map(({ id, name, currency }) => ({
              value: String(id),
              label: currency === null ? name : `${name} (${currency})`,
            })),
          ]}
          value={to}
          allowDeselect={false}
          searchable
          onChange={(value) => {
            setTo(value ?? NONE);
            setFailure(null);
          }}
          data-testid="link-account-select"
        />
        <FailureAlert title={say('streams.theLinkWasNotChanged')} failure={failure} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('streams.cancel')}
          </Button>
          <Button loading={isRunning} onClick={() => void save()} data-testid="link-account-save">
            {say('streams.save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Changes the link. The notification offers to undo it. */
function useLink({ key, bank_account_id: before }: Stream, onFailure: (failure: Failure) => void) {
  const update = useCommand('streams.update', onFailure);
  const link = async (to: number | null): Promise<boolean> => to === before || (await update.run({ key, bank_account_id: to })).ok;
  return { link, isRunning: update.isRunning };
}

const SHOWN = 100;

/** The adjustments of the book, the latest first, with the match that each one balances. */
function AdjustmentTable() {
  const records = useOperation('records.list', { data_stream_key: ADJUSTMENTS_KEY, sort: '-date', limit: SHOWN });
  if (records.isLoadingError) {
    return <FailurePanel title={say('streams.theAdjustmentsCouldNotBeRead')} failure={records.error} onRetry={records.refetch} />;
  }
  if (records.data === undefined) return <Skeleton height={200} radius="lg" />;
  const { data, has_more: hasMore } = records.data;
  if (data.length === 0) {
    return (
      <Stack className="card" p="xl" align="center">
        <Text c="dimmed">{say('streams.noMatchNeedsAnAdjustmentAtPresent')}</Text>
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      <div className="card">
        <TableFrame least={720}>
          <FigureTable
            columns={[
              { head: say('streams.date') },
              { head: say('streams.type') },
              { head: say('streams.reason') },
              { head: say('streams.amount'), isFigure: true },
              { head: say('streams.balances') },
              { head: say('streams.reconciliation') },
            ]}
            isWrapping
            isFitted
          >
            <tbody>
              {data.map((record) => (
                <Row key={record.id} record={record} />
              ))}
            </tbody>
          </FigureTable>
        </TableFrame>
      </div>
      {hasMore && (
        <Group justify="center">
          <Text size="sm" c="dimmed">
            {say('streams.theLatestAdjustmentsAreShown', { shown: SHOWN })}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function Row({ record }: { readonly record: RecordItem }) {
  const go = useNavigation((state) => state.go);
  const [first] = record.matched_records;
  const others = record.matched_records_total - 1;
  return (
    <tr data-testid="adjustment-row">
      <td className="tabular">
        <Day iso={record.date} />
      </td>
      <td>
        <Text size="sm">{adjustmentLabel(record) ?? '–'}</Text>
      </td>
      <td style={{ maxWidth: '15rem' }}>
        <Text
          size="sm"
          className="truncate"
          title={record.description ?? undefined}
          {...(record.description === null ? { c: 'dimmed' } : {})}
        >
          {record.description ?? say('streams.noReasonGiven')}
        </Text>
      </td>
      <td className="amount">
        <Amount minor={signedOf(record)} currency={record.currency} decimalPlaces={record.decimal_places} />
      </td>
      <td style={{ maxWidth: '15rem' }}>
        <Text size="sm" className="truncate">
          {first === undefined ? '–' : (first.description ?? first.external_id ?? say('streams.noDescription'))}
        </Text>
        {others > 0 && (
          <Text size="xs" c="dimmed">
            {say('streams.andLinesMore', { others })}
          </Text>
        )}
      </td>
      <td>{first !== undefined && <ReconciliationLink id={first.reconciliation_id} name={first.reconciliation_name} go={go} />}</td>
    </tr>
  );
}

interface ReconciliationLinkProps {
  readonly id: number;
  readonly name: string;
  readonly go: (place: { readonly screen: 'reconciliation'; readonly id: number }) => void;
}

function ReconciliationLink({ id, name, go }: ReconciliationLinkProps) {
  const place = { screen: 'reconciliation', id } as const;
  return (
    <Anchor
      href={`#${placeText(place)}`}
      size="sm"
      onClick={(event) => {
        event.preventDefault();
        go(place);
      }}
    >
      {name}
    </Anchor>
  );
}

/** One stream: its imports, each of which can be undone. The stream of adjustments shows its records. */
export function StreamScreen({ streamKey }: { readonly streamKey: string }) {
  const stream = useOperation('streams.get', { key: streamKey });
  const go = useNavigation((state) => state.go);
  const isImportable = holdsLines({ key: streamKey });
  if (stream.isLoadingError) {
    return (
      <Page title={streamKey}>
        <FailurePanel title={say('streams.theAccountCouldNotBeRead')} failure={stream.error} onRetry={stream.refetch} />
      </Page>
    );
  }
  return (
    <Page
      title={stream.data?.name ?? streamKey}
      subtitle={stream.data === undefined ? <Skeleton height={16} width={220} /> : <Facts stream={stream.data} />}
      actions={
        isImportable && (
          <>
            {stream.data !== undefined && <ReadBy stream={stream.data} />}
            {stream.data !== undefined && <LinkAccount stream={stream.data} />}
            <WriteButton
              leftSection={<IconFileImport size={16} aria-hidden />}
              onClick={() => go({ screen: 'import', streamKey })}
              data-testid="import-button"
            >
              {say('streams.importAFile')}
            </WriteButton>
          </>
        )
      }
      testId="stream-screen"
    >
      {isImportable ? <Batches streamKey={streamKey} /> : <AdjustmentTable />}
    </Page>
  );
}

function Facts({ stream }: { readonly stream: Stream }) {
  const facts = [
    stream.currency,
    say('streams.key', { key: stream.key }),
    stream.reference_field === null ? null : say('streams.referenceIn', { referenceField: stream.reference_field }),
    stream.read_by === 'value_date' ? say('streams.readByValueDate') : null,
    stream.batch_lines === 'parts' ? say('streams.aLineForEachTransaction') : null,
  ];
  return (
    <Text size="sm" component="div">
      <PlaceLink place={{ screen: 'records', streamKey: stream.key }} title={say('streams.showItsLines')} testId="stream-lines">
        {countOf(stream.record_count, 'count.records')}
      </PlaceLink>
      {facts.map((fact) => (fact === null ? '' : ` · ${fact}`)).join('')}
      {stream.bank_account_id !== null && <AccountOf id={stream.bank_account_id} />}
      <SyncWhy resource="streams" id={stream.id} />
    </Text>
  );
}

function AccountOf({ id }: { readonly id: number }) {
  const { data: accounts } = useOperation('bank_accounts.list', {});
  const account = accounts?.find((each) => each.id === id);
  if (account === undefined) return null;
  return (
    <>
      {' '}
      · {say('streams.linkedBankAccount')}{' '}
      <PlaceLink place={{ screen: 'account', id }} testId="stream-account">
        {account.name}
      </PlaceLink>
    </>
  );
}

/** The days that the statements of the stream cover. */
function CoverageCards({ streamKey }: { readonly streamKey: string }) {
  const coverage = useOperation('coverage.of_stream', { key: streamKey });
  const accounts = coverage.data?.accounts ?? [];
  const areInSeveral = new Set(accounts.map(({ currency }) => currency)).size > 1;
  return accounts.map((each) => (
    <CoverageCard key={`${each.account ?? ''} ${each.currency ?? ''}`} coverage={each} namesCurrency={areInSeveral} />
  ));
}

function Batches({ streamKey }: { readonly streamKey: string }) {
  const batches = useOperation('import_batches.list', { key: streamKey });
  if (batches.isLoadingError) {
    return <FailurePanel title={say('streams.theImportsCouldNotBeRead')} failure={batches.error} onRetry={batches.refetch} />;
  }
  if (batches.data === undefined) return <Skeleton height={200} radius="lg" />;
  if (batches.data.data.length === 0) {
    return (
      <Stack className="card" p="xl" align="center">
        <Text c="dimmed">{say('streams.noFileHasBeenImported')}</Text>
      </Stack>
    );
  }
  return (
    <Stack gap="xs">
      <CoverageCards streamKey={streamKey} />
      <BatchTable batches={batches.data.data} />
      {batches.data.has_more && (
        <Group justify="center">
          <Text size="sm" c="dimmed">
            {say('streams.theNewestImportsAreShown', { data: batches.data.data.length })}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

/** The imports of a stream, the newest first. */
function BatchTable({ batches }: { readonly batches: readonly ImportBatch[] }) {
  return (
    <div className="card">
      <TableFrame least={940}>
        <FigureTable
          columns={[
            { head: say('streams.batchTable.file') },
            { head: say('streams.batchTable.dates') },
            { head: say('streams.batchTable.kept'), isFigure: true },
            { head: say('streams.batchTable.skipped'), isFigure: true },
            { head: say('streams.batchTable.rejected'), isFigure: true },
            { head: say('streams.batchTable.in'), isFigure: true },
            { head: say('streams.batchTable.out'), isFigure: true },
            { head: say('streams.batchTable.proof') },
            { label: say('streams.batchTable.actions') },
          ]}
          isWrapping
          isFitted
        >
          <tbody>
            {batches.map((batch) => (
              <BatchRow key={batch.id} batch={batch} />
            ))}
          </tbody>
        </FigureTable>
      </TableFrame>
    </div>
  );
}

function BatchRow({ batch }: { readonly batch: ImportBatch }) {
  const now = useNow();
  const name = batch.filename ?? plainWords(batch.source);
  return (
    <tr data-testid="batch-row">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the cell is no control, and has its text further inside */}
      <td style={{ maxWidth: '15rem' }}>
        <Stack gap={0}>
          <Text size="sm" fw={560} className="truncate" title={name}>
            {name}
          </Text>
          <Text size="xs" c="dimmed">
            <Instant at={batch.created_at} text={agoText(batch.created_at, now)} /> · {bytesText(batch.byte_length)}
            {batch.totals.length === 1 && ' · '}
            <CorrectCurrency batch={batch} name={name} />
          </Text>
        </Stack>
      </td>
      <td className="tabular">{dateRangeText(batch.date_range_start, batch.date_range_end) || '–'}</td>
      <td className="amount">{countText(batch.kept)}</td>
      <td className="amount">{countText(batch.skipped)}</td>
      <td className="amount">{countText(batch.rejected)}</td>
      <Sums batch={batch} member="credits" />
      <Sums batch={batch} member="debits" />
      <td>
        <ProofBadge proof={batch.proof} explanation={explanationOf(batch)} />
      </td>
      <td className="amount">
        {batch.file_kept && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<IconFileText size={14} aria-hidden />}
            onClick={() => showKeptFile({ batchId: batch.id, place: null })}
            aria-label={say('imports.kept.showOf', { name })}
            data-testid="show-kept-file"
          >
            {say('imports.kept.show')}
          </Button>
        )}
        <WriteButton
          size="compact-sm"
          variant="subtle"
          color="gray"
          leftSection={<IconArrowBackUp size={14} aria-hidden />}
          onClick={() => askToUndoImport(batch.id)}
          aria-label={say('streams.batchTable.undoTheImportOf', { name })}
          data-testid="undo-import"
        >
          {say('streams.batchTable.undoImport')}
        </WriteButton>
      </td>
    </tr>
  );
}

function Sums({ batch, member }: { readonly batch: ImportBatch; readonly member: 'credits' | 'debits' }) {
  const sign = member === 'debits' ? -1 : 1;
  return (
    <td>
      <Stack gap={0} align="flex-end">
        {batch.totals.map((total) => (
          <Amount key={total.currency} minor={sign * total[member]} currency={total.currency} decimalPlaces={total.decimal_places} />
        ))}
        {batch.totals.length === 0 && '–'}
      </Stack>
    </td>
  );
}

function explanationOf(batch: ImportBatch): string {
  const currency = batch.totals.length === 1 ? (batch.totals[0]?.currency ?? null) : null;
  return proofSentence({ ...batch, currency });
}

interface CorrectCurrencyProps {
  readonly batch: ImportBatch;
  readonly name: string;
}

/** Corrects the currency of an import that was read in the wrong one. */
function CorrectCurrency({ batch, name }: CorrectCurrencyProps) {
  const [isOpen, setOpen] = useState(false);
  const [only, ...others] = batch.totals;
  if (only === undefined || others.length > 0) return null;
  const close = (): void => setOpen(false);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        inherit
        onClick={() => setOpen(true)}
        aria-label={say('streams.batchTable.correctTheCurrencyOf', { name, currency: only.currency })}
        title={say('streams.batchTable.correctTheCurrency')}
        data-testid="correct-currency"
      >
        {only.currency}
      </Anchor>
      <Modal
        opened={isOpen}
        onClose={close}
        title={say('streams.batchTable.correctTheCurrencyOfThisImport')}
        closeButtonProps={{ 'aria-label': say('streams.batchTable.close') }}
      >
        <Correction batch={batch} name={name} from={only.currency} onClose={close} />
      </Modal>
    </>
  );
}

function Correction({ batch, name, from, onClose }: CorrectCurrencyProps & { readonly from: string; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const correct = useCommand('import_batches.correct_currency', (failure) =>
    notifyFailure(say('streams.batchTable.theCurrencyWasNotCorrected'), failure),
  );
  const currency = /^[A-Z]{3}$/.test(typed) && typed !== from ? typed : null;
  async function apply(): Promise<void> {
    if (currency === null) return;
    const answer = await correct.run({ id: batch.id, currency, preview: false });
    if (!answer.ok) return;
    onClose();
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void apply();
      }}
    >
      <Stack>
        <TextInput
          label={say('streams.batchTable.currency')}
          description={say('streams.batchTable.wasReadInThree', { name, from })}
          value={typed}
          maxLength={3}
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value.toUpperCase().trim())}
          data-testid="corrected-currency"
        />
        {currency !== null && <Outlook key={currency} batchId={batch.id} currency={currency} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('streams.batchTable.leaveIt')}
          </Button>
          <Button type="submit" loading={correct.isRunning} disabled={currency === null} data-testid="correct-currency-confirm">
            {say('streams.batchTable.correctTheCurrency')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Shows what the correction would change, or why it is not possible. */
function Outlook({ batchId, currency }: { readonly batchId: number; readonly currency: string }) {
  const preview = useAnswer('import_batches.correct_currency', { id: batchId, currency, preview: true });
  if (preview.error !== null) return <FailurePanel title={say('streams.batchTable.thisCannotBeCorrected')} failure={preview.error} />;
  if (preview.data === undefined) return null;
  return (
    <Text size="sm" data-testid="correct-currency-preview">
      {outlookSentence(preview.data)}
    </Text>
  );
}

function outlookSentence({
  records,
  proposals_dropped: proposals,
  balances,
  stream,
  bank_account: account,
  to,
}: CorrectedCurrency): string {
  const all = listText([
    countOf(records, 'count.lines'),
    ...(balances === 0 ? [] : [countOf(balances, 'count.balances')]),
    ...(stream ? [say('streams.batchTable.theAccount')] : []),
    ...(account ? [say('streams.batchTable.itsBankAccount')] : []),
  ]);
  const dropped = proposals === 0 ? [] : [say('streams.batchTable.proposalsOfItsLines', { proposals })];
  return [say('streams.batchTable.willBeInWithTheAmounts', { all, to }), ...dropped].join(' ');
}
