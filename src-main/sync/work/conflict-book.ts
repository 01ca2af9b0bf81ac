import { capitalized } from '../../../src-shared/values/english.ts';
import { decimalPlacesOf, decimalText } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Database } from '../../database/database.ts';
import {
  type ConflictDetail,
  type ConflictRecord,
  type ConflictSide,
  conflictsOf,
  dropConflict,
  highestConflictId,
  putConflict,
  type SyncConflictRow,
} from '../store/conflicts.ts';
import type { Fields, Item, LowVolume, RecordContent } from './resources.ts';
import type { Conflict, ConflictKind } from './sync-result.ts';

/** `neither` is for matches: both are taken apart. `same` and `both` are for lines that may be the same under alternative descriptions. */
export type Choice = 'keep_local' | 'take_remote' | 'neither' | 'same' | 'both';
const CHOICES: readonly Choice[] = ['keep_local', 'take_remote'];

export interface Met {
  readonly kind: ConflictKind;
  readonly resource: string;
  readonly localId: number | null;
  readonly remoteKey: string | null;
  readonly what: string;
  readonly local: string;
  readonly remote: string;
  readonly choices?: readonly Choice[];
  readonly detail: ConflictDetail;
}

/** The conflicts of one remote: those stored in the book and those that this sync meets. */
export class ConflictBook {
  readonly #database: Database;
  readonly #remoteId: number | null;
  readonly #writes: boolean;
  readonly #known: readonly SyncConflictRow[];
  /** Ids of the conflicts that this sync has shown, by identity. */
  readonly #ids = new Map<string, number>();
  readonly #shown = new Map<number, Conflict>();
  /** Decided conflicts that wait for another decision. */
  readonly #waiting = new Set<number>();
  readonly #nowMs: () => number;
  #lastId: number;

  constructor(database: Database, remote: { readonly id: number | null; readonly writes: boolean }, nowMs: () => number) {
    this.#database = database;
    this.#remoteId = remote.id;
    this.#writes = remote.writes;
    this.#nowMs = nowMs;
    this.#known = remote.id === null ? [] : conflictsOf(database, remote.id);
    this.#lastId = highestConflictId(database);
  }

  /** Returns the choice for a conflict in its current form. Shows the conflict and returns null if there is none. */
  meet(met: Met): Choice | null {
    const choice = this.chosen(met);
    if (choice === null) this.show(met);
    return choice;
  }

  /** Does the same but never shows it, for what may turn out not to be a conflict. */
  chosen(met: Met): Choice | null {
    const known = this.#find(met);
    const choices = met.choices ?? CHOICES;
    const isAsChosen = known !== undefined && known.local === met.local && known.remote === met.remote;
    return isAsChosen ? (choices.find((each) => each === known.choice) ?? null) : null;
  }

  /** Returns the choice for an object that a closed period kept from changing. */
  closedChoice(resource: string, localId: number | null, remoteKey: string | null): Choice | null {
    const known = this.#known.find(
      (row) =>
        row.kind === 'closed_period' &&
        row.resource === resource &&
        ((localId !== null && row.local_id === localId) || (remoteKey !== null && row.remote_key === remoteKey)),
    );
    return CHOICES.find((each) => each === known?.choice) ?? null;
  }

  /** Keeps a choice that cannot be carried out until another decision about the same match is made. */
  keep(met: Met): void {
    const known = this.#find(met);
    if (known !== undefined) this.#waiting.add(known.id);
  }

  /** Shows a conflict that no earlier choice settles, and stores it unless the sync is a preview. */
  show(met: Met): void {
    const { kind, what, local, remote, choices = CHOICES } = met;
    const identity = JSON.stringify([kind, met.resource, met.localId, met.remoteKey]);
    const id = this.#ids.get(identity) ?? this.#find(met)?.id ?? (this.#lastId += 1);
    this.#ids.set(identity, id);
    this.#shown.set(id, { id, kind, what, local, remote, choices });
    const remoteId = this.#remoteId;
    if (!this.#writes || remoteId === null) return;
    this.#database.write((write) =>
      putConflict(write, {
        id,
        remote_id: remoteId,
        kind,
        resource: met.resource,
        local_id: met.localId,
        remote_key: met.remoteKey,
        what,
        local,
        remote,
        choices: JSON.stringify(choices),
        choice: null,
        decided_at: null,
        detail: JSON.stringify(met.detail),
        seen_at: this.#nowMs(),
      }),
    );
  }

  shown(): Conflict[] {
    return [...this.#shown.values()].toSorted((one, other) => one.id - other.id);
  }

  /** Deletes the conflicts that this sync did not meet: they are settled. Call it only at the end of a whole sync. */
  finish(): void {
    if (!this.#writes) return;
    const settled = this.#known.filter(({ id }) => !this.#shown.has(id) && !this.#waiting.has(id));
    if (settled.length === 0) return;
    this.#database.write((write) => {
      for (const { id } of settled) dropConflict(write, id);
    });
  }

  #find({ kind, resource, localId, remoteKey }: Met): SyncConflictRow | undefined {
    return this.#known.find(
      (row) => row.kind === kind && row.resource === resource && row.local_id === localId && row.remote_key === remoteKey,
    );
  }
}

export const GONE = 'deleted';

const NOUNS: Readonly<Record<LowVolume, string>> = {
  accounts: phrase('sync.conflictBook.bankAccount'),
  streams: 'Account',
  properties: 'Property',
  reconciliations: 'Reconciliation',
  rules: 'Rule',
  stories: 'Story',
  balances: 'Balance',
  imports: phrase('sync.conflictBook.importedFile'),
};

const NONE = 'none';
const nameWords = (name: string): string => name.replaceAll('_', ' ');

/** The fields that hold minor units of the currency beside them. */
const MONEY: ReadonlySet<string> = new Set(['amount', 'opening_balance', 'closing_balance']);

/**
 * Returns the value of a field as a person reads it: a list by commas, and the parts of an object by their names, without those that are empty.
 * `currency` is that of amounts within.
 */
function fieldWords(name: string, value: unknown, currency: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number')
    return MONEY.has(name) && typeof currency === 'string' ? decimalText(value, decimalPlacesOf(currency)) : String(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) return NONE;
  const parts = Array.isArray(value)
    ? value.map((each) => fieldWords(name, each, currency))
    : Object.entries(value).flatMap(([part, own]) =>
        own === null ? [] : [`${nameWords(part)} ${fieldWords(part, own, 'currency' in value ? value.currency : currency)}`],
      );
  return parts.length === 0 ? NONE : parts.join(', ');
}
const text = (value: unknown): string => fieldWords('', value, null);

export function nameOf(resource: LowVolume, { fields, extra, key }: Pick<Item, 'fields' | 'extra' | 'key'>): string {
  if (resource === 'rules') return text(fields['description'] ?? `rule ${key}`);
  if (resource === 'balances') return `${text(extra['date'])} ${text(extra['balance_type'])}`;
  if (resource === 'imports') return `${text(extra['filename'] ?? extra['format'])} (${text(extra['stream'])})`;
  return text(fields['name'] ?? extra['key'] ?? key);
}

export function whatOf(resource: LowVolume, item: Pick<Item, 'fields' | 'extra' | 'key'>): string {
  const named = `${NOUNS[resource]} ${nameOf(resource, item)}`;
  const { created_at: at, kept } = item.extra;
  if (resource !== 'imports' || typeof at !== 'string') return named;
  // A file may have been imported twice.
  const imported = { named, date: dayWords(at.slice(0, 10)), kept: typeof kept === 'number' ? kept : 0 };
  return phrase('sync.conflictBook.fileImportedOn', imported);
}

/** Returns the fields of `own` in which the two sides differ, or all if there is no other side. */
export function differingWords(own: Fields, other: Fields | null): string {
  const isSame = (name: string): boolean => JSON.stringify(own[name] ?? null) === JSON.stringify(other?.[name] ?? null);
  const names = Object.keys(own).filter((name) => other === null || !isSame(name));
  return (names.length === 0 ? Object.keys(own) : names)
    .map((name) => `${nameWords(name)}: ${fieldWords(name, own[name], own['currency'])}`)
    .join('; ');
}

export function kindOf(resource: LowVolume, isGone: boolean): ConflictKind {
  if (isGone) return 'record';
  return resource === 'rules' ? 'rule' : resource === 'balances' ? 'balance' : 'name';
}

export function recordWords({
  date,
  amount,
  currency,
  decimal_places: places,
  description,
  external_id: id,
  metadata,
}: RecordContent): string {
  const extra = Object.keys(metadata).length === 0 ? '' : ` ${JSON.stringify(metadata)}`;
  const named = [description, id].filter((each) => each !== null).join(', ');
  return `${date} ${decimalText(amount, places)} ${currency}${named === '' ? '' : ` ${named}`}${extra}`;
}

/** Returns 30/06/2026 for 2026-06-30. */
function dayWords(iso: string): string {
  return iso.split('-').toReversed().join('/');
}

function moneyWords({ amount, currency, decimal_places: places }: Pick<RecordContent, 'amount' | 'currency' | 'decimal_places'>): string {
  return `${decimalText(amount, places).replace('-', '\u2212')} ${currency}`;
}

/** Returns a record as a list shows it: date, description, amount. */
export function recordName(
  content: Pick<RecordContent, 'date' | 'amount' | 'currency' | 'decimal_places' | 'description' | 'external_id'>,
): string {
  const named = content.description ?? content.external_id;
  return [dayWords(content.date), ...(named === null ? [] : [named]), moneyWords(content)].join(' · ');
}

/** Returns the fields of a record as people read them. */
function recordFields(content: RecordContent): { readonly name: string; readonly words: string }[] {
  const { date, value_date: valueDate, description, external_id: id, metadata } = content;
  const known = {
    date: dayWords(date),
    value_date: valueDate === null ? null : dayWords(valueDate),
    amount: moneyWords(content),
    description,
  };
  const all = { ...known, reference: id, ...metadata };
  return Object.entries(all).map(([name, value]) => ({ name, words: text(value) }));
}

const GONE_SIDE: ConflictSide = { gone: true, fields: [], records: [], adjustment: null };

/** Returns the kind of a conflict in words: deleted on one side, or changed on both. */
function wordsOf(here: unknown, there: unknown, noun: string | null = null): string {
  const words =
    here === null
      ? phrase('sync.conflictBook.deletedHereChangedThere')
      : there === null
        ? phrase('sync.conflictBook.changedHereDeletedThere')
        : phrase('sync.conflictBook.changedOnBothSides');
  return noun === null ? `${capitalized(words)}` : `${noun} ${words}`;
}

function fieldSide(fields: Fields | undefined): ConflictSide {
  if (fields === undefined) return GONE_SIDE;
  return {
    gone: false,
    fields: Object.entries(fields).map(([name, value]) => ({ name, words: fieldWords(name, value, fields['currency']) })),
    records: [],
    adjustment: null,
  };
}

const idOf = (value: unknown): number | null => (/^\d+$/.test(String(value)) ? Number(value) : null);

/** Returns the detail of a conflict about a low-volume resource; references are local. */
export function lowVolumeDetail(resource: LowVolume, ours: Item | null, theirs: Item | null): ConflictDetail {
  const item = ours ?? theirs ?? { fields: {}, extra: {}, key: '' };
  const all: Fields = { ...item.extra, ...item.fields };
  const isBalance = resource === 'balances';
  return {
    title: nameOf(resource, item),
    words: wordsOf(ours, theirs, NOUNS[resource]),
    stream: resource === 'streams' ? item.key : typeof all['stream'] === 'string' ? all['stream'] : null,
    reconciliation_id: resource === 'reconciliations' ? (ours?.id ?? null) : idOf(all['reconciliation']),
    account_id: resource === 'accounts' ? (ours?.id ?? null) : isBalance ? idOf(all['account']) : null,
    balance: isBalance ? { date: String(all['date']), type: String(all['balance_type']) } : null,
    here: fieldSide(ours?.fields),
    there: fieldSide(theirs?.fields),
  };
}

export function recordOf(stream: string, localId: number | null, content: RecordContent): ConflictRecord {
  const { date, description, external_id: id, metadata, amount, currency, decimal_places: places } = content;
  const reference = id ?? (typeof metadata['reference'] === 'string' ? metadata['reference'] : null);
  return { local_id: localId, stream, date, description, external_id: reference, amount, currency, decimal_places: places };
}

interface RecordSides {
  readonly stream: string;
  readonly localId: number | null;
  readonly ours: RecordContent | null;
  readonly theirs: RecordContent | null;
}

function recordSide({ stream, localId }: RecordSides, content: RecordContent | null): ConflictSide {
  if (content === null) return GONE_SIDE;
  return { gone: false, fields: recordFields(content), records: [recordOf(stream, localId, content)], adjustment: null };
}

export function recordDetail(sides: RecordSides): ConflictDetail {
  const { stream, ours, theirs } = sides;
  const either = ours ?? theirs;
  return {
    title: either?.description ?? either?.external_id ?? stream,
    words: wordsOf(ours, theirs),
    stream,
    reconciliation_id: null,
    account_id: null,
    balance: null,
    here: recordSide(sides, ours),
    there: recordSide(sides, theirs),
  };
}

interface MatchSides {
  readonly reconciliation: { readonly localId: number; readonly name: string };
  /** Null if it is not matched. */
  readonly ours: readonly ConflictRecord[] | null;
  readonly theirs: readonly ConflictRecord[] | null;
  readonly adjustments: { readonly here: string | null; readonly there: string | null };
}

export function matchDetail({ reconciliation, ours, theirs, adjustments }: MatchSides): ConflictDetail {
  const shared = ours?.find(({ local_id: id }) => theirs?.some((other) => other.local_id === id)) ?? ours?.[0] ?? theirs?.[0];
  const side = (records: readonly ConflictRecord[] | null, adjustment: string | null): ConflictSide =>
    records === null ? GONE_SIDE : { gone: false, fields: [], records, adjustment };
  return {
    title: shared?.description ?? shared?.external_id ?? reconciliation.name,
    words:
      ours === null
        ? phrase('sync.conflictBook.matchedThere')
        : theirs === null
          ? phrase('sync.conflictBook.matchedHere')
          : phrase('sync.conflictBook.matchedToDifferentLines'),
    stream: shared?.stream ?? null,
    reconciliation_id: reconciliation.localId,
    account_id: null,
    balance: null,
    here: side(ours, adjustments.here),
    there: side(theirs, adjustments.there),
  };
}
