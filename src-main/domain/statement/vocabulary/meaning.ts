/** Letters that Unicode does not decompose into a base letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ł: 'l', ø: 'o', æ: 'ae', œ: 'oe', ı: 'i', đ: 'd', ð: 'd', þ: 'th', ħ: 'h' };

/** Returns lower-case words without accents: `Umsatz-Währung` -> `umsatz wahrung`, `CheckNumber` -> `check number`, `Açıklama` -> `aciklama`. */
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
      // NFKD decomposed Korean syllables as well.
      .normalize('NFC')
  );
}

/** A possible meaning of a header. A header may have several; the content of the column decides. */
export type Meaning =
  | 'date'
  | 'value_date'
  | 'amount'
  | 'paid_in'
  | 'paid_out'
  | 'balance'
  | 'direction'
  | 'currency'
  | 'description'
  | 'external_id'
  | 'reference'
  | 'status'
  | 'account';

export interface HeaderMeaning {
  readonly meaning: Meaning;
  /** 1 to 10; a higher rank is more certain. */
  readonly rank: number;
}
