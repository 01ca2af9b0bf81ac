import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { presetRules } from '../../../src-shared/contract/rules/rule-presets.ts';
import type { Preset } from '../../../src-shared/contract/rules/rules.ts';
import type { WriteHandle } from '../../database/database.ts';
import { signEvidence, signEvidenceByAmount } from '../../domain/matching/index.ts';
import { freeRecords } from '../../records/work/engine-input.ts';
import { newRuleRow } from '../../rules/operations/rule-input.ts';
import { insertRule } from '../../rules/store/rules.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { StreamRow } from '../../streams/store/streams.ts';

/** The number of records of a side that are read to determine the sign: enough, and fast. */
const EVIDENCE_RECORDS = 20_000;

interface SettledSign {
  readonly convention: Exclude<SignConvention, 'any'>;
  readonly same: number;
  readonly opposite: number;
  /** Whether nothing in the data indicated either, so that the usual one was assumed. */
  readonly assumed: boolean;
}

/**
 * Determines whether books and bank have the same signs: from pairs with equal references, else from amounts that occur once on either side within
 * three days, else from the ledger's header.
 */
export function settleSign(
  context: ServiceContext,
  sides: { readonly a: readonly StreamRow[]; readonly b: readonly StreamRow[] },
): SettledSign {
  const read = (streams: readonly StreamRow[]) =>
    freeRecords(
      context.database,
      0,
      streams.map((stream) => stream.id),
      EVIDENCE_RECORDS,
    );
  const sideA = read(sides.a);
  const sideB = read(sides.b);
  for (const evidence of [signEvidence(sideA, sideB), signEvidenceByAmount(sideA, sideB)]) {
    if (evidence.same !== evidence.opposite) {
      return { ...evidence, convention: evidence.same > evidence.opposite ? 'same' : 'opposite', assumed: false };
    }
  }
  const literal = (streams: readonly StreamRow[]) => streams.some((stream) => stream.literal_debit_credit === 1);
  return { same: 0, opposite: 0, convention: literal(sides.a) === literal(sides.b) ? 'same' : 'opposite', assumed: true };
}

/** Inserts the rules of a preset. Reconciliations created by the app or the command line start with them, unless another preset is named. */
export function insertPreset(write: WriteHandle, reconciliationId: number, atMs: number, preset?: Preset): void {
  for (const [position, body] of presetRules(preset).entries()) {
    insertRule(write, newRuleRow(body, { reconciliationId, priority: (position + 1) * 10, source: 'default', createdAtMs: atMs }));
  }
}
