import type { EngineRecord } from '../../records/record.ts';
import { decimalValueText, parseDecimal } from '../../records/values.ts';

/** How many pairs speak for the same sign on both sides, and how many for opposite signs. */
interface SignEvidence {
  readonly same: number;
  readonly opposite: number;
}

const DAYS_APART = 3;

/**
 * Evidence from pairs whose references agree, stand once on each side, and carry the same magnitude in the same currency.
 * Zeros where no reference speaks.
 */
export function signEvidence(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): SignEvidence {
  return evidence(sideA, sideB, referenceOf, (a, b) => magnitude(a) === magnitude(b));
}

function referenceOf(record: EngineRecord): string | null {
  const text = record.reference?.trim() ?? '';
  return text === '' ? null : text;
}

/** Weaker evidence, for sides without references: magnitudes that stand once on each side, at most 3 days apart. */
export function signEvidenceByAmount(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): SignEvidence {
  return evidence(sideA, sideB, magnitude, (a, b) => Math.abs(a.day - b.day) <= DAYS_APART);
}

/** Amount and currency as one text; null for zero, which has no sign. */
function magnitude(record: EngineRecord): string | null {
  if (record.amountMinor === 0) return null;
  const text = decimalValueText({ units: record.amountMinor, scale: record.decimalPlaces }, 0);
  const decimal = parseDecimal(text);
  return decimal === null ? null : `${decimalValueText(decimal, 0)} ${record.currency}`;
}

function evidence(
  sideA: readonly EngineRecord[],
  sideB: readonly EngineRecord[],
  keyOf: (record: EngineRecord) => string | null,
  agrees: (a: EngineRecord, b: EngineRecord) => boolean,
): SignEvidence {
  const onlyA = onlyOnes(sideA, keyOf);
  const onlyB = onlyOnes(sideB, keyOf);
  let same = 0;
  let opposite = 0;
  for (const [key, a] of onlyA) {
    const b = onlyB.get(key);
    if (a === null || b === undefined || b === null || magnitude(a) === null || !agrees(a, b)) continue;
    if (a.direction === b.direction) same += 1;
    else opposite += 1;
  }
  return { same, opposite };
}

/** Records by key; null where a key stands more than once. */
function onlyOnes(records: readonly EngineRecord[], keyOf: (record: EngineRecord) => string | null): Map<string, EngineRecord | null> {
  const found = new Map<string, EngineRecord | null>();
  for (const record of records) {
    const key = keyOf(record);
    if (key !== null) found.set(key, found.has(key) ? null : record);
  }
  return found;
}
