import { formulaText } from './estimation/formulas.ts';
import type { EvidenceParameters } from './model/parameters.ts';

/** Returns the sentences that summarize what was learned of a book. */
export function learnedWords(learned: EvidenceParameters): string[] {
  const { lines, partnered, prior, lag, aliases, formulas } = learned;
  const words = [
    `Learned from ${COUNT.format(lines.a)} ${lines.a === 1 ? 'line' : 'lines'} of side A and ${COUNT.format(lines.b)} of side B.`,
    `About ${percent(partnered.a)} of side A and ${percent(partnered.b)} of side B have a partner on the other side.`,
  ];
  const usual = usualDays(lag);
  if (usual !== null) words.push(usual);
  if (prior >= 0.995) words.push('The book is too small to learn from, so general experience decides.');
  else if (prior >= 0.5) words.push(`The book is small: ${percent(prior)} of what is used is general experience.`);
  for (const formula of formulas) {
    const { grossOn, exact, of } = formula;
    words.push(
      `Side ${grossOn === 'a' ? 'B' : 'A'} is less by ${formulaText(formula)}, to the cent, in ${exact} of ${of} such differences.`,
    );
  }
  if (aliases.length > 0) {
    words.push(
      `${aliases.length === 1 ? 'One pair of names was' : `${aliases.length} pairs of names were`} tied by people often enough to count as the same.`,
    );
  }
  return words;
}

/** Returns a sentence on the commonest days from A to B and on the range that holds nine in ten. */
function usualDays(lag: EvidenceParameters['lag']): string | null {
  const total = lag.reduce((sum, { m }) => sum + m, 0);
  if (total <= 0) return null;
  const most = lag.reduce((best, bin) => (bin.m / width(bin) > best.m / width(best) ? bin : best));
  let below = 0;
  let from = lag[0]?.fromDay ?? 0;
  let to = lag.at(-1)?.toDay ?? 0;
  for (const bin of lag) {
    if (below / total < 0.05) from = bin.fromDay;
    if (below / total < 0.95) to = bin.toDay;
    below += bin.m;
  }
  return `Most often side B comes ${dayWords(most.fromDay, most.toDay)}; nine in ten partners come between ${edge(from)} and ${edge(to)}.`;
}

const width = ({ fromDay, toDay }: EvidenceParameters['lag'][number]): number => toDay - fromDay + 1;

const edge = (day: number): string => (day === 0 ? 'the same day' : dayWords(day, day));

function dayWords(from: number, to: number): string {
  if (from === to) {
    if (from === 0) return 'on the same day';
    return `${Math.abs(from)} ${Math.abs(from) === 1 ? 'day' : 'days'} ${from > 0 ? 'later' : 'earlier'}`;
  }
  return to < 0 ? `${-to} to ${-from} days earlier` : `${from} to ${to} days later`;
}

const COUNT = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
const percent = (share: number): string => `${COUNT.format(share * 100)} %`;
