import type { Reconciliation } from '../../src-shared/contract/index.ts';
import { listText } from './counts.ts';

/** Returns the names of both sides, made of the names of their streams. */
export function sideNames({ side_a_streams: a, side_b_streams: b }: Pick<Reconciliation, 'side_a_streams' | 'side_b_streams'>) {
  const names = (streams: Reconciliation['side_a_streams']) => listText(streams.map((stream) => stream.name));
  return { a: names(a), b: names(b) };
}
