/** An element of an SGML or XML text without attributes, as OFX uses them. */
export interface SgmlElement {
  readonly name: string;
  /** Line of the text where it begins, from 1. */
  readonly row: number;
  readonly text: string;
  readonly children: readonly SgmlElement[];
  /** The text ends before it does. */
  readonly isOpen: boolean;
}

interface Building {
  readonly name: string;
  readonly row: number;
  text: string;
  readonly children: Building[];
  isOpen: boolean;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const MAX_DEPTH = 100;
const NO_LEAVES: ReadonlySet<string> = new Set();

/**
 * Reads elements whose end tags may be missing (OFX 1): an element with text ends where the next tag begins, one with
 * elements where its end tag stands; `leaves` never have elements, also when they are empty. Entities beyond the usual ones and numbers are left as they are; nothing is ever resolved.
 */
export function readSgml(text: string, leaves: ReadonlySet<string> = NO_LEAVES): SgmlElement {
  const root: Building = { name: '', row: 1, text: '', children: [], isOpen: false };
  const open: Building[] = [root];
  const tag = /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<(\/?)([A-Za-z][\w.:-]*)[^<>]*?(\/?)>/g;
  let row = 1;
  let at = 0;
  const take = (until: number): void => {
    const piece = text.slice(at, until);
    const current = open.at(-1);
    if (current !== undefined && piece.trim() !== '') current.text += decoded(piece.trim());
    row += lineEnds(piece);
    at = until;
  };
  for (let found = tag.exec(text); found !== null; found = tag.exec(text)) {
    take(found.index);
    const [whole, cdata, slash, name = '', selfClosed] = found;
    const current = open.at(-1);
    if (cdata !== undefined) {
      if (current !== undefined) current.text += cdata;
    } else if (name !== '') step(open, { name: name.toUpperCase(), row, isEnd: slash === '/', isEmpty: selfClosed === '/' }, leaves);
    row += lineEnds(whole);
    at = found.index + whole.length;
  }
  take(text.length);
  for (const element of open) element.isOpen = true;
  return root;
}

function step(open: Building[], tag: { name: string; row: number; isEnd: boolean; isEmpty: boolean }, leaves: ReadonlySet<string>): void {
  if (tag.isEnd) {
    const at = open.findLastIndex((element) => element.name === tag.name);
    if (at > 0) open.length = at;
    return;
  }
  // An element that has text has no elements: its end tag was left out.
  const before = open.at(-1);
  if (before !== undefined && open.length > 1 && (before.text !== '' || leaves.has(before.name))) open.pop();
  const element: Building = { name: tag.name, row: tag.row, text: '', children: [], isOpen: false };
  open.at(-1)?.children.push(element);
  if (!tag.isEmpty && open.length < MAX_DEPTH) open.push(element);
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal === undefined ? (hex === undefined ? null : Number.parseInt(hex, 16)) : Number(decimal);
    if (code !== null) return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    return ENTITIES[(name ?? '').toLowerCase()] ?? whole;
  });
}

/** The first child of a name. */
export function childOf(element: SgmlElement | undefined, name: string): SgmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

/** Text of the first child of a name; an empty one counts as missing. */
export function textOf(element: SgmlElement | undefined, name: string): string | null {
  const text = childOf(element, name)?.text.trim() ?? '';
  return text === '' ? null : text;
}

/** Elements of a name at any depth, in order. Those inside one that was found are not looked for. */
export function findAll(element: SgmlElement, names: readonly string[]): SgmlElement[] {
  return element.children.flatMap((child) => (names.includes(child.name) ? [child] : findAll(child, names)));
}
