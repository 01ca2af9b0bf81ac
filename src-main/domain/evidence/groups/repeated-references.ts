import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { linesByReference } from '../features/shared-references.ts';

/** General experience: one line in four holds a number that others of its side hold too, a customer's or a contract's; lines it counts as. */
const PRIOR_REPEATED = 0.25;
const PRIOR_LINES = 4;

/** By origin: share of the lines that hold a reference from there which is on another line of their side as well. Numbers of documents are on one line each. */
export function repeatedReferences(features: LineFeatures, known: number): Float64Array {
  const { starts, references, originOf, origins, count } = features;
  const lines = linesByReference(features, known);
  const holding = new Float64Array(origins.list.length);
  const repeated = new Float64Array(origins.list.length);
  for (let row = 0; row < count; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const origin = originOf[at] as number;
      holding[origin] = floatAt(holding, origin) + 1;
      if (intAt(lines, intAt(references, at)) > 1) repeated[origin] = floatAt(repeated, origin) + 1;
    }
  }
  return repeated.map((some, origin) => (some + PRIOR_REPEATED * PRIOR_LINES) / (floatAt(holding, origin) + PRIOR_LINES));
}
