import { counted } from '../../../src-shared/values/english.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { grouped, numberText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { type Field, rawValue, textOf } from '../records/fields.ts';
import { columnsOfRecords } from '../records/record-columns.ts';
import type { EngineRecord } from '../records/record.ts';
import { AMOUNT, AMOUNT_NAMES, amountLevel, isSwapped, LAG_FAR, lagBin } from './comparison/levels.ts';
import { formulaText, isExplainedBy, keptOf } from './estimation/formulas.ts';
import { namesOfRows } from './features/line-features.ts';
import { linesWords, namedWords, piecesOf, reversalWords, type Said, sumOf, sumWords, type TextPieces } from './groups/group-words.ts';
import type { BudgetFigures, EvidenceOutcome } from './model/link.ts';
import { exp2Of } from './model/logarithm.ts';
import type { EvidenceParameters } from './model/parameters.ts';
import { type Part, PART_STEPS, PARTS, type Weight } from './model/weight.ts';

/** Facts that explain a link, in addition to its records and its stored weight. */
interface EvidenceFacts {
  readonly fieldsA: readonly Field[];
  readonly fieldsB: readonly Field[];
  /** Parameters of the run; null if they are no longer stored. */
  readonly parameters: EvidenceParameters | null;
}

/** One kind of evidence for a link, in words for a person. */
interface EvidenceLine {
  readonly field: Part;
  /** Result of the comparison: `equal`, `within 2 %`, `4`, `shared`, `differ`, .. */
  readonly level: string;
  readonly words: string;
  /** Contribution to the log odds, in bits (multiples of a quarter). */
  readonly bits: number;
}

/** Explains a link from its records and the parts stored with it, without weighing again. Parts that contribute nothing are left out. */
export function explainEvidence(
  a: readonly EngineRecord[],
  b: readonly EngineRecord[],
  weight: Weight,
  facts: EvidenceFacts,
): EvidenceLine[] {
  const said: Record<Part, Said | null> = {
    ...(a.length === 0 || b.length === 0 ? ofReversal(a, b, facts) : ofLines(a, b, weight, facts)),
    rivals: {
      level: 'rest',
      words:
        bitsOf(weight, 'rivals') < 0
          ? phrase('rules.explainEvidence.otherLinesThatMightFit')
          : phrase('rules.explainEvidence.fewLinesAreWithoutAPartner'),
    },
  };
  return PARTS.flatMap((field) => {
    const found = said[field];
    const bits = bitsOf(weight, field);
    if (found === null || bits === 0) return [];
    // What differs and weighs nothing would read as a reason.
    return found.level === 'differ' && Math.round(bits) + 0 === 0 ? [] : [{ field, ...found, bits }];
  });
}

type OfRecords = Record<Exclude<Part, 'rivals'>, Said | null>;

function ofLines(a: readonly EngineRecord[], b: readonly EngineRecord[], weight: Weight, facts: EvidenceFacts): OfRecords {
  const [several, one] = a.length > b.length ? [a, b] : [b, a];
  return {
    amount:
      several.length > 1
        ? (feeWords(several, one, facts.parameters) ?? sumWords(several, one))
        : amountWords(a, b, bitsOf(weight, 'amount'), facts.parameters),
    lag: lagWords(a, b, facts.parameters),
    ...textWords(a, b, facts),
    ...(a.length === 1 && b.length === 1 ? aliasWords(a, b, bitsOf(weight, 'text'), facts) : {}),
  };
}

/** Returns the words for an alias if the stored bits are those of the alias; otherwise the texts weighed more. */
function aliasWords(a: readonly EngineRecord[], b: readonly EngineRecord[], bits: number, facts: EvidenceFacts): { text?: Said } {
  const aliases = (facts.parameters?.aliases ?? []).filter((alias) => alias.bits === bits);
  if (aliases.length === 0) return {};
  const [nameA, nameB] = [nameOf(a, facts.fieldsA), nameOf(b, facts.fieldsB)];
  const alias = aliases.find((each) => each.a === nameA && each.b === nameB);
  if (alias === undefined) return {};
  return {
    text: {
      level: 'alias',
      words: phrase('rules.explainEvidence.standsForTiedTimesByPeople', { nameB, nameA, pairs: alias.pairs.length }),
    },
  };
}

function nameOf(records: readonly EngineRecord[], fields: readonly Field[]): string {
  return namesOfRows(columnsOfRecords(records), fields, [0]).get(0) ?? '';
}

/** Explains a line and its reversal, both on one side. */
function ofReversal(a: readonly EngineRecord[], b: readonly EngineRecord[], facts: EvidenceFacts): OfRecords {
  const lines = b.length === 0 ? a : b;
  const fields = b.length === 0 ? facts.fieldsA : facts.fieldsB;
  return { ...reversalWords(lines), ...textWords(lines.slice(0, 1), lines.slice(1), { ...facts, fieldsA: fields, fieldsB: fields }) };
}

function bitsOf({ parts }: Weight, part: Part): number {
  return (parts[PARTS.indexOf(part)] ?? 0) / PART_STEPS;
}

function amountWords(
  a: readonly EngineRecord[],
  b: readonly EngineRecord[],
  bits: number,
  parameters: EvidenceParameters | null,
): Said | null {
  const places = Math.max(0, ...[...a, ...b].map(({ decimalPlaces }) => decimalPlaces));
  const [left, right] = [Math.abs(sumOf(a, places)), Math.abs(sumOf(b, places))];
  const level = AMOUNT_NAMES[amountLevel(left, right)] ?? '';
  if (left === right)
    return {
      level,
      words: sameAmountWords(grouped(decimalText(left, places)), bits, parameters),
    };
  if (isSwapped(left, right))
    return {
      level,
      words: phrase('rules.explainEvidence.twoDigitsSwappedAnd', {
        decimal: grouped(decimalText(left, places)),
        decimal2: grouped(decimalText(right, places)),
      }),
    };
  const formula = parameters?.formulas.find((each) =>
    isExplainedBy(each, left * 10 ** (each.places - places), right * 10 ** (each.places - places)),
  );
  if (formula !== undefined) {
    const seen = phrase('rules.explainEvidence.asOfSuchDifferencesHere', { exact: formula.exact, of: formula.of });
    return {
      level: 'formula',
      words: phrase('rules.explainEvidence.sameAmountLess', {
        formula: formulaText(formula),
        decimal: grouped(decimalText(Math.abs(left - right), places)),
        seen,
      }),
    };
  }
  const difference = grouped(decimalText(Math.abs(left - right), places));
  // Only a part of a document differs so much from its partner.
  if (level === AMOUNT_NAMES[AMOUNT.far])
    return {
      level: 'part',
      words: phrase('rules.explainEvidence.ofIsLeft', {
        decimal: grouped(decimalText(Math.min(left, right), places)),
        decimal2: grouped(decimalText(Math.max(left, right), places)),
        difference,
      }),
    };
  return { level, words: phrase('rules.explainEvidence.amountsDifferBy', { difference, level }) };
}

/** Returns the sentence on lines that come to the other line less a fee of a formula, or null if no formula explains the difference. */
function feeWords(several: readonly EngineRecord[], one: readonly EngineRecord[], parameters: EvidenceParameters | null): Said | null {
  const formula = parameters?.formulas.find((each) => {
    const [gross, [net = 0]] = [several, one].map((records) => records.map((record) => sumOf([record], each.places))) as [
      number[],
      number[],
    ];
    return each.per !== undefined && Math.abs(gross.reduce((sum, value) => sum + value, 0)) - Math.abs(net) === keptOf(each, gross);
  });
  if (formula === undefined) return null;
  const gross = sumOf(several, formula.places);
  const fee = grouped(decimalText(Math.abs(gross) - Math.abs(sumOf(one, formula.places)), formula.places));
  const words = phrase('rules.explainEvidence.lessAsOfSuchSums', {
    lines: linesWords(several, formula.places),
    formula: formulaText(formula),
    fee,
    exact: formula.exact,
    of: formula.of,
  });
  return { level: 'formula', words };
}

/** Says that the amounts are the same, and how many other lines have that amount, derived from the stored part. */
function sameAmountWords(amount: string, bits: number, parameters: EvidenceParameters | null): string {
  if (parameters === null) return phrase('rules.explainEvidence.sameAmount', { amount });
  const equal = parameters.amount[0]?.m ?? 1;
  const others = Math.round(((parameters.lines.a + parameters.lines.b) * equal) / exp2Of(bits));
  return phrase('rules.explainEvidence.sameAmountSeen', { amount, others });
}

function lagWords(a: readonly EngineRecord[], b: readonly EngineRecord[], parameters: EvidenceParameters | null): Said | null {
  const days = Math.max(...b.map(({ day }) => day)) - Math.max(...a.map(({ day }) => day));
  const count = Math.abs(days);
  const words =
    days === 0
      ? phrase('rules.explainEvidence.sameDay')
      : phrase('rules.explainEvidence.daysApart', { days: Math.abs(days), count, isLater: days > 0 ? 'yes' : 'no' });
  // The bins are those of the run that learned them.
  const bin = parameters?.lag.find(({ fromDay, toDay }) => days >= fromDay && days <= toDay);
  const share = lagBin(days) >= LAG_FAR ? 0 : (bin?.m ?? 0);
  return {
    level: String(days),
    words: share < 0.005 ? words : phrase('rules.explainEvidence.asManyHere', { words, many: howMany(share) }),
  };
}

const NUMBERS = ['', 'all', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

function howMany(share: number): string {
  if (share >= 0.75) return 'most';
  if (share >= 0.4) return phrase('rules.explainEvidence.aboutHalf');
  const of = Math.round(1 / share);
  return phrase('rules.explainEvidence.oneIn', { numbers: NUMBERS[of] ?? of });
}

function textWords(
  a: readonly EngineRecord[],
  b: readonly EngineRecord[],
  facts: EvidenceFacts,
): { readonly text: Said | null; readonly references: Said | null } {
  const read = (records: readonly EngineRecord[], fields: readonly Field[]): TextPieces =>
    piecesOf(records, (record) => fields.map((field) => fieldText(field, record)));
  const [ofA, ofB] = [read(a, facts.fieldsA), read(b, facts.fieldsB)];
  return {
    text: wordsInCommon(ofA, ofB),
    references: (a.length > b.length ? namedWords(ofA, ofB) : namedWords(ofB, ofA)) ?? referencesInCommon(ofA, ofB),
  };
}

function fieldText(field: Field, record: EngineRecord): string {
  const text = textOf(rawValue(field, record));
  return typeof text === 'string' ? text : '';
}

const MOST_WORDS = 6;

function wordsInCommon(a: TextPieces, b: TextPieces): Said | null {
  if (a.words.length === 0 || b.words.length === 0) return null;
  const common = a.words.filter((word) => b.words.includes(word));
  if (common.length > 0)
    return { level: 'shared', words: phrase('rules.explainEvidence.onBoth', { common: common.slice(0, MOST_WORDS).join(' ') }) };
  const begins = a.words.find((word) => word.length > 2 && b.words.some((other) => other.startsWith(word.slice(0, 3))));
  return begins === undefined
    ? { level: 'differ', words: phrase('rules.explainEvidence.noWordsInCommon') }
    : { level: 'alike', words: phrase('rules.explainEvidence.wordsThatBeginAlikeSuch', { begins }) };
}

function referencesInCommon(a: TextPieces, b: TextPieces): Said | null {
  if (a.references.size === 0 || b.references.size === 0) return null;
  const common = [...a.references].filter(([key]) => b.references.has(key)).map(([, text]) => text);
  const longest = common.toSorted((left, right) => right.length - left.length)[0];
  if (longest !== undefined) return { level: 'shared', words: phrase('rules.explainEvidence.longestOnBoth', { longest }) };
  const [first, second] = [[...a.references.values()][0] ?? '', [...b.references.values()][0] ?? ''];
  return { level: 'differ', words: phrase('rules.explainEvidence.referencesDifferAnd', { first, second }) };
}

/** Returns the sentences that summarize what was learned of a book. */
export function learnedWords(learned: EvidenceParameters): string[] {
  const { lines, partnered, prior, lag, aliases, formulas } = learned;
  const words = [
    phrase('rules.explainEvidence.learnedFromLinesOfSide', { a: lines.a, b: grouped(String(lines.b)) }),
    phrase('rules.explainEvidence.aboutOfSide', { percent: percent(partnered.a), percent2: percent(partnered.b) }),
  ];
  const usual = usualDays(lag);
  if (usual !== null) words.push(usual);
  if (prior >= 0.995) words.push(phrase('rules.explainEvidence.theBookIsTooSmall'));
  else if (prior >= 0.5) words.push(phrase('rules.explainEvidence.bookIsSmall', { percent: percent(prior) }));
  for (const formula of formulas) {
    const { grossOn, exact, of, per } = formula;
    const what = per === undefined ? phrase('rules.explainEvidence.suchDifferences') : phrase('rules.explainEvidence.sumsOfSeveralLines');
    words.push(
      phrase('rules.explainEvidence.sideAIsLess', {
        isGrossOn: grossOn === 'a' ? 'yes' : 'no',
        formula: formulaText(formula),
        exact,
        of,
        what,
      }),
    );
  }
  if (aliases.length > 0) {
    words.push(phrase('rules.explainEvidence.pairsOfNamesWereTied', { aliases: aliases.length }));
  }
  return words;
}

/** Returns the bins of days in their order: the one that lies before all others is stored last. */
export function inOrderOfDays(lag: EvidenceParameters['lag']): EvidenceParameters['lag'] {
  return lag.toSorted((one, other) => one.fromDay - other.fromDay);
}

/** Returns a sentence on the commonest days from A to B and on the range that holds nine in ten. */
function usualDays(stored: EvidenceParameters['lag']): string | null {
  const lag = inOrderOfDays(stored);
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
  return phrase('rules.explainEvidence.mostOftenSideBComes', {
    day: dayWords(most.fromDay, most.toDay),
    edge: edge(from),
    edge2: edge(to),
  });
}

const width = ({ fromDay, toDay }: EvidenceParameters['lag'][number]): number => toDay - fromDay + 1;

const edge = (day: number): string => (day === 0 ? phrase('rules.explainEvidence.theSameDay') : dayWords(day, day));

function dayWords(from: number, to: number): string {
  if (from === to) {
    if (from === 0) return phrase('rules.explainEvidence.onTheSameDay');
    return `${Math.abs(from)} ${Math.abs(from) === 1 ? 'day' : 'days'} ${from > 0 ? 'later' : 'earlier'}`;
  }
  return to < 0
    ? phrase('rules.explainEvidence.toDaysEarlier', { to: -to, from: -from })
    : phrase('rules.explainEvidence.toDaysLater', { from, to });
}

const percent = (share: number): string => `${numberText(share * 100, 0)} %`;

/** Returns the result of a run in sentences: what was committed, how much of it is expected to be wrong, and what other budgets would change. */
export function outcomeWords(outcome: EvidenceOutcome): string[] {
  const { committed, atBudgets, leansOnPrior, cappedLines, lines } = outcome;
  const words = [committedWords(committed)];
  for (const other of atBudgets)
    if (other.budget !== committed.budget && other.committed + committed.committed > 0) words.push(budgetWords(other, committed));
  if (leansOnPrior) words.push(phrase('rules.explainEvidence.withLinesThisBook', { lines }));
  if (cappedLines > 0) {
    words.push(phrase('rules.explainEvidence.ofLinesOnlyTheBest', { cappedLines }));
  }
  return words;
}

function committedWords({ budget, committed, expectedWrong, upperBound }: BudgetFigures): string {
  if (committed === 0) return phrase('rules.explainEvidence.nothingWasCertainEnoughToBeMatched');
  const most = upperBound < 0.5 ? 'none' : phrase('rules.explainEvidence.noMoreThan', { figure: figure(Math.ceil(upperBound)) });
  const expected = phrase('rules.explainEvidence.ofThemExpectedToBeWrong', { expectation: expectation(expectedWrong), most });
  return phrase('rules.explainEvidence.certainEnough', {
    committed: grouped(String(committed)),
    isOne: committed === 1 ? 'yes' : 'no',
    expected,
    budget,
  });
}

function budgetWords(other: BudgetFigures, own: BudgetFigures): string {
  const more = other.committed - own.committed;
  const change =
    more === 0
      ? phrase('rules.explainEvidence.matchTheSameLinks')
      : `match ${counted(Math.abs(more), 'link')} ${more > 0 ? 'more' : 'fewer'}`;
  return phrase('rules.explainEvidence.anotherBudget', { budget: other.budget, change, expectation: expectation(other.expectedWrong) });
}

/** An expectation is given with two digits. */
function expectation(value: number): string {
  return value < 0.1 ? phrase('rules.explainEvidence.lessThanATenth') : `about ${figure(value)}`;
}

function figure(value: number): string {
  return numberText(value, value >= 10 ? 0 : 1);
}
