import { Box, Button, Flex, SimpleGrid, Skeleton, TextInput, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { Failure, RecordItem, StatementGroup, StatementRow, StatementSide } from '../../../src-shared/contract/index.ts';
import { signedMinorOfText } from '../../../src-shared/values/amount-input.ts';
import { Band, classes, FigureButton, Note, TextButton } from '../../components/primitives.tsx';
import { dateText, shortDay } from '../../format/dates.ts';
import { lineName, recordTexts, withMinus } from '../../format/close-words.ts';
import { countOf, countText } from '../../format/counts.ts';
import { plainAmount, signedOf, typedAmount } from '../../format/money.ts';
import { type BalanceKey, type FigureKey, type GroupName, sideOf, type Slot, useClosing } from './close-context.ts';
import { CauseLines, placeOfRecord, RecordLink } from './record-link.tsx';
import styles from './close.module.css';
import { useCloseEdits } from './use-close-edits.ts';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';
import { useConnection } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { PlaceLink } from '../../components/place-link.tsx';

/** Draws the statement of a period in one currency. The user can enter balances in it. */
export function StatementView() {
  const { statement } = useClosing();
  const { title, subtitle, sides } = statement.document;
  const general = statement.warnings.filter(({ code }) => code === 'other_currency' || code === 'work_in_progress');
  return (
    <div data-testid="statement">
      <Flex gap={10} mb="sm" align="baseline" wrap="wrap">
        <h2 className="plain">{title}</h2>
        <span className="mid">{subtitle}</span>
        <Box component="span" className={`quiet small ${styles.aside}`} ml="auto">
          {say('close.statementView.enterShowsTheLines')}
        </Box>
      </Flex>
      {general.map(({ message }) => (
        <Note key={message}>{withMinus(message)}</Note>
      ))}
      <SimpleGrid className={`framed clipped ${styles.statement}`} minColWidth={234} autoFlow="auto-fit" spacing={0}>
        {sides.map((side) => (
          <SideColumn key={side.side} side={side} />
        ))}
      </SimpleGrid>
      <OpeningDifference />
      <AgreeBand />
    </div>
  );
}

/** Shows how much the opening balances differ beyond the earlier items, and how to solve it. */
function OpeningDifference() {
  const { statement, enter, isLocked } = useClosing();
  const { opening_difference: difference, decimal_places: places, warnings } = statement;
  if (difference === null || difference === 0) return null;
  const message = warnings.find(({ code }) => code === 'opening_difference')?.message;
  const corrections =
    !isLocked &&
    statement.document.sides.map(({ side: slot, name }) => (
      <TextButton key={slot} onClick={() => enter({ slot, which: 'opening' })} data-testid={`correct-opening-${slot}`}>
        {say('close.statementView.correct', { name })}
      </TextButton>
    ));
  return (
    <Band
      tone="open"
      icon={<IconAlertTriangle size={16} aria-hidden />}
      actions={corrections}
      className={styles.inset}
      data-testid="opening-difference"
    >
      <p>
        <Said
          words="close.statementView.importTheLinesFromBefore"
          with={{
            part: <b>{say('close.statementView.openingDifference', { difference: plainAmount(difference, places) })}</b>,
            withMinus: message === undefined ? '' : withMinus(message),
            fullDay: dateText(statement.period.from),
          }}
        />
      </p>
    </Band>
  );
}

const WHICH = { opening: say('close.which.opening'), stated_closing: say('close.which.statedClosing') } as const;

/** A balance of the statement, or the field to enter it. An empty field removes the entered balance. */
function BalanceField({ slot, which, unknown }: BalanceKey & Pick<StatementRow, 'unknown'>) {
  const { statement, entering, enter, noEntry } = useClosing();
  const button = useRef<HTMLButtonElement>(null);
  const isEntering = entering?.slot === slot && entering.which === which;
  const wasEntering = useRef(false);
  useEffect(() => {
    if (wasEntering.current && !isEntering) button.current?.focus();
    wasEntering.current = isEntering;
  }, [isEntering]);
  const minor = statement[slot][which];
  const name = say('close.statementView.of', { which: WHICH[which], name: sideOf(statement, slot).name });
  if (isEntering) return <BalanceInput slot={slot} which={which} name={name} minor={minor} />;
  const text = minor === null ? say('close.statementView.enter', { unknown }) : plainAmount(minor, statement.decimal_places);
  if (noEntry !== null)
    return (
      <span className="nowrap" title={noEntry}>
        {minor === null ? unknown : text}
      </span>
    );
  return (
    <UnstyledButton
      ref={button}
      className={classes('tabular', styles.balance, minor === null && 'doubt')}
      aria-label={say('close.statementView.enterTheUnknown', { name, unknown: minor === null ? `, ${unknown}` : `, ${text}` })}
      title={say('close.statementView.enterTheBalance', { name })}
      onClick={() => enter({ slot, which })}
      data-testid={`balance-${slot}-${which}`}
    >
      {text}
    </UnstyledButton>
  );
}

interface BalanceInputProps extends BalanceKey {
  readonly name: string;
  readonly minor: number | null;
}

function BalanceInput({ slot, which, name, minor }: BalanceInputProps) {
  const { statement, enter } = useClosing();
  const { enterBalance } = useCloseEdits();
  const { decimal_places: places } = statement;
  const [text, setText] = useState(minor === null ? '' : typedAmount(minor, places));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    field.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const value = text.trim() === '' ? null : signedMinorOfText(text, places);
  const isWrong = text.trim() !== '' && value === null;
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isWrong) return;
    if (value === minor || (await enterBalance({ slot, which }, value))) enter(null);
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    enter(null);
  }
  return (
    <Flex component="form" gap={3} flex="none" onSubmit={(event) => void save(event)}>
      <TextInput
        ref={field}
        size="xs"
        w={112}
        error={isWrong}
        inputMode="decimal"
        aria-label={`${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`}
        title={isWrong ? say('close.statementView.anAmountWithAtMostDecimals', { places }) : say('close.statementView.enterKeepsItEsc')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKey}
        data-testid={`enter-${slot}-${which}`}
      />
      <Button
        type="submit"
        size="compact-sm"
        variant="default"
        aria-label={say('close.statementView.keep')}
        disabled={isWrong}
        data-testid="balance-keep"
      >
        ↵
      </Button>
    </Flex>
  );
}

/** Codes of the warnings about the balance of a side. */
const OF_BALANCE = new Set([
  'balance_unknown',
  'opening_unknown',
  'closing_not_stated',
  'balance_does_not_hold',
  'balances_disagree',
  'balance_of_earlier_day',
]);

/** One side: its movement, its balance, the items to add and to subtract, and the adjusted balance. */
function SideColumn({ side }: { readonly side: StatementSide }) {
  const { statement } = useClosing();
  const { side: slot, title, account, movement, balance, groups, adjusted } = side;
  return (
    <section className="column" aria-label={`${title}: ${account}`} data-testid={`statement-${slot}`}>
      <Box component="h3" className="truncate line-below" bg="var(--sunken)" m={0} px="md" lh="27px" title={account}>
        {title} <span className="quiet">{account}</span>
      </Box>
      <div>
        {movement.map((row) => (
          <Line key={row.label} kind="minor" label={row.label} note={row.note}>
            <Moved slot={slot} row={row} />
          </Line>
        ))}
        <Line kind="total" label={balance.label} note={balance.note}>
          <Sum row={balance} figure={{ kind: 'balance', slot }} testId={`balance-${slot}`} />
        </Line>
        {statement.warnings
          .filter((warning) => warning.side === slot && OF_BALANCE.has(warning.code))
          .map(({ code, message }) => (
            <Note key={message} tone={code === 'balance_does_not_hold' ? 'broken' : 'open'} className={styles.warning}>
              {withMinus(message)}
            </Note>
          ))}
      </div>
      <Box className="grow" pb={4}>
        {groups.map((group) => (
          <Group key={group.name} group={group} />
        ))}
      </Box>
      <Line kind="adjusted" label={adjusted.label}>
        <Sum row={adjusted} figure={{ kind: 'adjusted', slot }} testId={`adjusted-${slot}`} />
      </Line>
    </section>
  );
}

interface LineProps {
  /** `minor`: a term of the balance. `total`: the balance or the sum of a group. `adjusted`: the result. */
  readonly kind: 'minor' | 'total' | 'adjusted';
  readonly label: string;
  /** Behind the label: where the figure is from, or how many lines it has. */
  readonly note?: string | null;
  /** The figure. */
  readonly children: ReactNode;
}

/** One line of a side: its label at the left, its figure at the right. */
function Line({ kind, label, note, children }: LineProps) {
  return (
    <Flex
      className={classes('row', kind === 'minor' ? 'mid' : 'strong', kind === 'adjusted' && styles.adjusted)}
      justify="space-between"
      mih={kind === 'minor' ? 22 : 25}
      px="md"
      data-testid="statement-row"
    >
      <span className={kind === 'minor' ? undefined : styles.label}>
        {label} <span className="quiet">{note}</span>
      </span>
      {children}
    </Flex>
  );
}

/** A figure of the movement. The user can enter the opening and the closing balance. */
function Moved({ slot, row }: { readonly slot: BalanceKey['slot']; readonly row: StatementRow }) {
  const { statement } = useClosing();
  if (row.name === `opening_${slot}`) return <BalanceField slot={slot} which="opening" unknown={row.unknown} />;
  if (row.name === `stated_${slot}`) return <BalanceField slot={slot} which="stated_closing" unknown={row.unknown} />;
  return <span className="tabular">{row.amount === null ? row.unknown : plainAmount(row.amount, statement.decimal_places)}</span>;
}

interface SumProps {
  readonly row: StatementRow;
  readonly figure: Parameters<typeof Figure>[0]['figure'];
  readonly testId: string;
}

/** A figure with details, or the words that it is unknown. */
function Sum({ row, figure, testId }: SumProps) {
  if (row.amount === null) return <span className="doubt nowrap">{row.unknown}</span>;
  return <Figure minor={row.amount} label={row.label} figure={figure} testId={testId} />;
}

function Group({ group }: { readonly group: StatementGroup }) {
  const { look } = useClosing();
  const { name, label, count, amount, lines } = group;
  return (
    <div data-testid={`group-${name}`}>
      <Line kind="total" label={label} note={countText(count)}>
        <Figure minor={amount} label={`${label}, ${countOf(count, 'count.lines')}`} figure={{ kind: 'group', name }} />
      </Line>
      {lines.map((line) => (
        <Flex
          key={`${line.record_id} ${line.match_id}`}
          className="row mid"
          mih={25}
          pl="xl"
          pr="clamp(12px, 12cqi, 86px)"
          data-testid="statement-row"
        >
          <span className="truncate grow" title={line.label}>
            {line.date !== null && (
              <time className="tabular quiet small" dateTime={line.date}>
                {shortDay(line.date)}{' '}
              </time>
            )}
            {line.date === null ? (
              <TextButton className="small" onClick={() => look({ kind: 'group', name })} data-testid={`more-${name}`}>
                {line.label}
              </TextButton>
            ) : (
              line.label
            )}
          </span>
          {line.note !== null && <span className="doubt small">{line.note}</span>}
          <Figure
            minor={line.amount}
            label={line.label}
            figure={line.record_id === null ? { kind: 'group', name } : { kind: 'item', recordId: line.record_id }}
          />
        </Flex>
      ))}
    </div>
  );
}

const TONES = { agree: 'done', differ: 'broken', not_proved: 'open', unknown: 'open' } as const;
const ICONS = { done: IconCircleCheck, broken: IconCircleX, open: IconAlertTriangle } as const;

/** The verdict. When the figures do not agree, it says why and names the likely line. */
function AgreeBand() {
  const { statement } = useClosing();
  const { outcome, verdict, why, undone, reason, unexplained } = statement.document;
  const tone = TONES[outcome];
  const Icon = ICONS[tone];
  return (
    <Band tone={tone} icon={<Icon size={16} aria-hidden />} className={styles.inset} aria-live="polite" data-testid="agree-band">
      <Flex columnGap="lg" rowGap={2} align="center" wrap="wrap" data-testid="statement-row">
        <b>{verdict}</b>
        <span className="tabular">{unexplained.note}</span>
        <Box component="span" className="nowrap" ml="auto">
          {unexplained.label} <Sum row={unexplained} figure={{ kind: 'unexplained' }} testId="unexplained" />
        </Box>
      </Flex>
      {why !== null && <p className="small">{why}</p>}
      {undone !== null && <p className="small">{undone}</p>}
      {reason !== null && <p className="small">{reason}</p>}
      {unexplained.amount !== null && unexplained.amount !== 0 && <Causes />}
    </Band>
  );
}

/** The likely causes of an unexplained amount. */
function Causes() {
  const { statement } = useClosing();
  const { unexplained_causes: causes, looked_at: lookedAt, opening_difference: opening, decimal_places: places } = statement;
  return (
    <Box component="ul" className="small" m={0} pl={18} data-testid="unexplained-causes">
      <CauseLines causes={causes} />
      {causes.length === 0 && opening !== null && opening !== 0 && (
        <li>{say('close.statementView.theOpeningBalancesDiffer', { opening: plainAmount(opening, places) })}</li>
      )}
      {causes.length === 0 && (opening === null || opening === 0) && <li>{say('close.statementView.noLineOrImport')}</li>}
      {lookedAt !== null && <li>{withMinus(lookedAt)}</li>}
    </Box>
  );
}

interface FigureProps {
  readonly minor: number;
  /** Describes the figure for screen readers. */
  readonly label: string;
  readonly figure: FigureKey;
  readonly testId?: string;
}

const same = (left: FigureKey | null, right: FigureKey): boolean => JSON.stringify(left) === JSON.stringify(right);

/** A figure with details. A click or Enter opens them. */
function Figure({ minor, label, figure, testId }: FigureProps) {
  const { statement, look, looked } = useClosing();
  const text = plainAmount(minor, statement.decimal_places);
  return (
    <FigureButton
      title={say('close.figure.showTheLinesBehind')}
      label={`${label}: ${text}`}
      isOn={same(looked, figure)}
      onClick={() => look(figure)}
      testId={testId ?? 'figure'}
    >
      {text}
    </FigureButton>
  );
}

const PAGE = 100;

/** Reads the lines of one side in the period by date, 100 at a time, one stream after the other. */
function usePeriodLines(slot: Slot) {
  const { client } = useConnection();
  const { statement, reconciliation } = useClosing();
  const [lines, setLines] = useState<readonly RecordItem[]>([]);
  const [at, setAt] = useState<{ readonly stream: number; readonly cursor: string | null } | null>({ stream: 0, cursor: null });
  const [failure, setFailure] = useState<Failure | null>(null);
  const isA = (slot === 'bank') === (statement.bank_side !== 'b');
  const streams = isA ? reconciliation.side_a_streams : reconciliation.side_b_streams;
  const { from, to } = statement.period;
  const { currency } = statement;
  const more = useCallback(
    async (place: { readonly stream: number; readonly cursor: string | null }) => {
      const stream = streams[place.stream];
      if (stream === undefined) return null;
      const asked = { data_stream_key: stream.key, date_from: from, date_to: to, currency, sort: 'date', limit: PAGE } as const;
      return client.call('records.list', place.cursor === null ? asked : { ...asked, cursor: place.cursor });
    },
    [client, streams, from, to, currency],
  );
  const load = useCallback(async () => {
    if (at === null) return;
    const answer = await more(at);
    if (answer === null) {
      setAt(null);
      return;
    }
    if (!answer.ok) {
      setFailure(answer.error);
      return;
    }
    const { data, next_cursor: cursor } = answer.value;
    setLines((before) => [...before, ...data]);
    const next = cursor === null ? { stream: at.stream + 1, cursor: null } : { stream: at.stream, cursor };
    setAt(next.stream >= streams.length ? null : next);
  }, [at, more, streams]);
  return { lines, hasMore: at !== null, load, failure };
}

/** The lines that make up a balance. */
function PeriodLines({ slot }: { readonly slot: Slot }) {
  const { statement, reconciliation } = useClosing();
  const { lines, hasMore, load, failure } = usePeriodLines(slot);
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    void load();
  }, [load]);
  if (failure !== null) return <FailurePanel title={say('close.figureTables.theLinesCouldNotBeRead')} failure={failure} />;
  if (lines.length === 0 && hasMore) return <Skeleton height={120} mt="md" />;
  return (
    <>
      <FigureTable
        columns={[
          { head: say('close.figureTables.date') },
          { head: say('close.figureTables.line') },
          { head: say('close.figureTables.amount'), isFigure: true },
        ]}
        isWrapping
        isFitted
      >
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td className="tabular">{dateText(line.date)}</td>
              <td>
                <PlaceLink
                  place={placeOfRecord(reconciliation, line)}
                  title={say('close.figureTables.showTheLineInTheReconciliation')}
                  testId="record-link"
                >
                  {lineName(recordTexts(line, reconciliation))}
                </PlaceLink>
              </td>
              <td className="amount">{plainAmount(signedOf(line), statement.decimal_places)}</td>
            </tr>
          ))}
        </tbody>
      </FigureTable>
      {hasMore && (
        <Button variant="default" size="xs" mt="sm" onClick={() => void load()} data-testid="more-lines">
          {say('close.figureTables.showMore')}
        </Button>
      )}
    </>
  );
}

/** Rows of the statement. Rows that are sums are highlighted. */
function SumTable({ rows }: { readonly rows: readonly StatementRow[] }) {
  const { statement } = useClosing();
  return (
    <FigureTable columns={[{}, {}]} isWrapping isFitted>
      <tbody>
        {rows.map(({ label, amount, unknown, note, adds }) => (
          <tr key={label} data-total={adds !== null || undefined}>
            <th scope="row">
              {label} {note !== null && <small>{note}</small>}
            </th>
            <td className="amount">{amount === null ? unknown : plainAmount(amount, statement.decimal_places)}</td>
          </tr>
        ))}
      </tbody>
    </FigureTable>
  );
}

interface TotalledTableProps {
  /** Heads of the columns between the day and the figure, and that of the figure. */
  readonly heads: readonly [middle: string, next: string, figure: string];
  /** Says that not all are listed; null where they are. */
  readonly note: string | null;
  readonly counted: string;
  readonly total: number;
  readonly children: ReactNode;
}

/** A list of what a figure of the statement is made of, with its count and its sum below. */
function TotalledTable({ heads: [middle, next, figure], note, counted, total, children }: TotalledTableProps) {
  const { statement } = useClosing();
  return (
    <>
      {note !== null && <p className="mid">{note}</p>}
      <FigureTable
        columns={[{ head: say('close.figureTables.date') }, { head: middle }, { head: next }, { head: figure, isFigure: true }]}
        isWrapping
        isFitted
      >
        <tbody>{children}</tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {counted}
            </th>
            <td className="amount">{plainAmount(total, statement.decimal_places)}</td>
          </tr>
        </tfoot>
      </FigureTable>
    </>
  );
}

export function GroupTable({ name }: { readonly name: GroupName }) {
  const { statement } = useClosing();
  const items = statement.open_items.filter((item) => item.group === name);
  const { count, total } = statement[name];
  return (
    <TotalledTable
      heads={[say('close.figureTables.line'), say('close.figureTables.days'), say('close.figureTables.amount')]}
      note={
        items.length < count
          ? say('close.figureTables.someOpenItemsAreListedHere', { items: countText(items.length), count: countText(count) })
          : null
      }
      counted={countOf(count, 'count.lines')}
      total={total}
    >
      {items.map((item) => (
        <tr key={item.record_id}>
          <td className="tabular">{dateText(item.date)}</td>
          <td>
            <RecordLink recordId={item.record_id} text={lineName(item)} />
          </td>
          <td>{countText(item.age_days)}</td>
          <td className="amount">
            {plainAmount(
              item.group === 'bank_errors' || item.group === 'book_errors' ? -item.amount : item.amount,
              statement.decimal_places,
            )}
          </td>
        </tr>
      ))}
    </TotalledTable>
  );
}

export function DifferenceTable() {
  const { statement, reconciliation } = useClosing();
  const {
    match_differences: { count, total },
    differing_matches: differences,
  } = statement;
  return (
    <TotalledTable
      heads={[say('close.figureTables.match'), say('close.figureTables.why'), say('close.figureTables.bankLessBooks')]}
      note={
        differences.length < count
          ? say('close.figureTables.someDifferencesAreListedHere', { differences: countText(differences.length), count: countText(count) })
          : null
      }
      counted={countOf(count, 'count.matches')}
      total={total}
    >
      {differences.map((item) => (
        <tr key={item.match_id}>
          <td className="tabular">{dateText(item.date)}</td>
          <td>
            <PlaceLink
              place={{ screen: 'reconciliation', id: reconciliation.id, tab: 'matched' }}
              title={say('close.figureTables.showTheMatches')}
              testId="record-link"
            >
              {lineName(item)}
            </PlaceLink>
          </td>
          <td>{item.why}</td>
          <td className="amount">{plainAmount(item.amount, statement.decimal_places)}</td>
        </tr>
      ))}
    </TotalledTable>
  );
}

/** The parts of a balance, and its lines. */
export function BalanceTable({ slot }: { readonly slot: Slot }) {
  const { statement } = useClosing();
  const { movement, balance } = sideOf(statement, slot);
  return (
    <>
      <SumTable rows={[...movement, balance]} />
      <PeriodLines slot={slot} />
    </>
  );
}

/** The rows from the balance to the adjusted balance. */
export function AdjustedTable({ slot }: { readonly slot: Slot }) {
  const { statement } = useClosing();
  const { balance, groups, adjusted } = sideOf(statement, slot);
  const counts = groups.map((group) => ({ ...group, note: countOf(group.count, 'count.lines') }));
  return <SumTable rows={[{ ...balance, adds: null }, ...counts, adjusted]} />;
}

/** The calculation of the unexplained amount. */
export function UnexplainedTable() {
  const { statement } = useClosing();
  const { sides, unexplained } = statement.document;
  const [bank, books] = sides.map(({ adjusted }) => ({ ...adjusted, adds: null }));
  const opening = { ...unexplained, label: say('close.figureTables.ofThatDifferenceOfTheOpeningBalances'), note: null, adds: null };
  const missing = sides.flatMap(({ title, movement }) =>
    movement.filter(({ name }) => name?.startsWith('lines_missing') === true).map((row) => ({ ...row, label: `${title}: ${row.label}` })),
  );
  return (
    <>
      <SumTable
        rows={[bank, books, unexplained, { ...opening, amount: statement.opening_difference }, ...missing].filter(
          (row) => row !== undefined,
        )}
      />
      {unexplained.amount === 0 ? <p className="mid">{say('close.figureTables.eachLineUpToTheLastDay')}</p> : <Causes />}
    </>
  );
}

/** One open item with all its likely causes. */
export function ItemDetail({ recordId }: { readonly recordId: number }) {
  const { statement } = useClosing();
  const item = statement.open_items.find((open) => open.record_id === recordId);
  if (item === undefined) return <p className="mid">{say('close.figureTables.thisLineIsNoLongerOpen')}</p>;
  return (
    <>
      <FigureTable columns={[{}, {}]} isWrapping isFitted>
        <tbody>
          <tr>
            <th scope="row">{say('close.figureTables.date')}</th>
            <td className="amount">{dateText(item.date)}</td>
          </tr>
          <tr>
            <th scope="row">{say('close.figureTables.amount')}</th>
            <td className="amount">{plainAmount(item.amount, statement.decimal_places)}</td>
          </tr>
          <tr>
            <th scope="row">{say('close.figureTables.openFor')}</th>
            <td className="amount">{countOf(item.age_days, 'count.days')}</td>
          </tr>
          {(item.note?.comment ?? '') !== '' && (
            <tr>
              <th scope="row">{say('close.figureTables.comment')}</th>
              <td>{item.note?.comment}</td>
            </tr>
          )}
        </tbody>
      </FigureTable>
      <Box component="h3" className="mid small" mt="lg" mb={4}>
        {say('close.figureTables.likelyCauses')}
      </Box>
      <Box component="ul" className="small" m={0} pl={18}>
        <CauseLines causes={item.causes} />
      </Box>
      <p className="mid">
        <RecordLink recordId={recordId} text={say('close.figureTables.showTheLineInTheReconciliation')} />
      </p>
    </>
  );
}
