import { Backtracking } from '../support/pumping/backtracking.ts';
import { pumped, type PumpedText, pumpedTexts } from '../support/pumping/pumped-texts.ts';
import { lineOf, nodesOf, parse, type Source, type SyntaxNode } from './sources.ts';

type Expression = Pick<RegExp, 'source' | 'flags'>;

/**
 * Lengths of pumped texts, in characters. The longer ones exceed all counted repetitions (`{0,59}`), and are tried only where the shorter ones took
 * long.
 */
const SHORT = 100;
const LONG = 800;
/** An expression with fewer steps per character at the first length is not tested further. */
const FEW_STEPS = 15;
/** Most growth of the steps for twice the text. Linear expressions have 2, quadratic ones 4, exponential ones any number. */
const MOST_GROWTH = 2.4;
const MOST_STEPS = 2_000_000;

/** Returns a pumped text on which the steps grow faster than the text; null where none was found. */
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

/** Returns the expressions that a file makes from texts. Only those that are made while the module loads can be checked. */
export function madeExpressions(source: Source): readonly SyntaxNode[] {
  // Most files have none and need not be parsed.
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

/** Matches where an expression may begin: a slash that follows no value, which would be a division. Files without such a place are not parsed. */
const MAY_BEGIN = /(?:^|[^\w$)\]\s'"`.*]|\b(?:return|typeof|case|in|of|else|do|void|await|yield|throw|new|delete|instanceof))\s*\/(?![/*])/;

/** Returns the expressions of a file whose steps grow faster than some text. */
export function expressionFaults(source: Source): string[] {
  if (!MAY_BEGIN.test(source.text)) return [];
  return [...nodesOf(parse(source).program)].flatMap((node) => {
    const { regex } = node as { readonly regex?: { readonly pattern: string; readonly flags: string } };
    if (regex === undefined) return [];
    return faultOf(`${source.file}:${lineOf(source.text, node.start)}`, { source: regex.pattern, flags: regex.flags });
  });
}

/** Returns the same faults for expressions that modules made from texts. */
export function madeExpressionFaults(file: string, expressions: readonly Expression[]): string[] {
  return expressions.flatMap((expression) => faultOf(file, expression));
}
