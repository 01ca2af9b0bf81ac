import { lineOf, nodesOf, parse, type Source, type SyntaxNode } from './sources.ts';

export const SIZE_LIMITS = { fileLines: 800, functionLines: 70 } as const;

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export function fileSizeFaults(source: Source): string[] {
  const lines = source.text.replace(/\n$/, '').split('\n').length;
  return lines <= SIZE_LIMITS.fileLines ? [] : [`${source.file}: ${lines} lines; split it below ${SIZE_LIMITS.fileLines + 1}`];
}

function functionFault(source: Source, node: SyntaxNode): string[] {
  const lines = source.text.slice(node.start, node.end).split('\n').length;
  if (lines <= SIZE_LIMITS.functionLines) return [];
  const first = lineOf(source.text, node.start);
  return [`${source.file}:${first}: a function of ${lines} lines; split it below ${SIZE_LIMITS.functionLines + 1}`];
}

/** Returns faults of functions, methods, arrow functions and React components, measured from the first parameter or name to the closing brace. */
export function functionSizeFaults(source: Source): string[] {
  // A function has no more lines than its file, so short files need not be parsed.
  if (source.text.split('\n').length <= SIZE_LIMITS.functionLines) return [];
  return [...nodesOf(parse(source).program)]
    .filter((node) => FUNCTIONS.has(node.type) && node['body'] !== null)
    .flatMap((node) => functionFault(source, node));
}
