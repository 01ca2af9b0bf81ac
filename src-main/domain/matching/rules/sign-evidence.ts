import type { EngineRecord } from '../../records/record.ts';
import { decimalValueText, parseDecimal } from '../../records/values.ts';

/** Number of pairs that support equal signs on both sides, and of those that support opposite signs. */
interface SignEvidence {
  readonly same: number;
  readonly opposite: number;
}

const DAYS_APART = 3;

/** Counts pairs whose references agree, occur once on each side, and have the same amount and currency. Both are zero without such references. */
export function signEvidence(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): SignEvidence {
  return evidence(sideA, sideB, referenceOf, (a, b) => magnitude(a) === magnitude(b));
}

function referenceOf(record: EngineRecord): string | null {
  const text = record.reference?.trim() ?? '';
  return text === '' ? null : text;
}

/** Counts weaker evidence for sides without references: amounts that occur once on each side, at most 3 days apart. */
export function signEvidenceByAmount(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): SignEvidence {
  return evidence(sideA, sideB, magnitude, (a, b) => Math.abs(a.day - b.day) <= DAYS_APART);
}

/** Returns amount and currency as one text, or null for zero, which has no sign. */
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

/** Returns the records by key; null for a key that occurs more than once. */
function onlyOnes(records: readonly EngineRecord[], keyOf: (record: EngineRecord) => string | null): Map<string, EngineRecord | null> {
  const found = new Map<string, EngineRecord | null>();
  for (const record of records) {
    const key = keyOf(record);
    if (key !== null) found.set(key, found.has(key) ? null : record);
  }
  return found;
}
