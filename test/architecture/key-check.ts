import { lineOf, nodesOf, parse, type Source, type SyntaxNode } from './sources.ts';

/** Where the keys of a file do something: the screen of the first row that fits. Keys of the frame do it everywhere. */
const SCREENS: readonly (readonly [RegExp, string])[] = [
  [/\/app\//, 'all'],
  [/\/book\/history-/, 'history'],
  [/\/book\//, 'book'],
  [/\/records\/exceptions-/, 'exceptions'],
  [/\/records\//, 'records'],
  [/\/(?:matches|rules|runs|reconciliations)\//, 'reconciliation'],
  [/\/close\//, 'close'],
  [/\/streams\//, 'account'],
  [/\/sync\//, 'sync'],
];

interface Listed {
  readonly screens: 'all' | readonly string[];
  readonly keys: readonly (readonly [readonly string[], string])[];
}

const NAMES: Readonly<Record<string, string>> = {
  '↑': 'arrowup',
  '↓': 'arrowdown',
  '←': 'arrowleft',
  '→': 'arrowright',
  esc: 'escape',
  '⌘': 'mod',
  ctrl: 'mod',
};
/** Keys that do what another one does, which the help lists. */
const SECOND_KEYS: Readonly<Record<string, string>> = { 'mod+y': 'mod+shift+z' };
const nameOf = (key: string): string => NAMES[key.toLowerCase()] ?? key.toLowerCase();

/** Returns the keys that the help lists for a screen, as `useShortcuts` names them. */
function listedFor(screen: string, help: readonly Listed[]): ReadonlySet<string> {
  const keys = help.filter(({ screens }) => screens === 'all' || screens.includes(screen)).flatMap((section) => section.keys);
  return new Set(keys.flatMap(([given]) => (nameOf(given[0] ?? '') === 'mod' ? [given.map(nameOf).join('+')] : given.map(nameOf))));
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression']);

/** Yields a text of a list, or the `keys` of an object in it. */
function* inList(element: SyntaxNode): Generator<string> {
  if (element.type === 'Literal' && typeof element['value'] === 'string') yield element['value'];
  if (element.type !== 'ObjectExpression') return;
  for (const property of element['properties'] as readonly SyntaxNode[]) {
    const [key, value] = [property['key'], property['value']];
    if (isNode(key) && key['name'] === 'keys' && isNode(value)) yield* inList(value);
  }
}

/** Yields the keys of objects and the texts of lists within an argument, without what its functions do. */
function* namedIn(node: SyntaxNode, constants: ReadonlyMap<string, SyntaxNode>): Generator<string> {
  if (FUNCTIONS.has(node.type)) return;
  if (node.type === 'Property') {
    const key = node['key'] as SyntaxNode;
    yield String(key.type === 'Identifier' ? key['name'] : key['value']);
    return;
  }
  if (node.type === 'Identifier') {
    const constant = constants.get(String(node['name']));
    if (constant !== undefined) yield* namedIn(constant, new Map());
    return;
  }
  // Which object is taken is no key.
  const parts = node.type === 'ConditionalExpression' ? [node['consequent'], node['alternate']] : Object.values(node).flat();
  if (node.type === 'ArrayExpression') {
    for (const element of node['elements'] as readonly unknown[]) {
      if (isNode(element)) yield* inList(element);
    }
    return;
  }
  for (const part of parts) if (isNode(part)) yield* namedIn(part, constants);
}

/** Returns the keys that a file listens for by `useShortcuts`, as far as they are written there. */
export function keysOf(source: Source): { readonly key: string; readonly line: number }[] {
  const nodes = [...nodesOf(parse(source).program)];
  const constants = new Map<string, SyntaxNode>();
  for (const node of nodes) {
    const [id, init] = [node['id'], node['init']];
    if (node.type === 'VariableDeclarator' && isNode(id) && id.type === 'Identifier' && isNode(init))
      constants.set(String(id['name']), init);
  }
  return nodes.flatMap((node) => {
    const callee = node['callee'];
    if (node.type !== 'CallExpression' || !isNode(callee) || callee['name'] !== 'useShortcuts') return [];
    const [asked] = node['arguments'] as readonly SyntaxNode[];
    const line = lineOf(source.text, node.start);
    return asked === undefined ? [] : [...namedIn(asked, constants)].map((key) => ({ key, line }));
  });
}

/** Returns the keys of a file that the help of the keyboard does not list for its screen. */
export function keyFaults(source: Source, help: readonly Listed[]): string[] {
  const screen = SCREENS.find(([where]) => where.test(source.file))?.[1];
  return keysOf(source).flatMap(({ key, line }) => {
    if (screen === undefined) return [`${source.file}:${line}: no screen is known for its keys; add a row to SCREENS`];
    // After G a digit shows the tab that it shows by itself; the help says so once.
    const name = key.startsWith('g ') ? 'g' : (SECOND_KEYS[key] ?? key.toLowerCase());
    return listedFor(screen, help).has(name) ? [] : [`${source.file}:${line}: the help of the keyboard does not list ${key} for ${screen}`];
  });
}
