import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { linesByReference } from '../features/shared-references.ts';

/** Prior share of lines whose number recurs on other lines of their side, as those of customers and contracts do, and its weight in lines. */
const PRIOR_REPEATED = 0.25;
const PRIOR_LINES = 4;

/** Returns, by origin, the share of references that also occur on another line of their side. Numbers of documents occur on one line each. */
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
