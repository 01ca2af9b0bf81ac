/** Keys that JSON writes without escapes. */
const PLAIN_KEY = /^[^"\\\p{Cc}\ud800-\udfff]*$/u;

/**
 * Finds the text at a top-level key of a record's stored metadata without parsing all of it. Answers null where there is nothing, and
 * undefined where only parsing can tell: something nested, a text with escapes, another type, an unusual key. Metadata is stored as
 * `JSON.stringify` writes it, so a key follows `{` or `,` at once and its value the colon.
 */
export function textMember(path: string): (metadata: string) => string | null | undefined {
  const named = `"${path}":`;
  if (!PLAIN_KEY.test(path)) return () => undefined;
  return (metadata) => {
    if (metadata.length === 2) return null;
    if (metadata.lastIndexOf('{') !== 0) return undefined;
    const at = metadata.indexOf(named);
    if (at < 0) return null;
    const before = metadata.charCodeAt(at - 1);
    const start = at + named.length;
    if ((before !== BRACE && before !== COMMA) || metadata.charCodeAt(start) !== QUOTE) return undefined;
    const end = metadata.indexOf('"', start + 1);
    const text = metadata.slice(start + 1, end);
    return text.includes('\\') ? undefined : text;
  };
}

const BRACE = 0x7b;
const COMMA = 0x2c;
const QUOTE = 0x22;
