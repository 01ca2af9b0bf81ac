import { Box, Button, Skeleton } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure, RecordItem, StatementRow } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { dateText } from '../../format/dates.ts';
import { lineName, recordTexts } from '../../format/close-words.ts';
import { countOf, countText } from '../../format/counts.ts';
import { plainAmount, signedOf } from '../../format/money.ts';
import { type GroupName, sideOf, type Slot, useClosing } from './close-context.ts';
import { CauseLines, placeOfRecord, RecordLink } from './record-link.tsx';
import { Causes } from './statement-view.tsx';
import { say } from '../../../src-shared/words/say.ts';

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

export function GroupTable({ name }: { readonly name: GroupName }) {
  const { statement } = useClosing();
  const items = statement.open_items.filter((item) => item.group === name);
  const { count, total } = statement[name];
  return (
    <>
      {items.length < count && (
        <p className="mid">
          {say('close.figureTables.someOpenItemsAreListedHere', { items: countText(items.length), count: countText(count) })}
        </p>
      )}
      <FigureTable
        columns={[
          { head: say('close.figureTables.date') },
          { head: say('close.figureTables.line') },
          { head: say('close.figureTables.days') },
          { head: say('close.figureTables.amount'), isFigure: true },
        ]}
        isWrapping
        isFitted
      >
        <tbody>
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
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {countOf(count, 'count.lines')}
            </th>
            <td className="amount">{plainAmount(total, statement.decimal_places)}</td>
          </tr>
        </tfoot>
      </FigureTable>
    </>
  );
}

export function DifferenceTable() {
  const { statement, reconciliation } = useClosing();
  const {
    match_differences: { count, total },
    differing_matches: differences,
  } = statement;
  return (
    <>
      {differences.length < count && (
        <p className="mid">
          {say('close.figureTables.someDifferencesAreListedHere', { differences: countText(differences.length), count: countText(count) })}
        </p>
      )}
      <FigureTable
        columns={[
          { head: say('close.figureTables.date') },
          { head: say('close.figureTables.match') },
          { head: say('close.figureTables.why') },
          { head: say('close.figureTables.bankLessBooks'), isFigure: true },
        ]}
        isWrapping
        isFitted
      >
        <tbody>
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
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {countOf(count, 'count.matches')}
            </th>
            <td className="amount">{plainAmount(total, statement.decimal_places)}</td>
          </tr>
        </tfoot>
      </FigureTable>
    </>
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
