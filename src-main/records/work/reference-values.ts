import { endOf, startOf, textOfBytes, VALUE, type ValueColumn, valueColumnBuilder } from '../../domain/records/value-column.ts';

/** References made of the values of the field that a stream names for them: as `referenceText` of each record. */
export function referenceValues(values: ValueColumn): ValueColumn {
  if (isReferenceAsItStands(values)) return values;
  const builder = valueColumnBuilder(values.kinds.length);
  for (let place = 0; place < values.kinds.length; place += 1) {
    const kind = values.kinds[place];
    const isNamed = kind === VALUE.text || kind === VALUE.number;
    const text = isNamed ? textOfBytes(values.bytes, startOf(values, place), endOf(values, place)).trim() : '';
    builder.addText(text === '' ? null : text);
  }
  return builder.finished();
}

/** Whether every value is nothing, or a text without white space at its ends. */
function isReferenceAsItStands({ kinds, ends, bytes }: ValueColumn): boolean {
  let start = 0;
  for (let place = 0; place < kinds.length; place += 1) {
    const end = ends[place] as number;
    if (kinds[place] !== VALUE.none && (kinds[place] !== VALUE.text || start === end || !isInk(bytes[start]) || !isInk(bytes[end - 1]))) {
      return false;
    }
    start = end;
  }
  return true;
}

/** Whether a byte is ASCII and no white space. */
function isInk(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0x20 && byte < 0x7f;
}
