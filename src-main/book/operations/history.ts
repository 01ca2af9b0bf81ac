import type { HistoryEntry, HistoryKind, Input } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { capitalized } from '../../../src-shared/values/english.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { nameOf } from '../../close/operations/period-views.ts';
import { actorText } from '../../close/work/words.ts';
import type { ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { answer, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { entryWords, WORDED_ACTIONS } from '../../service/change-words.ts';
import { cursorText, pageStart } from '../../service/paging.ts';
import { listApiKeys } from '../store/api-keys.ts';
import {
  aroundRecord,
  type HistoryFilter,
  type HistoryRow,
  idsWithin,
  type NamedKind,
  namedLike,
  type NamedThing,
  namesOfThings,
  periodsOfHistory,
  readHistory,
  runOfMatch,
  streamsOfHistory,
  timeOfEntry,
  type Wanted,
} from '../store/history-reads.ts';
import { bookInstance, hashOfEntry, historyMark } from '../store/settings.ts';

type Asked = Input<'history.list'>;
type Detail = Readonly<Record<string, unknown>>;
type Thing = HistoryEntry['things'][number];
type ThingKind = Thing['kind'];

const LIST = 'history';
const DAY_MS = 86_400_000;
/** The things of one kind that an entry shows; the others are counted. */
const THINGS_OF_A_KIND = 3;
/** The names of each kind in which a word is looked for. */
const NAMES_WITH_A_WORD = 20;

/** The kind of change by what its action begins with. */
const KIND_OF: Readonly<Record<string, HistoryKind>> = {
  record: 'records',
  bulk_request: 'imports',
  import_batch: 'imports',
  import_recipe: 'imports',
  match: 'matches',
  matches: 'matches',
  separation: 'matches',
  open_item: 'open_items',
  open_items: 'open_items',
  exception: 'exceptions',
  rule: 'rules',
  rules: 'rules',
  run: 'runs',
  period: 'periods',
  reconciliation: 'reconciliations',
  story: 'reconciliations',
  stream: 'accounts',
  bank_account: 'accounts',
  bank_account_balances: 'accounts',
  property_definition: 'accounts',
  sync_remote: 'sync',
  sync: 'sync',
};

function kindOf(action: string): HistoryKind {
  return KIND_OF[action.split('.')[0] ?? ''] ?? 'book';
}

/** Patterns of the actors of the log, by who a person would say it was. */
const ACTORS: Readonly<Record<NonNullable<Asked['by']>, readonly string[]>> = {
  window: ['app'],
  command_line: ['cli'],
  program: ['session', 'key:*'],
  sync: ['sync'],
  tieout: ['tieout'],
};

/** The members of details that hold ids: one, and several. */
const MEMBERS: Readonly<Record<Exclude<ThingKind, 'stream'>, { readonly one: readonly string[]; readonly many: readonly string[] }>> = {
  record: { one: ['record_id', 'adjustment_record_id'], many: ['record_ids', 'members', 'adjustment_ids'] },
  match: { one: ['match_id'], many: ['match_ids'] },
  reconciliation: { one: ['reconciliation_id'], many: ['reconciliation_ids'] },
  period: { one: ['period_id'], many: [] },
  import: { one: ['batch_id', 'import_batch_id'], many: [] },
  run: { one: ['run_id'], many: [] },
  rule: { one: ['rule_id'], many: ['rule_ids', 'replaced_rule_ids'] },
  bank_account: { one: ['bank_account_id'], many: [] },
  exception: { one: ['exception_id'], many: [] },
  story: { one: ['story_id'], many: [] },
  import_recipe: { one: ['import_recipe_id'], many: [] },
};
const KINDS = Object.keys(MEMBERS) as Exclude<ThingKind, 'stream'>[];
const KIND_OF_MEMBER: ReadonlyMap<string, Exclude<ThingKind, 'stream'>> = new Map(
  KINDS.flatMap((kind) => [...MEMBERS[kind].one, ...MEMBERS[kind].many].map((member) => [member, kind] as const)),
);
const STREAM_MEMBERS: ReadonlySet<string> = new Set(['stream', 'data_stream_key']);

const isMembers = (value: unknown): value is Detail => typeof value === 'object' && value !== null && !Array.isArray(value);

interface Named {
  readonly ids: ReadonlyMap<Exclude<ThingKind, 'stream'>, Set<number>>;
  readonly streams: ReadonlySet<string>;
}

/** Returns what a detail names at any depth. */
function namedIn(action: string, detail: Detail): Named {
  const ids = new Map<Exclude<ThingKind, 'stream'>, Set<number>>();
  const streams = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      const kind = KIND_OF_MEMBER.get(name);
      if (kind !== undefined) {
        const found = ids.get(kind) ?? new Set<number>();
        for (const id of Array.isArray(member) ? member : [member]) if (typeof id === 'number') found.add(id);
        ids.set(kind, found);
      }
      if (typeof member === 'string' && (STREAM_MEMBERS.has(name) || (name === 'key' && action.startsWith('stream.')))) streams.add(member);
      look(member);
    }
  };
  look(detail);
  return { ids, streams };
}

type Sought = ReadonlyMap<Exclude<ThingKind, 'stream'>, ReadonlySet<number>>;

/** Returns the things whose entries an input asks for, by kind; an entry that names one of them is wanted. */
function soughtFor(read: ReadHandle, input: Asked): Sought[] {
  const all: Sought[] = [];
  if (input.record_id !== undefined) {
    const { matches, runs, batch } = aroundRecord(read, input.record_id);
    all.push(
      new Map([
        ['record', new Set([input.record_id])],
        ['match', new Set(matches)],
        ['run', new Set(runs)],
        ['import', new Set(batch === null ? [] : [batch])],
      ]),
    );
  }
  if (input.match_id !== undefined) {
    const run = runOfMatch(read, input.match_id);
    all.push(
      new Map([
        ['match', new Set([input.match_id])],
        ['run', new Set(run === null ? [] : [run])],
      ]),
    );
  }
  if (input.reconciliation_id !== undefined) {
    all.push(
      new Map([
        ['reconciliation', new Set([input.reconciliation_id])],
        ['rule', new Set(idsWithin(read, 'rules', input.reconciliation_id))],
        ['period', new Set(idsWithin(read, 'reconciliation_periods', input.reconciliation_id))],
      ]),
    );
  }
  if (input.period_id !== undefined) all.push(new Map([['period', new Set([input.period_id])]]));
  if (input.exception_id !== undefined) all.push(new Map([['exception', new Set([input.exception_id])]]));
  return all;
}

function wantedOf(sought: Sought): Wanted[] {
  return [...sought].filter(([, ids]) => ids.size > 0).map(([kind, ids]) => ({ ...MEMBERS[kind], ids }));
}

/** Returns for each word what an entry may have instead of the word itself: an action in whose words it is, or something of that name. */
function wordsOf(read: ReadHandle, environmentId: number, q: string | undefined): HistoryFilter['words'] {
  const words = (q ?? '').split(/\s+/u).filter((word) => word !== '');
  return words.map((word) => {
    const lower = word.toLowerCase();
    const named = namedLike(read, environmentId, word, NAMES_WITH_A_WORD);
    return {
      actions: WORDED_ACTIONS.filter((action) => entryWords(action).toLowerCase().includes(lower)),
      texts: [
        word,
        ...named.flatMap(({ member, id }) =>
          typeof id === 'string' ? [JSON.stringify(id)] : [`"${member}":${id},`, `"${member}":${id}}`],
        ),
      ],
    };
  });
}

function filterOf(read: ReadHandle, environmentId: number, input: Asked, sought: readonly Sought[]): HistoryFilter {
  const startOf = (date: string): number => present(dayFromIso(date), 'date') * DAY_MS;
  return {
    environmentId,
    fromMs: input.date_from === undefined ? null : startOf(input.date_from),
    untilMs: input.date_to === undefined ? null : startOf(input.date_to) + DAY_MS,
    actions: input.kind === undefined ? null : WORDED_ACTIONS.filter((action) => kindOf(action) === input.kind),
    actors: input.by === undefined ? null : ACTORS[input.by],
    words: wordsOf(read, environmentId, input.q),
    // Only the first of several filters narrows the statement; `isSought` tests all of them.
    wanted: sought[0] === undefined ? [] : wantedOf(sought[0]),
  };
}

function detailOf({ id, detail }: HistoryRow): Detail {
  return storedJson('audit_log.detail', detail, id);
}

function isSought(row: HistoryRow, sought: readonly Sought[]): boolean {
  if (sought.length === 0) return true;
  const { ids } = namedIn(row.action, detailOf(row));
  return sought.every((each) => [...each].some(([kind, wanted]) => [...(ids.get(kind) ?? [])].some((id) => wanted.has(id))));
}

/** Columns of records whose values are shown under the name and in the form that the contract gives them. */
function shownRecord(columns: Detail): Record<string, unknown> {
  const { day, value_day: valueDay, amount, direction, decimal_places: places, currency, ...rest } = columns;
  const isoOf = (value: unknown): string | null => (typeof value === 'number' ? isoFromDay(value) : null);
  const shown: Record<string, unknown> = { ...rest };
  if (day !== undefined) shown['date'] = isoOf(day);
  if (valueDay !== undefined) shown['value_date'] = isoOf(valueDay);
  if (typeof amount === 'number') {
    const signed = direction === 0 ? -amount : amount;
    shown['amount'] =
      `${decimalText(signed, typeof places === 'number' ? places : 2)}${typeof currency === 'string' ? ` ${currency}` : ''}`;
  }
  return shown;
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function changesBetween(before: Detail | null, after: Detail | null, fields: readonly string[]): HistoryEntry['changes'] {
  const changes = fields.map((field) => ({
    field,
    before: textOf(before?.[field]),
    after: textOf(after?.[field]),
    known:
      after === null ? ('neither' as const) : before === null || !Object.hasOwn(before, field) ? ('after' as const) : ('both' as const),
  }));
  return changes.filter(({ known, before: was, after: is }) => known !== 'both' || was !== is);
}

const NOTE_FIELDS = ['status', 'owner', 'comment', 'expected_on'] as const;

/** Returns what an entry changed, with the values before and after as far as the log has them. */
function changesOf(action: string, detail: Detail, recordId: number | undefined): HistoryEntry['changes'] {
  const before = isMembers(detail['before']) ? detail['before'] : null;
  if (action === 'open_items.noted') {
    const groups = (Array.isArray(detail['changes']) ? detail['changes'] : []).filter(isMembers);
    const has = (group: Detail): boolean => recordId === undefined || namedIn(action, group).ids.get('record')?.has(recordId) === true;
    return groups.filter(has).flatMap((group) => changesOf('open_item.noted', group, undefined));
  }
  if (action === 'open_item.noted') return changesBetween(before, detail, NOTE_FIELDS);
  if (action === 'record.updated') {
    const after = isMembers(detail['after']) ? shownRecord(detail['after']) : null;
    const fields = (Array.isArray(detail['fields']) ? detail['fields'] : []).filter((field) => typeof field === 'string');
    const named = new Set(fields.map((field) => RECORD_FIELDS[field] ?? field));
    return changesBetween(before === null ? null : shownRecord(before), after, [...named]);
  }
  if (action === 'import_recipe.renamed') return changesBetween({ name: detail['from'] }, { name: detail['to'] }, ['name']);
  // Entries of earlier versions hold the whole choice after the change.
  if (action === 'notation.updated' && !isMembers(detail['change'])) return changesBetween(null, detail, Object.keys(detail));
  const change = isMembers(detail['change']) ? detail['change'] : null;
  return change === null ? [] : changesBetween(before, change, Object.keys(change));
}

/** The name in the contract of a column of records that has another one. */
const RECORD_FIELDS: Readonly<Record<string, string>> = {
  day: 'date',
  value_day: 'value_date',
  direction: 'amount',
  decimal_places: 'amount',
  currency: 'amount',
};

function noteOf(detail: Detail): string | null {
  for (const member of ['reason', 'comment', 'paused_reason', 'title']) {
    const said = detail[member];
    if (typeof said === 'string' && said !== '') return said;
  }
  const reason = detail['difference_reason'];
  return isMembers(reason) && typeof reason['note'] === 'string' ? reason['note'] : null;
}

/** Names of the things that the entries of a page show. */
class Names {
  readonly #found = new Map<string, NamedThing>();

  constructor(read: ReadHandle, environmentId: number, named: readonly Named[]) {
    for (const kind of KINDS) {
      const ids = new Set(named.flatMap(({ ids: of }) => [...(of.get(kind) ?? [])].slice(0, THINGS_OF_A_KIND)));
      if (ids.size === 0) continue;
      for (const thing of this.#read(read, environmentId, kind, ids)) this.#found.set(`${kind} ${thing.id}`, thing);
    }
    const keys = new Set(named.flatMap(({ streams }) => [...streams].slice(0, THINGS_OF_A_KIND)));
    for (const stream of keys.size === 0 ? [] : streamsOfHistory(read, environmentId, keys)) {
      this.#found.set(`stream ${stream.key ?? ''}`, stream);
    }
  }

  #read(read: ReadHandle, environmentId: number, kind: Exclude<ThingKind, 'stream'>, ids: Iterable<number>): NamedThing[] {
    if (kind !== 'period') return namesOfThings(read, environmentId, kind satisfies NamedKind, ids);
    return periodsOfHistory(read, environmentId, ids).map((row) => ({ ...row, name: nameOf(row) }));
  }

  thingsOf({ ids, streams }: Named): Thing[] {
    const things: Thing[] = [];
    for (const kind of KINDS) {
      for (const id of [...(ids.get(kind) ?? [])].slice(0, THINGS_OF_A_KIND)) {
        const found = this.#found.get(`${kind} ${id}`);
        things.push({
          kind,
          id,
          key: null,
          name: found?.name ?? null,
          exists: found !== undefined,
          reconciliation_id: found?.reconciliation_id ?? null,
        });
      }
    }
    for (const key of [...streams].slice(0, THINGS_OF_A_KIND)) {
      const found = this.#found.get(`stream ${key}`);
      things.push({
        kind: 'stream',
        id: found?.id ?? null,
        key,
        name: found?.name ?? null,
        exists: found !== undefined,
        reconciliation_id: null,
      });
    }
    return things;
  }
}

/** Returns the entries as the contract shows them. */
function entriesOf(
  read: ReadHandle,
  environmentId: number,
  rows: readonly HistoryRow[],
  nameOfKey: ReadonlyMap<string, string>,
  recordId?: number,
): HistoryEntry[] {
  const parsed = rows.map((row) => {
    const detail = detailOf(row);
    return { row, detail, named: namedIn(row.action, detail) };
  });
  const names = new Names(
    read,
    environmentId,
    parsed.map(({ named }) => named),
  );
  return parsed.map(({ row, detail, named }) => {
    const signedBy = detail['signed_by'];
    return {
      id: row.id,
      at: timestampOf(row.at),
      by: typeof signedBy === 'string' ? signedBy : (nameOfKey.get(row.actor) ?? capitalized(actorText(row.actor))),
      actor: row.actor,
      action: row.action,
      kind: kindOf(row.action),
      words: entryWords(row.action),
      note: noteOf(detail),
      changes: changesOf(row.action, detail, recordId),
      things: names.thingsOf(named),
      record_count: named.ids.get('record')?.size ?? 0,
      match_count: named.ids.get('match')?.size ?? 0,
    };
  });
}

/** Returns the handler of the audit log as people read it. */
export function historyHandlers({ database }: ServiceContext): Pick<Handlers, 'history.list'> {
  return {
    'history.list': ({ environmentId }, input) => {
      const start = pageStart({ ...input, offset: 0 }, LIST);
      if (!start.ok) return start;
      const sought = soughtFor(database, input);
      const filter = filterOf(database, environmentId, input, sought);
      const place = { before: start.value.after?.id ?? null, limit: input.limit };
      const { rows, lookedBackTo } = readHistory(database, filter, place, (row) => isSought(row, sought));
      const keys = new Map(listApiKeys(database, environmentId).map(({ id, name }) => [`key:${id}`, name]));
      return answer({
        data: entriesOf(database, environmentId, rows, keys, input.record_id),
        has_more: lookedBackTo !== null,
        next_cursor: lookedBackTo === null ? null : cursorText(LIST, { value: 0, id: lookedBackTo }),
        searched_back_to: lookedBackTo === null ? null : timestampOrNull(timeOfEntry(database, lookedBackTo)),
      });
    },
  };
}

export function instanceHandlers({ database, version }: ServiceContext): Pick<Handlers, 'instance.get'> {
  return {
    'instance.get': ({ environment }, { entry }) => {
      const { bookId, instanceId, createdAtMs } = bookInstance(database);
      const { entries, head } = historyMark(database);
      return answer({
        instance_id: instanceId,
        environment,
        book_id: bookId,
        created_at: timestampOf(createdAtMs),
        version,
        history: { entries, head, asked: entry === undefined ? null : hashOfEntry(database, entry) },
      });
    },
  };
}
