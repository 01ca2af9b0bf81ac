import iconv from 'iconv-lite';
import { meaningsOf } from './header-words.ts';

const SAMPLE_BYTES = 64 * 1024;
/** In order of preference: an earlier one wins unless a later one scores higher. */
const CODE_PAGES = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
  'euc-jp',
  'windows-1254',
  'windows-1253',
  'windows-1255',
  'windows-1257',
  'windows-1256',
  'windows-874',
  'cp850',
  'cp852',
  'cp866',
  'koi8-r',
  'macintosh',
] as const;

/** Returns the code page that fits best: header words are known under it, and words consist of letters rather than signs. */
export function codePageOf(bytes: Uint8Array): string {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE_BYTES));
  const scores = CODE_PAGES.map((encoding) => ({ encoding, score: plausibility(iconv.decode(sample, encoding)) }));
  return scores.reduce((top, one) => (one.score > top.score ? one : top)).encoding;
}

function plausibility(text: string): number {
  const cells = new Set(text.slice(0, 8_192).split(/[\t\n\r,;|"]+/));
  let score = 0;
  for (const cell of cells) {
    const foreign = cell.match(/[^\0-\u007f]/g);
    if (foreign?.every((letter) => /[\p{L}\p{Sc}]/u.test(letter)) === true && meaningsOf(cell).length > 0) score += 20;
  }
  score -= text.match(/\p{L}[¹²³¿¡¢£¥¦§¨©ª«¬®¯°±´¶·¸º»¼½¾×÷]\p{L}/gu)?.length ?? 0;
  // Two scripts in one word, or a capital inside a lower-case word, show a wrong code page.
  score -= text.match(/[a-z][\u0400-\u04ff]|[\u0400-\u04ff][a-z]/gi)?.length ?? 0;
  score -= text.match(/\p{Ll}[À-ÖØ-ÞĀ-ž]{0}\p{Lu}(?=[^\0-\u007f])/gu)?.length ?? 0;
  score -= text.match(/\ufffd|[\u0080-\u009f]/g)?.length ?? 0;
  score += text.match(/[\u0430-\u044f]{4,}/g)?.length ?? 0;
  return score;
}
