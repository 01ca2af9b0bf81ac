import type { ReversalMark } from '../model/statement.ts';

/** A return comes so many days after its original, at most. */
export const MOST_DAYS_TO_RETURN = 60;

/** A stored line, as far as it tells which other it belongs to. */
export interface TellingLine {
  readonly id: number;
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly description: string | null;
  readonly externalId: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** A line that is marked. */
export interface MarkedLine extends TellingLine {
  readonly mark: ReversalMark;
}

/** Lines of the same amount the other way round, that a marked line may take back; `isAll` where there are no others. */
export interface Originals {
  readonly lines: readonly TellingLine[];
  readonly isAll: boolean;
}

/** What a return repeats of its original: where both have it and it differs, they do not belong together. */
const REPEATED = ['end_to_end_id', 'end_to_end_reference', 'mandate_id', 'mandate_reference', 'check_number'];
const NO_REFERENCE = /^(?:NOTPROVIDED|NONREF|NONE|KEINE)$/i;
/** A word with digits, long enough to be a reference. */
const REFERENCE = /[\p{L}\p{N}](?:[\p{L}\p{N}/_.-]*[\p{L}\p{N}])?/gu;
const SHORTEST = 5;

/**
 * Which lines marked lines take back, by their ids. First those that a reference tells from all others, then those that are the only one of their amount. Of two
 * marked lines that have the same line alone to take back neither takes it.
 */
export function originalsOf(marked: readonly MarkedLine[], candidatesOf: (line: MarkedLine) => Originals): Map<number, number> {
  const found = new Map<number, number>();
  const taken = new Set<number>();
  const possible = marked.map((line) => ({ line, ...within(line, candidatesOf(line)) }));
  const take = (claims: readonly (readonly [number, number])[]): void => {
    const claimed = Map.groupBy(claims, ([, original]) => original);
    for (const [original, [first, ...others]] of claimed) {
      if (first === undefined || others.length > 0 || taken.has(original)) continue;
      found.set(first[0], original);
      taken.add(original);
    }
  };
  take(possible.flatMap(({ line, lines }) => claimOf(line, named(line, lines))));
  const left = possible.flatMap(({ line, lines, isAll }) => {
    const free = lines.filter(({ id }) => !taken.has(id));
    return found.has(line.id) || !isAll || free.length !== 1 ? [] : claimOf(line, free[0] ?? null);
  });
  take(left);
  return found;
}

function claimOf(line: MarkedLine, original: TellingLine | null): (readonly [number, number])[] {
  return original === null ? [] : [[line.id, original.id]];
}

function within(line: MarkedLine, { lines, isAll }: Originals): Originals {
  const fit = ({ id, day, metadata }: TellingLine): boolean => {
    const days = line.day - day;
    return id !== line.id && days >= 0 && days <= MOST_DAYS_TO_RETURN && !contradicts(line, metadata);
  };
  return { lines: lines.filter(fit), isAll };
}

/** Whether the line that a mark names is another one. */
function contradicts({ mark, metadata }: MarkedLine, other: TellingLine['metadata']): boolean {
  const trace = textOf(other['trace_number']);
  if (mark.reference !== null && textOf(metadata['original_trace_number']) === mark.reference && trace !== null) {
    return trace !== mark.reference;
  }
  return REPEATED.some((key) => {
    const [own, others] = [textOf(metadata[key]), textOf(other[key])];
    return own !== null && others !== null && own !== others;
  });
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  return text === '' || NO_REFERENCE.test(text) ? null : text;
}

/** The one line that references of a marked line name; null where they name none, several, or contradict each other. */
function named(line: MarkedLine, candidates: readonly TellingLine[]): TellingLine | null {
  if (candidates.length === 0) return null;
  const references = candidates.map(referencesOf);
  const having = (reference: string): number[] => references.flatMap((each, place) => (each.has(reference) ? [place] : []));
  const { reference } = line.mark;
  if (reference !== null) {
    const places = having(reference.toLowerCase());
    if (places.length === 1) return candidates[places[0] ?? 0] ?? null;
  }
  const places = new Set([...referencesOf(line)].map(having).flatMap((each) => (each.length === 1 ? each : [])));
  const [place] = places;
  // With a single candidate the amount says as much.
  return places.size === 1 && candidates.length > 1 ? (candidates[place ?? 0] ?? null) : null;
}

/** Words with digits in a line's texts, in lower case, and what its fields hold as a whole. */
function referencesOf({ description, externalId, metadata }: TellingLine): Set<string> {
  const found = new Set<string>();
  const texts = [externalId, ...Object.values(metadata)].map(textOf).filter((text) => text !== null);
  for (const text of texts) if (isReference(text)) found.add(text.toLowerCase());
  for (const text of [description ?? '', ...texts]) {
    for (const [word] of text.matchAll(REFERENCE)) if (isReference(word)) found.add(word.toLowerCase());
  }
  return found;
}

function isReference(text: string): boolean {
  return text.length >= SHORTEST && /\d/.test(text);
}
