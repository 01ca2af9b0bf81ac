import { Badge, Button, Group, Modal, Pagination, SegmentedControl, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy, IconHelpCircle, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { ImportOverrule, ImportPreview, ImportRow } from '../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf } from '../../../src-shared/values/money.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Amount } from '../../components/amount.tsx';
import { Day } from '../../components/day.tsx';
import { DateField } from '../../components/date-field.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { minorOfText } from '../../../src-shared/values/amount-input.ts';
import { countText } from '../../format/counts.ts';
import { signedOf, typedAmount } from '../../format/money.ts';
import { type ListedRow, listedRow } from '../../state/import-flow.ts';
import { TextButton } from '../../components/primitives.tsx';
import styles from './import.module.css';

const OUTCOMES = {
  new: { color: 'pine', label: say('imports.outcomes.new.label'), Icon: IconCheck },
  asked: { color: 'orange', label: say('imports.outcomes.asked.label'), Icon: IconHelpCircle },
  duplicate: { color: 'gray', label: say('imports.outcomes.duplicate.label'), Icon: IconCopy },
  left_out: { color: 'gray', label: say('imports.outcomes.leftOut.label'), Icon: IconX },
  rejected: { color: 'red', label: say('imports.outcomes.rejected.label'), Icon: IconAlertTriangle },
} as const;

interface RowsTableProps {
  readonly label: string;
  readonly rows: readonly ListedRow[];
  readonly currency: string | null;
  /** Null when nothing can be decided. */
  readonly decisions: Pick<RowDecisions, 'onDecide' | 'onTakeBack' | 'takesNew'> | null;
  /** Returns whether the open question is about the row. */
  readonly isAsked?: (row: ListedRow) => boolean;
  /** Set where the rows are shown on pages beside them. */
  readonly onPages?: RowsOnPages | null;
}

/** The row that is marked on its page. */
export interface RowsOnPages {
  readonly chosen: number | null;
  readonly onChoose: (row: number) => void;
}

const isNeverAsked = (): boolean => false;

/** Rows of the file with their outcome and the possible decisions. */
export function RowsTable({ label, rows, currency, decisions, isAsked = isNeverAsked, onPages = null }: RowsTableProps) {
  const [correcting, setCorrecting] = useState<ListedRow | null>(null);
  const isMixed = rows.some((row) => row.currency !== null && row.currency !== currency);
  const hasValueDates = rows.some((row) => row.value_date !== null);
  const hasReference = rows.some((row) => row.reference !== null && (onPages === null || row.reference !== row.description));
  return (
    <>
      <div className="card">
        <TableFrame
          least={onPages === null ? 600 : 440}
          highest={onPages === null ? 420 : 'calc(min(72vh, 56rem) + var(--bar))'}
          tabIndex={0}
          aria-label={label}
          onKeyDown={(event) => onPages !== null && chooseByKey(event, rows, onPages)}
        >
          <FigureTable
            columns={[
              { head: say('imports.rowsTable.row'), isFigure: true },
              { head: say('imports.rowsTable.date') },
              ...(hasValueDates ? [{ head: say('imports.rowsTable.valueDate') }] : []),
              { head: say('imports.rowsTable.description') },
              ...(hasReference ? [{ head: say('imports.rowsTable.reference') }] : []),
              {
                head: (
                  <>
                    {say('imports.rowsTable.amount')}
                    {currency !== null && !isMixed && ` (${currency})`}
                  </>
                ),
                isFigure: true,
              },
              { head: say('imports.rowsTable.state') },
              ...(decisions !== null ? [{ label: say('imports.rowsTable.decideOtherwise') }] : []),
            ]}
            isWrapping
            isFitted
            isSticky
          >
            <tbody>
              {rows.map((row) => (
                <Row
                  key={`${row.row} ${row.occurrence} ${row.outcome}`}
                  row={row}
                  outcome={isAsked(row) ? 'asked' : row.outcome}
                  isMixed={isMixed}
                  hasValueDates={hasValueDates}
                  hasReference={hasReference}
                  decisions={decisions === null ? null : { ...decisions, onCorrect: setCorrecting }}
                  onPages={onPages}
                />
              ))}
            </tbody>
          </FigureTable>
        </TableFrame>
      </div>
      {decisions !== null && (
        <CorrectRow
          row={correcting}
          onClose={() => setCorrecting(null)}
          onDone={(overrule) => {
            setCorrecting(null);
            decisions.onDecide(overrule);
          }}
        />
      )}
    </>
  );
}

/** Chooses the row above or below the chosen one by the arrow keys. */
function chooseByKey(event: KeyboardEvent, rows: readonly ListedRow[], { chosen, onChoose }: RowsOnPages): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (by === 0 || event.target !== event.currentTarget) return;
  event.preventDefault();
  const at = rows.findIndex(({ row }) => row === chosen);
  const next = at < 0 ? rows[0] : rows[at + by];
  if (next !== undefined) onChoose(next.row);
}

/** Returns the ref of a row that its frame scrolls to once the row is chosen. */
function useInSight(isChosen: boolean): RefObject<HTMLTableRowElement | null> {
  const element = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    const chosen = element.current;
    const frame = chosen?.closest<HTMLElement>('[tabindex]') ?? null;
    if (!isChosen || chosen === null || frame === null) return;
    const [top, room] = [chosen.offsetTop - frame.scrollTop, frame.clientHeight - chosen.offsetHeight];
    if (top < chosen.offsetHeight || top > room) frame.scrollTo({ top: chosen.offsetTop - frame.clientHeight / 2 });
  }, [isChosen]);
  return element;
}

function RowNumber({ row }: { readonly row: number }) {
  return (
    <Text size="xs" c="dimmed">
      {row}
    </Text>
  );
}

/** The number of a row that is shown on its page. A click anywhere in the row does the same. */
function ShowRow({ row }: { readonly row: number }) {
  return <TextButton aria-label={say('imports.pages.showRow', { row })}>{row}</TextButton>;
}

interface RowProps {
  readonly row: ListedRow;
  readonly outcome: keyof typeof OUTCOMES;
  readonly isMixed: boolean;
  readonly hasValueDates: boolean;
  readonly hasReference: boolean;
  readonly decisions: RowDecisions | null;
  readonly onPages: RowsOnPages | null;
}

function Row({ row, outcome, isMixed, hasValueDates, hasReference, decisions, onPages }: RowProps) {
  const { color, label, Icon } = OUTCOMES[outcome];
  const isChosen = onPages?.chosen === row.row;
  const element = useInSight(isChosen);
  return (
    <tr
      ref={element}
      data-testid="file-row"
      data-chosen={isChosen || undefined}
      aria-current={isChosen || undefined}
      className={onPages === null ? undefined : styles.onPage}
      onClick={onPages === null ? undefined : () => onPages.onChoose(row.row)}
    >
      <td className="amount">{onPages === null ? <RowNumber row={row.row} /> : <ShowRow row={row.row} />}</td>
      <td>
        <Day iso={row.date} />
      </td>
      {hasValueDates && (
        <td>
          <Day iso={row.value_date} />
        </td>
      )}
      <td className="rest">
        <div className="truncate" title={row.description ?? undefined}>
          {row.description ?? '–'}
        </div>
        {row.message !== null && (
          <Text size="xs" c={row.outcome === 'rejected' ? 'red' : 'dimmed'}>
            {row.message}
          </Text>
        )}
      </td>
      {hasReference && (
        <td style={{ maxWidth: '10rem' }}>
          <div className="truncate" title={row.reference ?? undefined}>
            {row.reference ?? '–'}
          </div>
        </td>
      )}
      <td className="amount">
        {row.amount === null || row.direction === null ? (
          '–'
        ) : (
          <Amount
            minor={signedOf({ amount: row.amount, direction: row.direction, currency: '', decimal_places: row.decimal_places })}
            currency={isMixed ? row.currency : null}
            decimalPlaces={row.decimal_places}
          />
        )}
      </td>
      <td>
        <Badge color={color} leftSection={<Icon size={12} aria-hidden />}>
          {label}
        </Badge>
      </td>
      {decisions !== null && (
        <td>
          {decisions.takesNew === true && typeof row.replaces === 'number' && <TakeNew row={row} recordId={row.replaces} />}
          <RowDecision row={row} {...decisions} />
        </td>
      )}
    </tr>
  );
}

type PreviewRow = ImportPreview['rows'][number];

interface CorrectRowProps {
  readonly row: PreviewRow | null;
  readonly onDone: (overrule: ImportOverrule) => void;
  readonly onClose: () => void;
}

/** Corrects a rejected row by hand. */
function CorrectRow({ row, onDone, onClose }: CorrectRowProps) {
  return (
    <Modal
      opened={row !== null}
      onClose={onClose}
      title={say('imports.rowsTable.correctRow', { row: row?.row ?? '' })}
      closeButtonProps={{ 'aria-label': say('imports.rowsTable.close') }}
    >
      {row !== null && <Form key={`${row.row} ${row.occurrence}`} row={row} onDone={onDone} onClose={onClose} />}
    </Modal>
  );
}

function Form({ row, onDone, onClose }: CorrectRowProps & { readonly row: PreviewRow }) {
  const currency = row.currency ?? 'USD';
  const places = decimalPlacesOf(currency);
  const [date, setDate] = useState(row.date ?? '');
  const [amount, setAmount] = useState(row.amount === null ? '' : typedAmount(row.amount, row.decimal_places));
  const [direction, setDirection] = useState<'credit' | 'debit'>(row.direction ?? 'debit');
  const [description, setDescription] = useState(row.description ?? '');
  const minor = minorOfText(amount, places);
  const isDay = dayFromIso(date) !== null;
  function submit(): void {
    if (minor === null || !isDay) return;
    const line = { date, amount: minor, direction, ...(description === '' ? {} : { description }) };
    onDone({ action: 'edit', row: row.row, occurrence: row.occurrence, line });
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <Text size="sm" c="red">
          {row.message}
        </Text>
        <DateField label={say('imports.rowsTable.date')} value={date} onChange={setDate} data-autofocus data-testid="correct-date" />
        <TextInput
          label={say('imports.rowsTable.amountInCurrency', { currency })}
          value={amount}
          inputMode="decimal"
          error={
            amount !== '' && minor === null
              ? say('imports.rowsTable.digitsWithUpToDecimals', { places, example: typedAmount(123_450, 2) })
              : null
          }
          onChange={(event) => setAmount(event.currentTarget.value)}
          data-testid="correct-amount"
        />
        <SegmentedControl
          aria-label={say('imports.rowsTable.moneyInOrOut')}
          value={direction}
          onChange={(value) => setDirection(value === 'credit' ? 'credit' : 'debit')}
          data={[
            { value: 'debit', label: say('imports.rowsTable.moneyOut') },
            { value: 'credit', label: say('imports.rowsTable.moneyIn') },
          ]}
        />
        <TextInput
          label={say('imports.rowsTable.description')}
          value={description}
          maxLength={2_000}
          onChange={(event) => setDescription(event.currentTarget.value)}
          data-testid="correct-description"
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('imports.rowsTable.leaveItOut')}
          </Button>
          <Button type="submit" disabled={minor === null || !isDay} data-testid="correct-done">
            {say('imports.rowsTable.importItLikeThis')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface TakeNewProps {
  readonly row: ListedRow;
  readonly recordId: number;
}

/** Replaces the record with the same id by the row of the file. The record must not be matched. */
function TakeNew({ row, recordId }: TakeNewProps) {
  const update = useCommand('records.update', (failure) => notifyFailure(say('imports.rowsTable.theLineStaysAsItIs'), failure));
  const { date, amount, direction, description } = row;
  if (date === null || amount === null || direction === null) return null;
  return (
    <WriteButton
      variant="light"
      size="compact-xs"
      loading={update.isRunning}
      onClick={() => void update.run({ id: recordId, date, amount, direction, description })}
      aria-label={say('imports.rowsTable.takeTheNewOneOfRow', { row: row.row })}
      data-testid={`take-new-${row.row}`}
    >
      {say('imports.rowsTable.takeTheNewOne')}
    </WriteButton>
  );
}

export const ROWS_PER_PAGE = 50;

interface PagerProps {
  /** The number of rows over all pages. */
  readonly listed: number;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** Names the visible rows and moves between pages. */
export function Pager({ listed, page, onPage }: PagerProps) {
  if (listed <= ROWS_PER_PAGE) return null;
  const first = (page - 1) * ROWS_PER_PAGE + 1;
  const labels = {
    first: say('imports.rowsPager.firstPage'),
    previous: say('imports.rowsPager.pageBefore'),
    next: say('imports.rowsPager.nextPage'),
    last: say('imports.rowsPager.lastPage'),
  } as const;
  return (
    <Group justify="space-between" gap="sm" mt="xs">
      <Text size="sm" c="dimmed" aria-live="polite" className="tabular" data-testid="rows-shown">
        {say('imports.rowsPager.rowsToOf', {
          first: countText(first),
          min: countText(Math.min(first + ROWS_PER_PAGE - 1, listed)),
          listed: countText(listed),
        })}
      </Text>
      <Pagination
        size="sm"
        total={Math.ceil(listed / ROWS_PER_PAGE)}
        value={page}
        onChange={onPage}
        withEdges
        getControlProps={(control) => ({ 'aria-label': labels[control] })}
        getItemProps={(number) => ({ 'aria-label': say('imports.rowsPager.page', { number }) })}
        data-testid="rows-pages"
      />
    </Group>
  );
}

interface RowsPagerProps {
  readonly label: string;
  /** The job of the import or of the preview. */
  readonly jobId: number;
  readonly outcome: ImportRow['outcome'];
  readonly currency: string | null;
  /** Decisions about these rows that are not carried out yet. */
  readonly pending: readonly ImportOverrule[];
  readonly decisions: Pick<RowDecisions, 'onDecide' | 'onTakeBack' | 'takesNew'> | null;
}

/** All rows that are left out for one of the two reasons, page by page. */
export function RowsPager({ label, jobId, outcome, currency, pending, decisions }: RowsPagerProps) {
  const [page, setPage] = useState(1);
  const rows = useOperation('imports.rows', { id: jobId, outcome, limit: ROWS_PER_PAGE, offset: (page - 1) * ROWS_PER_PAGE });
  if (rows.isLoadingError) {
    return <FailurePanel title={say('imports.rowsPager.theRowsCouldNotBeRead')} failure={rows.error} onRetry={rows.refetch} />;
  }
  if (rows.data === undefined) return <Skeleton height={420} radius="lg" />;
  const { listed, total, data } = rows.data;
  const pages = Math.max(1, Math.ceil(listed / ROWS_PER_PAGE));
  // A decision can empty the last page.
  if (page > pages) setPage(pages);
  return (
    <div data-testid={`rows-${outcome}`}>
      {data.length > 0 ? (
        <RowsTable label={label} rows={data.map((row) => listedRow(row, pending))} currency={currency} decisions={decisions} />
      ) : (
        <Nothing>{total === 0 ? say('imports.rowsPager.thereIsNone') : say('imports.rowsPager.theyAreNotKept')}</Nothing>
      )}
      <Pager listed={listed} page={page} onPage={setPage} />
      {listed > 0 && total > listed && (
        <Text size="xs" c="dimmed" mt={4}>
          {say('imports.rowsPager.theFirstOfCanBeLookedThrough', { listed: countText(listed), total: countText(total) })}
        </Text>
      )}
    </div>
  );
}

function Nothing({ children }: { readonly children: ReactNode }) {
  return (
    <Stack className="card" p="md">
      <Text size="sm" c="dimmed">
        {children}
      </Text>
    </Stack>
  );
}

interface RowDecisions {
  readonly onDecide: (overrule: ImportOverrule) => void;
  readonly onTakeBack: (row: PreviewRow) => void;
  readonly onCorrect: (row: PreviewRow) => void;
  /** Whether the file is imported, so that a row can replace the record with the same id. */
  readonly takesNew?: boolean;
}

/** The decisions that a person can make about a row. */
function RowDecision({ row, onDecide, onTakeBack, onCorrect }: RowDecisions & { readonly row: PreviewRow }) {
  const place = { row: row.row, occurrence: row.occurrence };
  const [words, act] = row.is_overruled
    ? [say('imports.rowDecision.takeBack'), () => onTakeBack(row)]
    : row.outcome === 'rejected'
      ? [say('imports.rowDecision.correct'), () => onCorrect(row)]
      : row.outcome === 'duplicate'
        ? [say('imports.rowDecision.importAnyway'), () => onDecide({ ...place, action: 'import' })]
        : [say('imports.rowDecision.leaveOut'), () => onDecide({ ...place, action: 'leave_out' })];
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      onClick={act}
      aria-label={say('imports.rowDecision.row', { words, row: row.row })}
      data-testid={`decide-${row.row}`}
    >
      {words}
    </Button>
  );
}
