import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { engineRecord } from './matching-records.ts';

const FIRST_OF_B = 1_000_000;

/** Returns a line of side A or B by its number; `on` is an ISO date. */
export function lineOf(side: 'a' | 'b', number: number, given: Partial<EngineRecord> & { on?: string }): EngineRecord {
  return engineRecord(side === 'a' ? number : FIRST_OF_B + number, { streamKey: side, ...given });
}

/** Returns the pairs of ids of all links with a status, as `a-b`. */
export function tiesOf(
  links: readonly { readonly aIds: readonly number[]; readonly bIds: readonly number[]; readonly status: string }[],
  status: string,
): string[] {
  return links
    .filter((link) => link.status === status)
    .map(({ aIds, bIds }) => `${aIds.join('+')}-${bIds.map((id) => id - FIRST_OF_B).join('+')}`);
}
