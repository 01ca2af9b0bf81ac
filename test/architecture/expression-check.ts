import { Backtracking } from '../support/pumping/backtracking.ts';
import { pumped, type PumpedText, pumpedTexts } from '../support/pumping/pumped-texts.ts';
import { lineOf, nodesOf, parse, type Source, type SyntaxNode } from './sources.ts';

type Expression = Pick<RegExp, 'source' | 'flags'>;

/** Lengths of pumped texts, in characters. The longer ones are beyond all counted repetitions (`{0,59}`), and are tried where the shorter ones took long. */
const SHORT = 100;
const LONG = 800;
/** Fewer steps for each character at the first length: it is not looked at again. */
const FEW_STEPS = 15;
/** Twice the text takes twice the steps, or it grows faster than the text does: four times the steps, or without end. */
const MOST_GROWTH = 2.4;
const MOST_STEPS = 2_000_000;

/** The pumped text on which an expression takes more steps for each character the longer it is; null where none was found. */
function slowText(expression: Expression): PumpedText | null {
  const engine = new Backtracking(expression);
  const growth = (text: PumpedText, characters: number): number => {
    const steps = engine.steps(pumped(text, characters), MOST_STEPS);
    if (steps > MOST_STEPS) return Infinity;
    if (characters === SHORT && steps < SHORT * FEW_STEPS) return 1;
    return engine.steps(pumped(text, characters * 2), MOST_STEPS * 3) / steps;
  };
  const isSlow = (text: PumpedText): boolean => growth(text, SHORT) > MOST_GROWTH && growth(text, LONG) > MOST_GROWTH;
  return pumpedTexts(expression).find(isSlow) ?? null;
}

/** Expressions that are made from texts as a module loads; those that are made later cannot be looked at. */
export function madeExpressions(source: Source): readonly SyntaxNode[] {
  // Most files have none, and need not be parsed to see that.
  if (!source.text.includes('RegExp')) return [];
  return [...nodesOf(parse(source).program)].filter(
    (node) =>
      (node.type === 'NewExpression' || node.type === 'CallExpression') && (node['callee'] as { name?: unknown } | null)?.name === 'RegExp',
  );
}

function faultOf(place: string, expression: Expression): string[] {
  const slow = slowText(expression);
  if (slow === null) return [];
  const { before, pump, behind } = slow;
  return [
    `${place}: /${expression.source}/${expression.flags} takes ever longer on ${JSON.stringify(before)}, ${JSON.stringify(pump)} again and again, ${JSON.stringify(behind)}; write it so that its steps grow with the text alone`,
  ];
}

/** Where an expression may begin: behind no value, which would be divided. Most files have no such place, and are not looked through node by node. */
const MAY_BEGIN = /(?:^|[^\w$)\]\s'"`.*]|\b(?:return|typeof|case|in|of|else|do|void|await|yield|throw|new|delete|instanceof))\s*\/(?![/*])/;

/** Expressions of a file that take more than a bounded number of steps for each character of some text. */
export function expressionFaults(source: Source): string[] {
  if (!MAY_BEGIN.test(source.text)) return [];
  return [...nodesOf(parse(source).program)].flatMap((node) => {
    const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } };
    if (regex === undefined) return [];
    return faultOf(`${source.file}:${lineOf(source.text, node.start)}`, { source: regex.pattern, flags: regex.flags });
  });
}

/** The same of expressions that a module made from texts. */
export function madeExpressionFaults(file: string, expressions: readonly Expression[]): string[] {
  return expressions.flatMap((expression) => faultOf(file, expression));
}
