import type { Run } from '../../../src-shared/contract/index.ts';
import type { ReadHandle } from '../../database/database.ts';
import { compileRule } from '../../domain/matching/index.ts';
import type { RecordColumns } from '../../domain/records/record-columns.ts';
import { currenciesOfEnvironment, hasRecordsIn } from '../../imports/store/stream-currencies.ts';
import type { RunFacts } from '../../rules/work/explained-matches.ts';

interface Sides<Side> {
  readonly a: Side;
  readonly b: Side;
}

/**
 * The currencies of both sides, if they share none and no rule names the currency, so that nothing can be tied. Else null. Mostly what
 * the run has read is enough; the book is asked otherwise, because a run may leave out records.
 */
export function noSharedCurrency(
  read: ReadHandle,
  environmentId: number,
  streams: Sides<readonly number[]>,
  sides: Sides<RecordColumns>,
  { rules, types }: Pick<RunFacts, 'rules' | 'types'>,
): Run['no_shared_currency'] {
  const [readA, readB] = [currenciesIn(sides.a), currenciesIn(sides.b)];
  if ([...readA].some((currency) => readB.has(currency))) return null;
  // Evidence ties nothing of two currencies, whatever its filters say.
  const mayDiffer = rules.some(({ filters, evidence }) => {
    if (evidence !== undefined) return false;
    const compiled = compileRule(filters, types);
    return compiled.ok && compiled.value.namesCurrency;
  });
  if (mayDiffer) return null;
  const all = [...currenciesOfEnvironment(read, environmentId)];
  const ofSide = (streamIds: readonly number[]): string[] =>
    all.filter((currency) => streamIds.some((streamId) => hasRecordsIn(read, streamId, currency)));
  const [sideA, sideB] = [ofSide(streams.a), ofSide(streams.b)];
  const isShared = sideA.length === 0 || sideB.length === 0 || sideA.some((currency) => sideB.includes(currency));
  return isShared ? null : { side_a: sideA, side_b: sideB };
}

function currenciesIn({ count, currencies, names }: RecordColumns): ReadonlySet<string> {
  const codes = new Set<number>();
  for (let row = 0; row < count; row += 1) codes.add(currencies[row] as number);
  return new Set([...codes].flatMap((code) => names[code] ?? []));
}
