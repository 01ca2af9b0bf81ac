/** The content of a line beside its money. */
export interface LineContent {
  readonly description: string | null;
  readonly externalId: string | null;
  /** Days since 1970-01-01. */
  readonly valueDay: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What a line took over from another file's description of the same payment. */
export interface AddedContent {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Null where the line has a value day itself, or the other file has none. */
  readonly valueDay: number | null;
}

interface JoinedContent {
  readonly content: LineContent;
  /** One for each of the descriptions, in their order. */
  readonly added: readonly AddedContent[];
}

/** Metadata fields for content whose own field of the line is taken. */
const OTHER_DESCRIPTION = 'other_description';
const OTHER_ID = 'other_transaction_id';

/**
 * Returns a line with what other files add to it: fields it lacks, a value date where it has none, and the other description and transaction id as
 * fields of their own. The line's own content stays as it is.
 */
export function joined(own: LineContent, descriptions: readonly LineContent[]): JoinedContent {
  const metadata: Record<string, unknown> = { ...own.metadata };
  let { valueDay } = own;
  const added = descriptions.map((other): AddedContent => {
    const more: Record<string, unknown> = {};
    const add = (name: string, value: unknown): void => {
      const key = freeName(name, value, metadata);
      if (key === null) return;
      metadata[key] = value;
      more[key] = value;
    };
    for (const [key, value] of Object.entries(other.metadata)) if (!Object.hasOwn(metadata, key)) add(key, value);
    const { description, externalId } = other;
    if (description !== null && !sameText(description, own.description)) add(OTHER_DESCRIPTION, description);
    if (externalId !== null && externalId !== own.externalId) add(OTHER_ID, externalId);
    const takesDay = valueDay === null && other.valueDay !== null;
    if (takesDay) ({ valueDay } = other);
    return { metadata: more, valueDay: takesDay ? other.valueDay : null };
  });
  return { content: { ...own, metadata, valueDay }, added };
}

/** Returns a free field name, with a number behind it where it is taken; null where that field has the same value. */
function freeName(name: string, value: unknown, taken: Readonly<Record<string, unknown>>): string | null {
  for (let number = 1; ; number += 1) {
    const key = number === 1 ? name : `${name}_${number}`;
    if (!Object.hasOwn(taken, key)) return key;
    if (sameText(String(taken[key]), String(value))) return null;
  }
}

function sameText(one: string | null, other: string | null): boolean {
  const plain = (text: string | null): string => (text ?? '').replaceAll(/\s+/g, ' ').trim().toLocaleLowerCase('en');
  return plain(one) === plain(other);
}

/** Returns the line without what it took over. Changes that people made since then stay. */
export function apart(content: LineContent, added: readonly AddedContent[]): LineContent {
  const metadata: Record<string, unknown> = { ...content.metadata };
  let { valueDay } = content;
  for (const { metadata: more, valueDay: day } of added) {
    for (const [key, value] of Object.entries(more)) if (metadata[key] === value) delete metadata[key];
    if (day !== null && day === valueDay) valueDay = null;
  }
  return { ...content, metadata, valueDay };
}
