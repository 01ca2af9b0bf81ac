import { capitalized } from '../../../src-shared/values/english.ts';
import type { ConflictDetail, ConflictRecord, ConflictSide } from '../store/conflict-detail.ts';
import { fieldWords, nameOf, NOUNS, recordFields } from './conflict-words.ts';
import type { LowVolume, Fields, Item, RecordContent } from './resources.ts';

const GONE_SIDE: ConflictSide = { gone: true, fields: [], records: [], adjustment: null };

/** Returns the kind of a conflict in words: deleted on one side, or changed on both. */
function wordsOf(here: unknown, there: unknown, noun: string | null = null): string {
  const words = here === null ? 'deleted here, changed there' : there === null ? 'changed here, deleted there' : 'changed on both sides';
  return noun === null ? `${capitalized(words)}` : `${noun} ${words}`;
}

function fieldSide(fields: Fields | undefined): ConflictSide {
  if (fields === undefined) return GONE_SIDE;
  return {
    gone: false,
    fields: Object.entries(fields).map(([name, value]) => ({ name, words: fieldWords(value) })),
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
    words: ours === null ? 'Matched there' : theirs === null ? 'Matched here' : 'Matched to different lines',
    stream: shared?.stream ?? null,
    reconciliation_id: reconciliation.localId,
    account_id: null,
    balance: null,
    here: side(ours, adjustments.here),
    there: side(theirs, adjustments.there),
  };
}
