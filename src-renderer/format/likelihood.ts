/** `99.97 %`: a person tells apart what is nearly certain. */
export function likelihoodText(likelihood: number): string {
  if (likelihood >= 0.9995) return '> 99.9 %';
  if (likelihood < 0.005) return '< 1 %';
  return `${(likelihood * 100).toFixed(likelihood >= 0.99 ? 2 : likelihood >= 0.9 ? 1 : 0)} %`;
}

/** Within a sentence, where a sign would be read over. */
function likelihoodWords(likelihood: number): string {
  return likelihoodText(likelihood).replace('> ', 'over ').replace('< ', 'under ');
}

/** `99.80 % likely when it was matched, 61 % now`. */
export function reviewWords(before: number, now: number): string {
  const words = `${likelihoodWords(before)} likely when it was matched, ${likelihoodWords(now)} now`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
