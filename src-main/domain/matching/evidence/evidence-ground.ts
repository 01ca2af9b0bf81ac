import { present } from '../../../../src-shared/values/assert.ts';
import { NOTHING_COMMITTED } from '../../evidence/model/committed.ts';
import type { EvidenceGround, GroundOfSide } from '../../evidence/model/ground.ts';
import { DESCRIPTION, type RecordColumns } from '../../records/record-columns.ts';
import { type Field, fieldOf } from '../../records/fields.ts';
import { intAt } from '../../collections/typed-arrays.ts';

/** Most records sampled, evenly over a side, for the names of their metadata fields. */
const SAMPLED = 500;
/** Most metadata fields of a side that are compared: those that most sampled records fill. */
const MOST_FIELDS = 16;
const EXTERNAL_ID = present(fieldOf('external_id'), 'field');

/**
 * Returns the fields whose words and references are compared: description, external id, and metadata with texts or numbers. `reference` is left out,
 * because it is an alias of one of these.
 */
export function textFields(metadata: Iterable<Readonly<Record<string, unknown>>>): Field[] {
  const filled = new Map<string, number>();
  for (const each of metadata) {
    for (const [key, value] of Object.entries(each)) {
      const isText = (typeof value === 'string' && value.trim() !== '') || typeof value === 'number';
      if (isText) filled.set(key, (filled.get(key) ?? 0) + 1);
    }
  }
  const keys = [...filled].toSorted(([left, of], [right, ofOther]) => ofOther - of || (left < right ? -1 : 1)).slice(0, MOST_FIELDS);
  // Ordered by name, so that small changes in how often a field is filled have no effect.
  const names = keys.map(([key]) => `metadata.${key}`).toSorted();
  return [DESCRIPTION, EXTERNAL_ID, ...names.flatMap((name) => fieldOf(name) ?? [])];
}

/** Returns a ground for records that are all there are, with nothing learned before. */
export function groundOf(sides: { readonly a: RecordColumns; readonly b: RecordColumns }): EvidenceGround {
  return {
    a: groundOfSide(sides.a),
    b: groundOfSide(sides.b),
    people: { confirmed: [], rejected: [], removedAliases: [] },
    onTextsRead: () => {},
    parametersOf: () => null,
    committedBefore: NOTHING_COMMITTED,
  };
}

function groundOfSide(all: RecordColumns): GroundOfSide {
  const count = Math.min(SAMPLED, all.count);
  const places = Int32Array.from({ length: count }, (_, index) => intAt(all.places, Math.floor((index * all.count) / count)));
  return { all, fields: textFields(all.source.records(places).map(({ metadata }) => metadata)) };
}
