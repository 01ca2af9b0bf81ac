import type { FieldError, TransformName } from '../../../../src-shared/contract/index.ts';
import type { TransformInput, TransformsOfSide } from '../../../../src-shared/contract/rules/rule-language.ts';
import { RULE_LIMITS, TRANSFORMS } from '../../../../src-shared/contract/rules/rule-language.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { compilePattern } from './pattern.ts';

type TextStep = (text: string) => string;
export type NumberStep = 'absolute' | 'negate';

/** Transforms of a value before comparison: of its text, then of the number read from it. */
export interface Transforms {
  readonly texts: readonly TextStep[];
  readonly numbers: readonly NumberStep[];
  /** For display, in the order in which they are applied: `extract ORD-\\d+`. */
  readonly names: readonly string[];
}

export const NO_TRANSFORMS: Transforms = { texts: [], numbers: [], names: [] };

const NOT_ALPHANUMERIC = /[^\p{L}\p{M}\p{N}]/gu;
const NOT_DIGITS = /[^0-9]/g;
const LEADING_ZEROS = /^0+/;
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** Combining accents, which follow their letter after decomposition. */
const ACCENTS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;
const NOT_ASCII = /[^\0-\u007f]/;
/** Letters that do not decompose into a base letter and an accent, with their plain spelling. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  ħ: 'h',
  Ħ: 'H',
  ı: 'i',
  ŧ: 't',
  Ŧ: 'T',
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  þ: 'th',
  Þ: 'TH',
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

const PLAIN_STEPS: Readonly<Partial<Record<TransformName, TextStep>>> = {
  lowercase: (text) => text.toLowerCase(),
  uppercase: (text) => text.toUpperCase(),
  alphanumeric_only: (text) => composed(text).replaceAll(NOT_ALPHANUMERIC, ''),
  digits_only: (text) => text.replaceAll(NOT_DIGITS, ''),
  trim: (text) => text.trim(),
  strip_leading_zeros: (text) => text.replace(LEADING_ZEROS, ''),
  remove_accents: removeAccents,
  words: (text) => [...new Set(composed(text.toLowerCase()).match(WORDS))].toSorted().join(' '),
};

/** Returns the text with one code point for each accented letter, however it was typed. */
function composed(text: string): string {
  return NOT_ASCII.test(text) ? text.normalize('NFC') : text;
}

function removeAccents(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  const bare = text.normalize('NFD').replaceAll(ACCENTS, '').normalize('NFC');
  return bare.replaceAll(SPECIAL_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** Counts code points, so that no surrogate pair is split. */
function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  return NOT_ASCII.test(text) ? [...text].slice(0, count).join('') : text.slice(0, count);
}

function lastCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  return NOT_ASCII.test(text) ? [...text].slice(-count).join('') : text.slice(-count);
}

/** Checks the transforms of one side of a condition; returns null if there are faults. `path` is that of the member `key` or `value`. */
export function compileTransforms(given: TransformsOfSide | undefined, path: string, errors: FieldError[]): Transforms | null {
  if (given === undefined || given === null) return NO_TRANSFORMS;
  const list = Array.isArray(given) ? given : [given];
  const before = errors.length;
  if (list.length > RULE_LIMITS.transforms) {
    const message = phrase('rules.transforms.thereAreTransforms', { list: list.length, transforms: RULE_LIMITS.transforms });
    errors.push({ path, code: 'too_many_transforms', message });
  }
  const texts: TextStep[] = [];
  const numbers: NumberStep[] = [];
  for (const [index, transform] of list.entries()) {
    const place = Array.isArray(given) ? `${path}.${index}` : path;
    const step = compileTransform(transform, place, errors);
    if (step === 'absolute' || step === 'negate') numbers.push(step);
    else if (step !== null && numbers.length > 0) {
      const message = phrase('rules.transforms.changesTextButBeforeIt', { nameOf: nameOf(transform), at: numbers.at(-1) ?? '' });
      errors.push({ path: place, code: 'transform_not_allowed', message });
    } else if (step !== null) texts.push(step);
  }
  return errors.length > before ? null : { texts, numbers, names: list.map(describedTransform) };
}

function describedTransform(transform: TransformInput): string {
  const args = typeof transform === 'string' ? {} : (transform.args ?? {});
  return [nameOf(transform), ...Object.values(args)].join(' ');
}

function nameOf(transform: TransformInput): string {
  return typeof transform === 'string' ? transform : transform.name;
}

function compileTransform(transform: TransformInput, path: string, errors: FieldError[]): TextStep | NumberStep | null {
  const name = nameOf(transform);
  const args = typeof transform === 'string' ? {} : (transform.args ?? {});
  const report = (place: string, code: string, message: string): null => {
    errors.push({ path: `${path}${place}`, code, message });
    return null;
  };
  const takes = name === 'extract' ? 'pattern' : name === 'first_n_chars' || name === 'last_n_chars' ? 'n' : null;
  const other = Object.keys(args).find((argument) => argument !== takes);
  if (other !== undefined) {
    const allowed = takes === null ? phrase('rules.transforms.itTakesNone') : phrase('rules.transforms.itTakes', { takes });
    return report(
      `.args.${other}`,
      'argument_not_allowed',
      phrase('rules.transforms.takesNoArgument', { name, otherPart: other, allowed }),
    );
  }
  if (name === 'absolute' || name === 'negate') return name;
  if (takes === 'n') return charactersStep(name, args.n, report);
  if (takes === 'pattern') return extractStep(args.pattern, report);
  const step = Object.hasOwn(PLAIN_STEPS, name) ? PLAIN_STEPS[name as TransformName] : undefined;
  return (
    step ??
    report(
      '',
      'unknown_transform',
      phrase('rules.transforms.isNotATransformAllowed', { name: String(name), transforms: TRANSFORMS.join(', ') }),
    )
  );
}

type Report = (place: string, code: string, message: string) => null;

function charactersStep(name: string, n: number | undefined, report: Report): TextStep | null {
  const most = RULE_LIMITS.characters;
  const example = `{"name": "${name}", "args": {"n": 4}}`;
  if (n === undefined) return report('', 'missing_argument', phrase('rules.transforms.needsToKnowHowMany', { name, example }));
  if (!Number.isInteger(n) || n < 1 || n > most) {
    return report('.args.n', 'invalid_argument', phrase('rules.transforms.nIsAWholeNumber', { most }));
  }
  return name === 'first_n_chars' ? (text) => firstCharacters(text, n) : (text) => lastCharacters(text, n);
}

function extractStep(pattern: string | undefined, report: Report): TextStep | null {
  const example = '{"name": "extract", "args": {"pattern": "INV-(\\\\d+)"}}';
  if (pattern === undefined) return report('', 'missing_argument', phrase('rules.transforms.extractNeedsAPattern', { example }));
  if (typeof pattern !== 'string' || pattern === '' || pattern.length > RULE_LIMITS.patternLength) {
    return report(
      '.args.pattern',
      'invalid_pattern',
      phrase('rules.transforms.patternIsTooLong', { patternLength: RULE_LIMITS.patternLength }),
    );
  }
  const compiled = compilePattern(pattern);
  if (!compiled.ok)
    return report('.args.pattern', compiled.error.code, phrase('rules.transforms.thePattern', { error: compiled.error.message }));
  return (text) => compiled.value(text) ?? '';
}
