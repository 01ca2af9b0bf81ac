import { Badge, Box, Button, Flex, Group, Modal, Select, Skeleton, Stack, Text, TextInput, Title, Tooltip } from '@mantine/core';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Facts as FactCards, Mark, PaneHeader, TextButton } from '../../components/primitives.tsx';
import type { BalanceType, BankAccount, BankAccountBalance, Coverage, Failure, Stream } from '../../../src-shared/contract/index.ts';
import { decimalPlacesOf } from '../../../src-shared/values/money.ts';
import { useAnswer, useCommand, useOperation } from '../../api/use-operation.ts';
import { Amount } from '../../components/amount.tsx';
import { CoverageCard } from '../../components/coverage-card.tsx';
import { type ChartPoint, DayChart } from '../../components/day-chart.tsx';
import { Day } from '../../components/day.tsx';
import { FailureAlert, FailurePanel } from '../../components/failure-panel.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useReadOnlyReason, WriteButton } from '../../components/writing.tsx';
import {
  BALANCE_LABELS,
  balanceCounts,
  type BalanceDay,
  balanceDays,
  balanceLine,
  balancesByCurrency,
  hangingOn,
  newestBalances,
  otherCurrencyNotes,
  typesAmong,
} from '../../format/balances.ts';
import { countOf } from '../../format/counts.ts';
import { dateText } from '../../format/dates.ts';
import { moneyText, plainAmount } from '../../format/money.ts';
import { useNavigation } from '../../state/navigation.ts';
import { BalanceForm } from './balance-form.tsx';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';

/** The number of days at first, and of each further page. */
const PAGE = 60;

interface BalancesTableProps {
  readonly account: BankAccount;
  readonly balances: readonly BankAccountBalance[];
  readonly coverages: readonly Coverage[];
  readonly scale: Scale;
  /** Whether the account has balances in several currencies. */
  readonly isOneOfSeveral: boolean;
}

type File = Pick<Coverage['statements'][number], 'filename'> & { readonly streamKey: string };

/** Balances by day, the newest first, with one column per type and the statements that state them. */
function BalancesTable({ account, balances, coverages, scale, isOneOfSeveral }: BalancesTableProps) {
  const [shown, setShown] = useState(PAGE);
  const [changed, setChanged] = useState<BankAccountBalance | null>(null);
  const days = balanceDays(balances);
  const types = typesAmong(balances);
  const files = new Map<number, File>(
    coverages.flatMap(({ statements, data_stream_key: streamKey }) =>
      statements.map(({ import_batch_id: id, filename }) => [id, { filename, streamKey }] as const),
    ),
  );
  return (
    <section aria-labelledby={`balances-heading${scale.currency ?? ''}`} data-testid="account-balances">
      <Title order={2} id={`balances-heading${scale.currency ?? ''}`} mb="xs">
        {isOneOfSeveral
          ? say('streams.account.balancesIn', { currency: scale.currency ?? say('streams.account.noCurrency') })
          : say('streams.account.balances')}
      </Title>
      {days.length === 0 ? (
        <Stack className="card" p="lg">
          <Text size="sm" c="dimmed">
            {say('streams.account.theStatementsOfThisAccount')}
          </Text>
        </Stack>
      ) : (
        <div className="card">
          <TableFrame
            least={280 + 130 * types.length}
            tabIndex={0}
            aria-label={
              isOneOfSeveral
                ? say('streams.account.balancesInByDay', { currency: scale.currency ?? say('streams.account.noCurrency') })
                : say('streams.account.balancesByDay')
            }
          >
            <FigureTable
              columns={[
                { head: say('streams.account.date') },
                ...types.map((type) => ({ head: BALANCE_LABELS[type], isFigure: true })),
                { head: say('streams.account.from') },
              ]}
              isWrapping
              isFitted
            >
              <tbody>
                {days.slice(0, shown).map((day) => (
                  <Row key={day.date} day={day} types={types} files={files} scale={scale} onChange={setChanged} />
                ))}
              </tbody>
            </FigureTable>
          </TableFrame>
        </div>
      )}
      {changed !== null && <BalanceForm account={account} entering={changed} onClose={() => setChanged(null)} />}
      {days.length > shown && (
        <Group justify="center" mt="xs">
          <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + PAGE)} data-testid="older-balances">
            {say('streams.account.showOlderDaysMore', { days: days.length - shown })}
          </Button>
        </Group>
      )}
    </section>
  );
}

interface RowProps {
  readonly day: BalanceDay;
  readonly types: readonly BalanceType[];
  readonly files: ReadonlyMap<number, File>;
  readonly scale: Scale;
  readonly onChange: (balance: BankAccountBalance) => void;
}

function Row({ day, types, files, scale, onChange }: RowProps) {
  return (
    <tr data-testid="balance-day">
      <td>
        <Day iso={day.date} />
      </td>
      {types.map((type) => (
        <td key={type} className="amount">
          <Cell balance={day.byType.get(type)} scale={scale} onChange={onChange} />
        </td>
      ))}
      <td className="rest" style={{ width: '40%' }}>
        <Stack gap={0}>
          {day.sources.map((id) => (
            <div key={id} className="truncate">
              <Source id={id} file={id === null ? undefined : files.get(id)} />
            </div>
          ))}
        </Stack>
      </td>
    </tr>
  );
}

interface CellProps {
  readonly balance: BankAccountBalance | undefined;
  readonly scale: Scale;
  readonly onChange: (balance: BankAccountBalance) => void;
}

function Cell({ balance, scale, onChange }: CellProps) {
  if (balance === undefined) return null;
  const { conflicts } = balance;
  const { currency, decimalPlaces } = scale;
  const text = (minor: number): string =>
    currency === null ? plainAmount(minor, decimalPlaces) : moneyText(minor, currency, decimalPlaces);
  return (
    <Stack gap={2} align="flex-end">
      {balance.import_batch_id === null ? (
        <TextButton
          onClick={() => onChange(balance)}
          aria-label={`${plainAmount(balance.amount_cents, decimalPlaces)}. ${say('streams.balanceForm.change', { date: dateText(balance.date), type: BALANCE_LABELS[balance.balance_type] })}`}
          title={say('streams.balanceForm.change', { date: dateText(balance.date), type: BALANCE_LABELS[balance.balance_type] })}
          data-testid="balance-by-hand"
        >
          {plainAmount(balance.amount_cents, decimalPlaces)}
        </TextButton>
      ) : (
        <Amount minor={balance.amount_cents} decimalPlaces={decimalPlaces} />
      )}
      {conflicts.length > 0 && (
        <Tooltip
          label={say('streams.account.alsoStated', {
            conflicts: conflicts.map(({ amount_cents: amount }) => text(amount)).join(', '),
          })}
          multiline
          maw={320}
        >
          <Badge color="orange" size="sm" tabIndex={0} data-testid="balance-conflict">
            {countOf(conflicts.length, 'count.statements')}{' '}
            {conflicts.length === 1 ? say('streams.account.differs') : say('streams.account.differ')}
          </Badge>
        </Tooltip>
      )}
    </Stack>
  );
}

function Source({ id, file }: { readonly id: number | null; readonly file: File | undefined }) {
  if (id === null) {
    return (
      <Text span size="sm" c="dimmed">
        {say('streams.account.enteredByHandOrByAProgram')}
      </Text>
    );
  }
  return file === undefined ? <OtherImport id={id} /> : <ImportLink id={id} {...file} />;
}

/** An import that covers no days of its own, such as a file that was imported again. */
function OtherImport({ id }: { readonly id: number }) {
  const { data: batch } = useOperation('import_batches.get', { id });
  if (batch === undefined) return <Text size="sm">{say('streams.account.import', { id })}</Text>;
  return <ImportLink id={id} filename={batch.filename} streamKey={batch.data_stream_key} />;
}

function ImportLink({ id, filename, streamKey }: File & { readonly id: number }) {
  const name = filename ?? say('streams.account.import', { id });
  return (
    <Text span size="sm">
      <PlaceLink place={{ screen: 'stream', key: streamKey }} title={name} testId="balance-source">
        {name}
      </PlaceLink>
    </Text>
  );
}

interface DeleteAccountProps {
  readonly account: BankAccount;
  readonly onClose: () => void;
}

/** Asks before a bank account is deleted, and lists what depends on it. */
function DeleteAccount({ account, onClose }: DeleteAccountProps) {
  const streams = useAnswer('streams.list', {});
  const balances = useAnswer('bank_account_balances.list', { bank_account_id: account.id });
  const accounts = useAnswer('bank_accounts.list', {});
  const failure = streams.error ?? balances.error ?? accounts.error;
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('streams.account.deleteThisBankAccount')}
      closeButtonProps={{ 'aria-label': say('streams.account.close') }}
      data-testid="delete-account-dialog"
    >
      {failure !== null ? (
        <FailurePanel title={say('streams.account.whatDependsOnItCouldNotBeRead')} failure={failure} />
      ) : streams.data === undefined || balances.data === undefined || accounts.data === undefined ? (
        <Skeleton height={120} />
      ) : (
        <Question
          account={account}
          streams={streams.data.filter((stream) => stream.bank_account_id === account.id)}
          balances={balances.data}
          others={accounts.data.filter(({ id }) => id !== account.id)}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface QuestionProps extends DeleteAccountProps {
  readonly streams: readonly Stream[];
  readonly balances: readonly BankAccountBalance[];
  readonly others: readonly BankAccount[];
}

/** Value of the select for no other account. */
const NONE = 'none';

function Question({ account, streams, balances, others, onClose }: QuestionProps) {
  const [to, setTo] = useState(NONE);
  const [failure, setFailure] = useState<Failure | null>(null);
  const go = useNavigation((state) => state.go);
  const remove = useCommand('bank_accounts.remove', setFailure);
  async function run(): Promise<void> {
    const answer = await remove.run({ id: account.id, ...(streams.length === 0 ? {} : { streams_to: to }) });
    if (!answer.ok) return;
    onClose();
    go({ screen: 'book' });
  }
  return (
    <Stack>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <Said words="streams.account.goesOutOfTheBook" with={{ name: <b>{account.name}</b> }} />
      </Text>
      <div data-testid="hanging-on">
        {hangingOn(streams, balanceCounts(balances)).map((sentence) => (
          <Text key={sentence} size="sm" mb={4} style={{ overflowWrap: 'anywhere' }}>
            {sentence}
          </Text>
        ))}
      </div>
      {streams.length > 0 && (
        <Select
          label={streams.length === 1 ? say('streams.account.theAccountIsThenLinkedTo') : say('streams.account.theAccountsAreThenLinkedTo')}
          data={[
            { value: NONE, label: say('streams.account.noBankAccount') },
            ...others.map(({ id, name, currency }) => ({ value: String(id), label: currency === null ? name : `${name} (${currency})` })),
          ]}
          value={to}
          allowDeselect={false}
          onChange={(value) => {
            setTo(value ?? NONE);
            setFailure(null);
          }}
          data-testid="streams-to"
        />
      )}
      <FailureAlert title={say('streams.account.thisWasNotDeleted')} failure={failure} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {say('streams.account.keepIt')}
        </Button>
        <Button color="red" loading={remove.isRunning} onClick={() => void run()} data-testid="delete-account-confirm">
          {say('streams.account.delete')}
        </Button>
      </Group>
    </Stack>
  );
}

interface BalanceChartProps {
  readonly balances: readonly BankAccountBalance[];
  readonly coverages: readonly Coverage[];
  readonly scale: Scale;
  /** Whether the account has balances in several currencies. */
  readonly isOneOfSeveral: boolean;
}

const MARKS = [
  { shape: 'dot', label: say('streams.account.statement') },
  { shape: 'square', label: say('streams.account.enteredByHandOrByAProgram') },
  { shape: 'diamond', label: say('streams.account.firstBreak') },
] as const;

/** The balance as a line over its days, with the source of each point and the first break. */
function BalanceChart({ balances, coverages, scale, isOneOfSeveral }: BalanceChartProps) {
  const points = useMemo(() => balanceLine(balances, coverages), [balances, coverages]);
  const [shown, setShown] = useState<ChartPoint | null>(null);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return null;
  const { currency, decimalPlaces } = scale;
  const amount = (minor: number): string =>
    currency === null ? plainAmount(minor, decimalPlaces) : moneyText(minor, currency, decimalPlaces);
  const read = shown ?? last;
  const broken = points.find(({ shape }) => shape === 'diamond');
  return (
    <Box
      component="section"
      className="clipped framed"
      miw={0}
      aria-labelledby={`balance-heading${currency ?? ''}`}
      data-testid="balance-chart"
    >
      <PaneHeader
        title={
          isOneOfSeveral
            ? say('streams.account.balanceIn', { currency: currency ?? say('streams.account.noCurrency') })
            : say('streams.account.balance')
        }
        id={`balance-heading${currency ?? ''}`}
      >
        <Flex component="span" className="mid small" display="inline-flex" gap="lg" wrap="wrap" aria-hidden>
          {MARKS.filter(({ shape }) => points.some((point) => point.shape === shape)).map(({ shape, label }) => (
            <span key={shape} className="row">
              {shape === 'square' ? (
                <Box component="span" w={8} h={8} bd="2px solid var(--text-2)" />
              ) : (
                <Mark tone={shape === 'dot' ? 'done' : 'broken'} />
              )}
              {label}
            </span>
          ))}
        </Flex>
        <Box component="span" className="tabular mid" miw={200} ta="right" aria-hidden>
          {dateText(read.date)} <b className="strong">{amount(read.value)}</b>
        </Box>
      </PaneHeader>
      <Box component="p" className="plain mid small" pb="xs" px={20}>
        {say('streams.account.fromOnToOn', {
          amount: amount(first.value),
          date: dateText(first.date),
          amount2: amount(last.value),
          date2: dateText(last.date),
        })}
        {broken !== undefined && ` ${say('streams.account.theStatementsFirstBreak', { date: dateText(broken.date) })}`}
      </Box>
      <DayChart
        points={points}
        valueText={(value) => plainAmount(value, decimalPlaces)}
        dateText={dateText}
        breakText={(iso) => say('streams.account.breaksOn', { date: dateText(iso) })}
        onPoint={setShown}
      />
    </Box>
  );
}

/** A bank account: its balances and the days that its statements cover. */
export function AccountScreen({ id }: { readonly id: number }) {
  const account = useOperation('bank_accounts.get', { id });
  if (account.data === undefined) {
    return (
      <Page title={say('streams.account.bankAccount')}>
        {account.error === null ? (
          <Skeleton height={200} radius="lg" />
        ) : (
          <FailurePanel title={say('streams.account.theBankAccountCouldNotBeRead')} failure={account.error} onRetry={account.refetch} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={account.data.name}
      subtitle={<Facts account={account.data} />}
      actions={<AccountActions account={account.data} />}
      testId="account-screen"
    >
      <Contents account={account.data} />
    </Page>
  );
}

function Facts({ account }: { readonly account: BankAccount }) {
  const { data: streams } = useOperation('streams.list', {});
  const own = streams?.filter((stream) => stream.bank_account_id === account.id) ?? [];
  return (
    <Text size="sm" component="div">
      {account.currency ?? say('streams.account.noCurrencyYet')}
      {own.map((stream: Stream) => (
        <span key={stream.key}>
          {' · '}
          <PlaceLink place={{ screen: 'stream', key: stream.key }} testId="account-stream">
            {stream.name}
          </PlaceLink>
        </span>
      ))}
      {streams !== undefined && own.length === 0 && ` · ${say('streams.account.noAccountIsLinked')}`}
      <SyncWhy resource="accounts" id={account.id} />
    </Text>
  );
}

function Contents({ account }: { readonly account: BankAccount }) {
  const balances = useOperation('bank_account_balances.list', { bank_account_id: account.id });
  const coverage = useOperation('coverage.of_account', { id: account.id });
  const failed = [balances, coverage].find((read) => read.isLoadingError);
  if (failed?.isLoadingError) {
    return <FailurePanel title={say('streams.account.theBalancesCouldNotBeRead')} failure={failed.error} onRetry={failed.refetch} />;
  }
  if (balances.data === undefined || coverage.data === undefined) return <Skeleton height={240} radius="lg" />;
  const { accounts } = coverage.data;
  if (balances.data.length === 0 && accounts.length === 0) return <Nothing />;
  const kept = balancesByCurrency(balances.data, account.currency).map(([currency, own]) => ({
    key: currency ?? '',
    balances: own,
    scale: { currency, decimalPlaces: decimalPlacesOf(currency ?? 'USD') },
  }));
  return (
    <>
      {kept.map((each) => (
        <Newest key={each.key} balances={each.balances} scale={each.scale} />
      ))}
      {kept.map(({ key, balances: own, scale }) => (
        <BalanceChart
          key={key}
          balances={own}
          coverages={accounts.filter(({ currency }) => currency === scale.currency)}
          scale={scale}
          isOneOfSeveral={kept.length > 1}
        />
      ))}
      <Coverages coverages={accounts} />
      {kept.map(({ key, balances: own, scale }) => (
        <BalancesTable key={key} account={account} balances={own} coverages={accounts} scale={scale} isOneOfSeveral={kept.length > 1} />
      ))}
    </>
  );
}

function Nothing() {
  return (
    <Stack className="card" p="xl" gap="xs" align="center" ta="center" data-testid="account-empty">
      <Text fw={560}>{say('streams.account.nothingIsKnownOfThisAccountYet')}</Text>
      <Text c="dimmed" maw={460}>
        {say('streams.account.importAStatementIntoAnAccount')}
      </Text>
    </Stack>
  );
}

function Newest({ balances, scale }: { readonly balances: readonly BankAccountBalance[]; readonly scale: Scale }) {
  const { booked, available } = newestBalances(balances);
  if (booked === null && available === null) return null;
  return (
    <div className="card" data-testid="newest-balances">
      <FactCards
        layout="cards"
        facts={[
          ...(booked === null ? [] : [factOf(say('streams.account.balance'), booked, scale)]),
          ...(available === null ? [] : [factOf(say('streams.account.available'), available, scale)]),
        ]}
      />
    </div>
  );
}

function factOf(label: string, balance: BankAccountBalance, scale: Scale) {
  return {
    name: say('streams.account.on', { label, date: dateText(balance.date) }),
    value: <Amount minor={balance.amount_cents} {...scale} />,
  };
}

function Coverages({ coverages }: { readonly coverages: readonly Coverage[] }) {
  const { data: streams } = useOperation('streams.list', {});
  if (coverages.length === 0) return null;
  const areInSeveral = new Set(coverages.map(({ currency }) => currency)).size > 1;
  const isOfSeveral = new Set(coverages.map(({ data_stream_key: key }) => key)).size > 1;
  return (
    <section aria-labelledby="coverage-heading">
      <Title order={2} id="coverage-heading" mb="xs">
        {say('streams.account.daysThatStatementsCover')}
      </Title>
      <Stack gap="xs">
        {coverages.map((each) => (
          <CoverageCard
            key={`${each.data_stream_key} ${each.account ?? ''} ${each.currency ?? ''}`}
            coverage={each}
            namesCurrency={areInSeveral}
            of={isOfSeveral ? (streams?.find(({ key }) => key === each.data_stream_key)?.name ?? each.data_stream_key) : null}
          />
        ))}
      </Stack>
    </section>
  );
}

/** The actions on a bank account, and the open dialog. */
function AccountActions({ account }: { readonly account: BankAccount }) {
  const [opened, setOpened] = useState<'edit' | 'delete' | 'balance' | null>(null);
  const close = (): void => setOpened(null);
  const isReadOnly = useReadOnlyReason() !== null;
  useShortcuts({ b: () => !isReadOnly && setOpened('balance') });
  return (
    <>
      <WriteButton
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        rightSection={<KeyHint keys="B" />}
        aria-keyshortcuts="b"
        onClick={() => setOpened('balance')}
        data-testid="enter-balance"
      >
        {say('streams.balanceForm.enter')}
      </WriteButton>
      <WriteButton
        variant="default"
        leftSection={<IconPencil size={15} aria-hidden />}
        onClick={() => setOpened('edit')}
        data-testid="edit-account"
      >
        {say('streams.account.edit')}
      </WriteButton>
      <WriteButton
        variant="default"
        leftSection={<IconTrash size={15} aria-hidden />}
        onClick={() => setOpened('delete')}
        data-testid="delete-account"
      >
        {say('streams.account.delete')}
      </WriteButton>
      {opened === 'balance' && <BalanceForm account={account} entering="new" onClose={close} />}
      {opened === 'edit' && <EditAccount account={account} onClose={close} />}
      {opened === 'delete' && <DeleteAccount account={account} onClose={close} />}
    </>
  );
}

interface EditAccountProps {
  readonly account: BankAccount;
  readonly onClose: () => void;
}

type Draft = Pick<BankAccount, 'name' | 'currency'>;

/** Returns the members that differ between two drafts, as the service takes them. */
function changeBetween(before: Draft, after: Draft): Partial<Draft> {
  return {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(after.currency === before.currency ? {} : { currency: after.currency }),
  };
}

/** Saves a draft. The notification offers to undo it. */
function useSave({ account, onClose }: EditAccountProps) {
  const { id, name, currency } = account;
  const [before] = useState<Draft>({ name, currency });
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = useCommand('bank_accounts.update', setFailure);
  async function save(draft: Draft): Promise<void> {
    const change = changeBetween(before, draft);
    if (Object.keys(change).length === 0) return onClose();
    const answer = await update.run({ id, ...change });
    if (!answer.ok) return;
    onClose();
  }
  return { before, failure, isSaving: update.isRunning, save };
}

/** Edits the name and the currency of a bank account. When the service refuses, the entries stay and the reason is shown. */
function EditAccount({ account, onClose }: EditAccountProps) {
  const { before, failure, isSaving, save } = useSave({ account, onClose });
  const [name, setName] = useState(before.name);
  const [currency, setCurrency] = useState(before.currency ?? '');
  const isCurrency = currency === '' || /^[A-Z]{3}$/.test(currency);
  const isComplete = name.trim() !== '' && isCurrency;
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('streams.account.editBankAccount')}
      closeButtonProps={{ 'aria-label': say('streams.account.close') }}
      data-testid="edit-account-dialog"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) void save({ name: name.trim(), currency: currency === '' ? null : currency });
        }}
      >
        <Stack>
          <TextInput
            label={say('streams.account.name')}
            value={name}
            maxLength={255}
            error={name.trim() === '' ? say('streams.account.nameTheAccount') : null}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
            data-testid="account-name"
          />
          <TextInput
            label={say('streams.account.currency')}
            description={say('streams.account.ofItsBalancesEmpty')}
            value={currency}
            maxLength={3}
            error={isCurrency ? null : say('streams.account.threeLettersSuchAsGbp')}
            onChange={(event) => setCurrency(event.currentTarget.value.toUpperCase().trim())}
            data-testid="account-currency"
          />
          {isCurrency && <CurrencyNotes account={account} currency={currency === '' ? null : currency} />}
          <FailureAlert title={say('streams.account.thisWasNotChanged')} failure={failure} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('streams.account.cancel')}
            </Button>
            <Button type="submit" disabled={!isComplete} loading={isSaving} data-testid="account-save">
              {say('streams.account.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function CurrencyNotes({ account, currency }: { readonly account: BankAccount; readonly currency: string | null }) {
  const { data: balances } = useOperation('bank_account_balances.list', { bank_account_id: account.id });
  const notes = otherCurrencyNotes(account.currency, currency, balanceCounts(balances ?? []));
  if (notes.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" aria-live="polite" data-testid="currency-notes">
      {notes.join(' ')}
    </Text>
  );
}

/** Currency and decimal places of an account's balances. */
interface Scale {
  readonly currency: string | null;
  readonly decimalPlaces: number;
}
