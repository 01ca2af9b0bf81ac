import { lineOf, nodesOf, parse, type Source, type SyntaxNode } from './sources.ts';

/** Attributes and members whose text people read, or hear from a screen reader. */
const READ = new Set(
  'title label aria-label aria-description aria-valuetext placeholder description legend hint alt error heading text note message words sentence headerName headerTooltip'.split(
    ' ',
  ),
);

const WORD = /\p{L}{2,}/u;
/** Three words in a row, the first of them not a class, a property or a path. */
const SENTENCE = /(?:^|\s)\p{L}[\p{L}’'-]*[,;:]? \p{L}[\p{L}’'-]*[,;:]? \p{L}/u;
/** The product, the key of a sentence, an address. */
const NO_WORDS = /^(?:Tieout|[a-z]+(?:\.[A-Za-z0-9]+)+|https?:\/\/\S*)$/;
/** SQL, whole or a clause of it: keywords in capitals, or the alias of a table or a column. */
const SQL =
  /^\s*\(?(?:SELECT|INSERT|UPDATE|DELETE|REPLACE|CREATE|DROP|ALTER|ATTACH|DETACH|PRAGMA|VACUUM|WITH|FROM|WHERE|AND|OR|ON|SET|CASE|COALESCE|EXISTS|UNION|COMMIT|BEGIN)\b|\b(?:SELECT|FROM|WHERE|JOIN|ORDER BY|INDEXED BY|IS NULL|IS NOT NULL|NULLS LAST)\b|\bAND [a-z_]+\.|\bAS [a-z]\w*|^[a-z_.]+ as [a-z]\w*$/;
const STYLE = /var\(--|calc\(|minmax\(|\d(?:px|rem|ms|%)|^[MmLl] ?\d/;

function isText({ type }: SyntaxNode): boolean {
  return type === 'Literal' || type === 'TemplateLiteral';
}

/** Returns the text of a literal, with a blank for each value of a template; null for any other node. */
function textOf(node: SyntaxNode): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null;
  if (node.type !== 'TemplateLiteral') return null;
  return (node['quasis'] as readonly { readonly value: { readonly cooked: string } }[]).map(({ value }) => value.cooked).join(' ');
}

function nameOf(node: unknown): string {
  const { name, value, namespace } = node as Record<string, unknown>;
  if (namespace !== undefined) return '';
  return typeof name === 'string' ? name : typeof value === 'string' ? value : '';
}

/** Returns the texts of a literal, of both arms of a choice, or of what is in braces. */
function textsWithin(node: SyntaxNode | null): string[] {
  if (node === null) return [];
  if (isText(node)) return [textOf(node) ?? ''];
  if (node.type === 'JSXExpressionContainer') return textsWithin(node['expression'] as SyntaxNode);
  if (node.type === 'ConditionalExpression') {
    return [...textsWithin(node['consequent'] as SyntaxNode), ...textsWithin(node['alternate'] as SyntaxNode)];
  }
  if (node.type === 'LogicalExpression') return textsWithin(node['right'] as SyntaxNode);
  return [];
}

/** Returns the texts of a node that people read there, whatever they say. */
function readTexts(node: SyntaxNode): string[] {
  switch (node.type) {
    case 'JSXText':
      return [String(node['value'])];
    case 'JSXElement':
    case 'JSXFragment':
      return (node['children'] as SyntaxNode[]).filter(({ type }) => type === 'JSXExpressionContainer').flatMap(textsWithin);
    case 'JSXAttribute':
      return READ.has(nameOf(node['name'])) ? textsWithin(node['value'] as SyntaxNode | null) : [];
    case 'Property':
      return READ.has(nameOf(node['key'])) ? textsWithin(node['value'] as SyntaxNode) : [];
    default:
      return [];
  }
}

/** Returns the nodes whose texts nobody reads: modules, types, errors of programming, lines of the log, what a text is compared with. */
function isUnread(node: SyntaxNode): boolean {
  if (node.type.startsWith('TS') && node.type !== 'TSAsExpression' && node.type !== 'TSSatisfiesExpression') return true;
  if (['ImportDeclaration', 'TaggedTemplateExpression'].includes(node.type)) return true;
  if (node.type === 'JSXAttribute') return ['className', 'style'].includes(nameOf(node['name']));
  if (node.type === 'NewExpression') return nameOf(node['callee']) === 'Error';
  if (node.type !== 'CallExpression') return false;
  const callee = node['callee'] as SyntaxNode;
  if (callee.type !== 'MemberExpression') return ['assert', 'present'].includes(nameOf(callee));
  if (nameOf(callee['property']) === 'startsWith') return true;
  const object = callee['object'] as SyntaxNode;
  return nameOf(object.type === 'MemberExpression' ? object['property'] : object) === 'log';
}

/**
 * Returns the sentences of a file that are written in its code, where the catalogue does not have them. In the service a member such as `text` may
 * hold a code, so there only texts of three words count.
 */
export function wordFaults(source: Source, readsMembers = true): string[] {
  const nodes = [...nodesOf(parse(source).program)];
  const unread = nodes.filter(isUnread);
  const faults = new Set<string>();
  for (const node of nodes) {
    const texts = (readsMembers ? readTexts(node) : []).filter((text) => WORD.test(text) && !NO_WORDS.test(text));
    const own = textOf(node);
    if (own !== null && SENTENCE.test(own) && !STYLE.test(own) && !SQL.test(own)) texts.push(own);
    if (texts.length === 0 || unread.some(({ start, end }) => node.start >= start && node.end <= end)) continue;
    const line = lineOf(source.text, node.start);
    for (const text of texts) faults.add(`${source.file}:${line}: “${text.trim().replaceAll(/\s+/g, ' ')}” is not in src-shared/words`);
  }
  return [...faults];
}
