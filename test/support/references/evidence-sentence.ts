/** Returns a line of evidence with its bits, so that a test sees both in one text: `Same amount, 152.55: +9`. */
export function evidenceSentence({ words, bits }: { readonly words: string; readonly bits: number }): string {
  const rounded = Math.round(bits);
  return `${words}: ${rounded > 0 ? '+' : ''}${rounded + 0}`;
}
