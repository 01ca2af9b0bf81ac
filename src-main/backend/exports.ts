import {
  contract,
  type Failure,
  type HistoryEntry,
  type Input,
  type MatchGroup,
  type ReconciliationException,
  type RecordItem,
  type SidedRecord,
  type Stream,
} from '../../src-shared/contract/index.ts';
import type { ListName } from '../../src-shared/contract/records/list-exports.ts';
import { MOST_EXPORTED, MOST_PRINTED } from '../../src-shared/contract/records/list-exports.ts';
import { decimalText } from '../../src-shared/values/money.ts';
import { likelihoodText } from '../../src-shared/values/notation.ts';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import type { Outcome } from '../../src-shared/contract/wire.ts';
import { phrase } from '../../src-shared/words/say.ts';
import { type ListColumn, listCsv, type ListTable, listWorkbook } from '../domain/report/index.ts';
import { answer, refuse } from '../service/answers.ts';
import type { Caller, Handlers } from '../service/handler.ts';
import { validateInput } from '../transport/validation/validation.ts';

type Lists = Pick<Handlers, ListName | 'streams.list'>;
type Cells = ListTable['rows'][number];

/** Rows of a page of each list, the most that the service answers at once. */
const PAGES: Readonly<Record<ListName, number>> = {
  'lines.window': 500,
  'matches.window': 500,
  'records.list': 100,
  'history.list': 100,
  'exceptions.list': 100,
};

interface Page {
  readonly data: readonly unknown[];
  readonly total_count?: number;
  readonly next_cursor?: string | null;
}

/** Reads a list to its end, with turns for others between its pages. Fails where the list does, or if it is longer than a file may be. */
async function allOf(
  lists: Lists,
  caller: Caller,
  list: ListName,
  asked: Readonly<Record<string, unknown>>,
): Promise<Result<unknown[], Failure>> {
  const all: unknown[] = [];
  const ask = lists[list] as unknown as (caller: Caller, input: unknown) => Outcome<Page> | Promise<Outcome<Page>>;
  for (let cursor: string | null = null; ;) {
    const paged = cursor !== null ? { cursor } : list === 'lines.window' || list === 'matches.window' ? { offset: all.length } : {};
    const input = validateInput(contract[list], { ...asked, ...paged, limit: PAGES[list] });
    if (!input.ok) return input;
    const page = await ask(caller, input.value);
    if (!page.ok) return failed(page.error);
    const { data, total_count: total, next_cursor: next = null } = page.value;
    all.push(...data);
    if (all.length > MOST_EXPORTED || (total ?? 0) > MOST_EXPORTED) {
      const message = phrase('records.export.tooLong', { most: MOST_EXPORTED });
      return failed({ code: 'validation_failed', message, errors: [{ path: 'asked', code: 'too_long', message }] });
    }
    if (total === undefined ? next === null : data.length === 0 || all.length >= total) return success(all);
    cursor = next;
    await new Promise<void>((resolve) => void setImmediate(resolve));
  }
}

const text = (title: string): ListColumn => ({ title, kind: 'text' });
const day = (title: string): ListColumn => ({ title, kind: 'day' });
const amount = (title: string): ListColumn => ({ title, kind: 'amount' });

/** Columns of lines by the names that the lists of the window have for them. The currency stands before the amount in every file. */
const LINE_NAMES = ['date', 'value_date', 'stream', 'description', 'reference', 'currency', 'amount'];
const LINE_COLUMNS: readonly ListColumn[] = [
  day(phrase('records.date')),
  day(phrase('records.valueDate')),
  text(phrase('records.account')),
  text(phrase('records.description')),
  text(phrase('records.reference')),
  text(phrase('records.currency')),
  amount(phrase('records.amount')),
];

type Exported = Pick<
  RecordItem,
  | 'date'
  | 'value_date'
  | 'data_stream_key'
  | 'description'
  | 'external_id'
  | 'metadata'
  | 'currency'
  | 'amount'
  | 'direction'
  | 'decimal_places'
>;

/** Writes the cells of lines: names of accounts, and references as the account says where they are. */
class LineCells {
  readonly #streams: ReadonlyMap<string, Stream>;

  constructor(streams: readonly Stream[]) {
    this.#streams = new Map(streams.map((stream) => [stream.key, stream]));
  }

  of(line: Exported): Cells {
    const stream = this.#streams.get(line.data_stream_key);
    const field = stream?.reference_field ?? '';
    const named = field.startsWith('metadata.') ? line.metadata[field.slice('metadata.'.length)] : null;
    const reference = typeof named === 'string' || typeof named === 'number' ? String(named) : line.external_id;
    const signed = line.direction === 'debit' ? -line.amount : line.amount;
    const minor = decimalText(signed, line.decimal_places);
    return [line.date, line.value_date, stream?.name ?? line.data_stream_key, line.description, reference, line.currency, minor];
  }
}

/** Other names of the same columns in some lists. */
const SAME: Readonly<Record<string, string>> = { external_id: 'reference', text: 'description' };

/** Returns the places of `names` in the order that is asked for: what is not asked for is left out, but not a currency beside an amount. */
function placesOf(names: readonly string[], asked: readonly string[] | undefined): number[] {
  if (asked === undefined) return names.map((_, place) => place);
  const wanted = asked
    .map((name) => name.replace(/-[ab]$/u, ''))
    .flatMap((name) => {
      const own = SAME[name] ?? name;
      return own === 'amount' ? ['currency', 'amount'] : [own];
    });
  return [...new Set(wanted)].map((name) => names.indexOf(name)).filter((place) => place >= 0);
}

/** Returns a table with the columns that are asked for, and behind them `more`, of which none has the title of another one. */
function arranged(table: ListTable, names: readonly string[], asked: readonly string[] | undefined): ListTable {
  const places = [...placesOf(names, asked), ...table.columns.keys().drop(names.length)];
  const titles = new Set<string>();
  const columns = places.map((place) => {
    const { title, kind } = table.columns[place] ?? text('');
    let own = title;
    for (let count = 2; titles.has(own.toLowerCase()); count += 1) own = phrase('records.export.again', { title, count });
    titles.add(own.toLowerCase());
    return { title: own, kind };
  });
  return { ...table, columns, rows: table.rows.map((row) => places.map((place) => row[place] ?? null)) };
}

/** The most fields of files that get a column of their own. */
const MOST_FIELDS = 60;

/** Returns the fields of the files of lines, in the order in which they come up, and their cells. */
function fieldsOf(lines: readonly Exported[]) {
  const names = [...new Set(lines.flatMap(({ metadata }) => Object.keys(metadata)))].slice(0, MOST_FIELDS);
  const cells = ({ metadata }: Exported): Cells =>
    names.map((name) => {
      const value = metadata[name] ?? null;
      return value === null || typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
    });
  return { columns: names.map(text), cells };
}

type Arranged = Pick<Input<'lists.export'>, 'columns' | 'format'>;

function recordTable(records: readonly RecordItem[], lines: LineCells, { columns: asked, format }: Arranged): ListTable {
  // Paper has no room for all fields of the files.
  const fields = fieldsOf(format === 'json' ? [] : records);
  const state = ({ status, overdue }: RecordItem): string =>
    status === 'reconciled'
      ? phrase('records.record.matched')
      : phrase(overdue.length > 0 ? 'records.record.overdue' : 'records.record.open');
  const table = {
    name: phrase('records.lines'),
    columns: [
      ...LINE_COLUMNS,
      text(phrase('records.state')),
      { title: phrase('records.daysOpen'), kind: 'count' as const },
      ...fields.columns,
    ],
    rows: records.map((record) => [...lines.of(record), state(record), record.days_unreconciled, ...fields.cells(record)]),
  };
  return arranged(table, [...LINE_NAMES, 'state', 'days'], asked);
}

/** Returns the records of a match that its list shows only in part. */
async function membersOf(lists: Lists, caller: Caller, { match, records }: MatchGroup): Promise<Result<readonly SidedRecord[], Failure>> {
  if (match.record_count <= records.length) return success(records);
  const all: SidedRecord[] = [];
  for (const side of ['a', 'b'] as const) {
    const asked = { reconciliation_match_id: match.id, reconciliation_id: match.reconciliation_id, side, sort: 'date' };
    const found = await allOf(lists, caller, 'records.list', asked);
    if (!found.ok) return found;
    all.push(...(found.value as RecordItem[]).map((record) => ({ ...record, side })));
  }
  return success(all);
}

/** One row for each line of a match. Values of the whole match are in all of its rows, so that they can be sorted. */
async function matchTable(
  lists: Lists,
  caller: Caller,
  groups: readonly MatchGroup[],
  lines: LineCells,
  asked: readonly string[] | undefined,
): Promise<Result<ListTable, Failure>> {
  const rows: Cells[] = [];
  for (const group of groups) {
    const { match } = group;
    const members = await membersOf(lists, caller, group);
    if (!members.ok) return members;
    const places = Math.max(0, ...members.value.map((record) => record.decimal_places));
    const likelihood = match.likelihood === null ? null : likelihoodText(match.likelihood);
    const certainty = match.certainty === null ? null : phrase(`common.certaintyLabels.${match.certainty}`);
    const status = phrase(match.status === 'matched' ? 'records.record.matched' : 'matches.export.proposed');
    for (const record of members.value) {
      rows.push([
        match.id,
        status,
        record.side.toUpperCase(),
        ...lines.of(record),
        decimalText(match.difference, places),
        likelihood,
        certainty,
      ]);
    }
    if (rows.length > MOST_EXPORTED) {
      const message = phrase('records.export.tooLong', { most: MOST_EXPORTED });
      return failed({ code: 'validation_failed', message, errors: [{ path: 'asked', code: 'too_long', message }] });
    }
  }
  const columns: ListColumn[] = [
    { title: phrase('matches.export.match'), kind: 'count' },
    text(phrase('records.state')),
    text(phrase('matches.export.side')),
    ...LINE_COLUMNS,
    amount(phrase('matches.export.difference')),
    text(phrase('matches.rivals.likelihood')),
    text(phrase('matches.certaintyColumn.headerName')),
  ];
  const names = ['match', 'status', 'side', ...LINE_NAMES, 'difference', 'likelihood', 'certainty'];
  const wanted = asked === undefined ? undefined : ['match', 'status', 'side', ...asked];
  return success(arranged({ name: phrase('matches.export.matches'), columns, rows }, names, wanted));
}

function historyTable(entries: readonly HistoryEntry[]): ListTable {
  const columns = [
    text(phrase('book.export.when')),
    text(phrase('book.export.who')),
    text(phrase('book.export.what')),
    text(phrase('book.export.about')),
    text(phrase('book.export.changes')),
    text(phrase('book.export.note')),
  ];
  const nameOf = ({ name, key, kind, id }: HistoryEntry['things'][number]): string =>
    name ?? key ?? `${kind.replaceAll('_', ' ')} ${id ?? ''}`;
  const rows = entries.map((entry) => [
    entry.at,
    entry.by,
    entry.words,
    entry.things.map(nameOf).join(', '),
    entry.changes.map(({ field, before, after }) => `${field.replaceAll('_', ' ')}: ${before ?? ''} → ${after ?? ''}`).join('; '),
    entry.note,
  ]);
  return { name: phrase('book.history.title'), columns, rows };
}

/** One row for each currency of an exception's lines, and one without sums where it has no lines any more. */
function exceptionTable(exceptions: readonly ReconciliationException[]): ListTable {
  const columns = [
    text(phrase('records.exceptionsScreen.exception')),
    text(phrase('records.exceptionsScreen.reconciliation')),
    text(phrase('records.account')),
    text(phrase('records.exceptionsScreen.status')),
    text(phrase('records.owner')),
    text(phrase('records.comment')),
    day(phrase('records.exceptionsScreen.opened')),
    day(phrase('records.exceptionsScreen.closed')),
    { title: phrase('records.exceptionsScreen.lines'), kind: 'count' as const },
    day(phrase('records.exceptionsScreen.oldest')),
    text(phrase('records.currency')),
    amount(phrase('records.totals.moneyIn')),
    amount(phrase('records.totals.moneyOut')),
    amount(phrase('records.totals.net')),
  ];
  const dayOf = (at: string | null): string | null => at?.slice(0, 10) ?? null;
  const rows = exceptions.flatMap((item): Cells[] => {
    const said = [item.title, item.reconciliation_name, item.data_stream_name, phrase(`records.exceptionsScreen.${item.status}`)];
    const { record_count: count, oldest_at: oldest, totals } = item.aggregates;
    const work = [item.assignees.join(', '), item.comments.join('; '), dayOf(item.opened_at), dayOf(item.closed_at), count, dayOf(oldest)];
    const sums = totals.map(({ currency, decimal_places: places, credits, debits }) => [
      currency,
      decimalText(credits, places),
      decimalText(-debits, places),
      decimalText(credits - debits, places),
    ]);
    return (sums.length === 0 ? [[null, null, null, null]] : sums).map((sum) => [...said, ...work, ...sum]);
  });
  return { name: phrase('records.exceptionsScreen.title'), columns, rows };
}

async function tableOf(
  lists: Lists,
  caller: Caller,
  list: ListName,
  listed: readonly unknown[],
  arrangement: Arranged,
): Promise<Result<ListTable, Failure>> {
  if (list === 'history.list') return success(historyTable(listed as HistoryEntry[]));
  if (list === 'exceptions.list') return success(exceptionTable(listed as ReconciliationException[]));
  const streams = await lists['streams.list'](caller, {});
  if (!streams.ok) return failed(streams.error);
  const lines = new LineCells(streams.value);
  if (list === 'matches.window') return matchTable(lists, caller, listed as MatchGroup[], lines, arrangement.columns);
  return success(recordTable(listed as RecordItem[], lines, arrangement));
}

const NAMES: Readonly<Record<ListName, string>> = {
  'lines.window': 'open-lines',
  'matches.window': 'matches',
  'records.list': 'lines',
  'history.list': 'history',
  'exceptions.list': 'exceptions',
};
/** What signs mean in the name of a file. */
const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/>=/g, ' from '],
  [/<=/g, ' up to '],
  [/>/g, ' over '],
  [/</g, ' under '],
  [/(?<=\d)\.\.(?=[-+\d])/g, ' to '],
  [/\+/g, ' plus '],
  [/(^|\s)-(?=\d)/g, ' minus '],
];
/** Members of a query that filter nothing, or whose value says nothing to a person. */
const UNNAMED = new Set(['sort', 'reconciliation_id', 'limit', 'offset', 'cursor', 'environment']);
const LONGEST_NAME = 100;

/** Returns the name of a file, which says what is filtered: `open-lines-a-over-1000`. */
function fileName({ list, asked, about }: Input<'lists.export'>): string {
  const said =
    about !== undefined
      ? [about]
      : Object.entries(asked).flatMap(([field, value]) => {
          if (UNNAMED.has(field) || value === undefined || value === null) return [];
          if (value === true) return [field];
          const bound = /_(?<end>from|to|min|max)$/u.exec(field)?.groups?.['end'];
          return [`${bound === undefined ? '' : ({ from: 'from', min: 'from', to: 'up to', max: 'up to' }[bound] ?? '')} ${String(value)}`];
        });
  const words = SIGNS.reduce((text, [sign, word]) => text.replaceAll(sign, word), said.join(' '));
  const parts = words
    .toLowerCase()
    .split(/[^\p{L}\p{N}.]/u)
    .map((part) => part.split('.').filter(Boolean).join('.'));
  const slug = parts.filter(Boolean).join('-').slice(0, LONGEST_NAME);
  return [NAMES[list], slug].filter((part) => part !== '').join('-');
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const refused = ({ message, errors }: Failure) => refuse('validation_failed', message, errors);

/** Writes all rows that a list finds into a file, through the operation that lists them, so that the file has what the list has. */
export function exportHandlers(lists: Lists): Pick<Handlers, 'lists.export'> {
  return {
    'lists.export': async (caller, input) => {
      const listed = await allOf(lists, caller, input.list, input.asked);
      if (!listed.ok) return refused(listed.error);
      const only = input.only === undefined ? null : new Set(input.only);
      const chosen = listed.value.filter((item) => only === null || only.has((item as { readonly id: number }).id));
      const table = await tableOf(lists, caller, input.list, chosen, input);
      if (!table.ok) return refused(table.error);
      const said = {
        file_name: `${fileName(input)}.${input.format}`,
        row_count: table.value.rows.length,
        listed_count: chosen.length,
      };
      if (input.format === 'csv')
        return answer({ ...said, content_type: 'text/csv', encoding: 'utf8' as const, content: listCsv(table.value) });
      if (input.format === 'json') {
        const { columns, rows } = table.value;
        const content = JSON.stringify({ columns, rows: rows.slice(0, MOST_PRINTED) });
        return answer({ ...said, content_type: 'application/json', encoding: 'utf8' as const, content });
      }
      const bytes = listWorkbook(table.value);
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
      return answer({ ...said, content_type: XLSX, encoding: 'base64' as const, content });
    },
  };
}
