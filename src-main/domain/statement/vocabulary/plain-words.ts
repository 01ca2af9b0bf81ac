/** Letters that do not come apart into one of the alphabet and a mark. */
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', ı: 'i', đ: 'd', ð: 'd', þ: 'th', ħ: 'h' };

/** Lower-case words without marks: `Umsatz-Währung` -> `umsatz wahrung`, `CheckNumber` -> `check number`, `Açıklama` -> `aciklama`. */
export function normaliseHeader(text: string): string {
  return (
    text
      .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/[ßłøæœıđðþħ]/g, (letter) => LETTERS[letter] ?? letter)
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
      // Korean syllables came apart as well.
      .normalize('NFC')
  );
}
