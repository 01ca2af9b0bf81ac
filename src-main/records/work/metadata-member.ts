/** Matches keys that JSON writes without escapes. */
const PLAIN_KEY = /^[^"\\\p{Cc}\ud800-\udfff]*$/u;

/**
 * Returns a function that finds the text at a top-level key of stored metadata without parsing all of it. The function returns null if there is
 * nothing, and undefined if only parsing can tell: nested values, escapes, another type, an unusual key. Relies on metadata being stored as
 * `JSON.stringify` writes it, without white space around keys.
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
