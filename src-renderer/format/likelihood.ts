import { say } from '../../src-shared/words/say.ts';
/** Returns a likelihood as a percentage, `99.80 %`. It never rounds to 0 or to 100 %. */
export function likelihoodText(likelihood: number): string {
  if (likelihood >= 0.9995) return '> 99.9 %';
  if (likelihood < 0.005) return '< 1 %';
  return `${(likelihood * 100).toFixed(likelihood >= 0.99 ? 2 : likelihood >= 0.9 ? 1 : 0)} %`;
}

/** Returns the likelihood for use within a sentence, where `>` would be overlooked. */
function likelihoodWords(likelihood: number): string {
  return likelihoodText(likelihood).replace('> ', 'over ').replace('< ', 'under ');
}

/** Returns `99.80 % likely when it was matched, 61 % now`. */
export function reviewWords(before: number, now: number): string {
  const words = say('matches.likelihood.likelyWhenItWasMatched', {
    likelihood: likelihoodWords(before),
    likelihood2: likelihoodWords(now),
  });
  return words.charAt(0).toUpperCase() + words.slice(1);
}
