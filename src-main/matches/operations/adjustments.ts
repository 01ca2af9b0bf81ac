import type { DifferenceCode, SignConvention } from '../../../src-shared/contract/index.ts';
import { ADJUSTMENT, ADJUSTMENTS_KEY } from '../../../src-shared/contract/streams/streams.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { grouped } from '../../../src-shared/values/notation.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import type { RecordWithStream } from '../../database/rows.ts';
import type { Caller } from '../../service/handler.ts';
import { balancingRecord } from '../../../src-shared/values/balancing.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { insertStream, streamByKey } from '../../streams/store/streams.ts';
import { adjustmentById, type AdjustmentRow, insertAdjustment } from '../store/adjustments.ts';

export type Sided = RecordWithStream & { readonly side: 'a' | 'b' };
export type SidedAdjustment = AdjustmentRow & Pick<Sided, 'side'>;

interface Unbalanced {
  readonly records: readonly Sided[];
  readonly convention: SignConvention;
  /** The description of the adjustment. */
  readonly words: string | null;
  /** Stored in the metadata of the adjustment, as in the match. */
  readonly code: DifferenceCode | null;
  readonly atMs: number;
}

/** Adds the record that makes a match of these records balance; returns null if they balance already. */
export function addAdjustment(write: WriteHandle, caller: Caller, match: Unbalanced): SidedAdjustment | null {
  const { records, convention, words, code, atMs } = match;
  const balancing = balancingRecord(records, convention);
  if (balancing === null) return null;
  const { side, ...money } = balancing;
  const id = insertAdjustment(write, {
    ...money,
    environment_id: caller.environmentId,
    stream_id: adjustmentsStreamId(write, caller, atMs),
    day: Math.max(...records.map((record) => record.day)),
    currency: present(records[0], 'record').currency,
    description: words,
    metadata: code === null ? '{}' : JSON.stringify({ difference_code: code }),
    created_at: atMs,
  });
  return { ...present(adjustmentById(write, id), 'adjustment'), side };
}

/** Returns what an audit entry says of an adjustment. */
export function auditedAdjustment({ id, side, amount, direction, currency, decimal_places, description }: SidedAdjustment) {
  return { record_id: id, side, amount, direction: direction === 1 ? 'credit' : 'debit', currency, decimal_places, reason: description };
}

export function adjustmentSentence({ side, amount, currency, decimal_places: scale }: SidedAdjustment): string {
  return phrase('matches.adjustments.anAdjustmentOfOnSide', {
    decimal: grouped(decimalText(amount, scale)),
    currency,
    side: side.toUpperCase(),
  });
}

/** Returns the id of the environment's stream of adjustments, created on first use. */
function adjustmentsStreamId(write: WriteHandle, caller: Caller, atMs: number): number {
  const found = streamByKey(write, caller.environmentId, ADJUSTMENTS_KEY);
  if (found !== undefined) return found.id;
  const stream = { key: ADJUSTMENTS_KEY, name: 'Adjustments', type: ADJUSTMENT };
  const id = insertStream(write, {
    ...stream,
    environmentId: caller.environmentId,
    description: phrase('matches.adjustments.recordsThatMakeManualMatches'),
    currency: null,
    referenceField: null,
    literalDebitCredit: false,
    createdAtMs: atMs,
  });
  appendAudit(write, { environmentId: caller.environmentId, atMs, actor: caller.actor, action: 'stream.created', detail: stream });
  return id;
}
