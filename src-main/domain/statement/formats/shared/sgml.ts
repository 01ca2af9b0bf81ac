/** An element of an SGML or XML text without attributes, as OFX uses them. */
export interface SgmlElement {
  readonly name: string;
  /** Line of the text where it begins, from 1. */
  readonly row: number;
  readonly text: string;
  readonly children: readonly SgmlElement[];
  /** True where the text ends before the element does. */
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
 * Reads elements whose end tags may be missing (OFX 1). An element with text ends at the next tag, one with children at its end tag; `leaves` never
 * have children, even when empty. Decodes the usual entities and numbers, leaves others as they are, and never resolves anything.
 */
export function readSgml(text: string, leaves: ReadonlySet<string> = NO_LEAVES): SgmlElement {
  const root: Building = { name: '', row: 1, text: '', children: [], isOpen: false };
  const open: Building[] = [root];
  let row = 1;
  let at = 0;
  const take = (until: number): void => {
    const piece = text.slice(at, until);
    const current = open.at(-1);
    if (current !== undefined && piece.trim() !== '') current.text += decoded(piece.trim());
    row += lineEnds(piece);
    at = until;
  };
  for (const mark of marksOf(text)) {
    take(mark.from);
    const current = open.at(-1);
    if (mark.kind === 'text' && current !== undefined) current.text += text.slice(mark.from + CDATA.length, mark.to - CDATA_END.length);
    else if (mark.kind === 'tag') step(open, { ...mark, row }, leaves);
    row += lineEnds(text.slice(mark.from, mark.to));
    at = mark.to;
  }
  take(text.length);
  for (const element of open) element.isOpen = true;
  return root;
}

/** A piece of markup between texts, by its offsets. */
type Mark = { readonly from: number; readonly to: number } & (
  | { readonly kind: 'text' | 'comment' }
  | { readonly kind: 'tag'; readonly name: string; readonly isEnd: boolean; readonly isEmpty: boolean }
);

const CDATA = '<![CDATA[';
const CDATA_END = ']]>';
const COMMENT = '<!--';
const COMMENT_END = '-->';
/** Matches a name as a whole or not at all, so that a tag without an end fails at once. */
const TAG = /<(\/?)([A-Za-z][\w.:-]*)(?![\w.:-])([^<>]*)>/y;

/** Yields markup in order; markup without an end is text. Each character is examined at most a constant number of times. */
function* marksOf(text: string): Generator<Mark> {
  const endOfCdata = endsOf(text, CDATA_END);
  const endOfComment = endsOf(text, COMMENT_END);
  for (let from = text.indexOf('<'); from >= 0; from = text.indexOf('<', from)) {
    const isCdata = text.startsWith(CDATA, from);
    TAG.lastIndex = from;
    const mark: Mark | null =
      isCdata || text.startsWith(COMMENT, from)
        ? between(from, isCdata ? endOfCdata(from + CDATA.length) : endOfComment(from + COMMENT.length), isCdata ? 'text' : 'comment')
        : tagOf(TAG.exec(text));
    if (mark !== null) yield mark;
    from = mark?.to ?? from + 1;
  }
}

function between(from: number, to: number, kind: 'text' | 'comment'): Mark | null {
  return to < 0 ? null : { kind, from, to };
}

function tagOf(found: RegExpExecArray | null): Mark | null {
  if (found === null) return null;
  const [whole, slash, name = '', rest = ''] = found;
  const to = found.index + whole.length;
  return { kind: 'tag', from: found.index, to, name: name.toUpperCase(), isEnd: slash === '/', isEmpty: rest.endsWith('/') };
}

/** Returns a function that gives the offset behind the next `end`, or -1. Once there is none, it does not search again. */
function endsOf(text: string, end: string): (from: number) => number {
  let isThere = true;
  return (from) => {
    const at = isThere ? text.indexOf(end, from) : -1;
    isThere = at >= 0;
    return isThere ? at + end.length : -1;
  };
}

function step(open: Building[], tag: { name: string; row: number; isEnd: boolean; isEmpty: boolean }, leaves: ReadonlySet<string>): void {
  if (tag.isEnd) {
    const at = open.findLastIndex((element) => element.name === tag.name);
    if (at > 0) open.length = at;
    return;
  }
  // An element with text has no children: its end tag was left out.
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

/** Returns the first child with a name. */
export function childOf(element: SgmlElement | undefined, name: string): SgmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

/** Returns the text of the first child with a name; null where it is missing or empty. */
export function textOf(element: SgmlElement | undefined, name: string): string | null {
  const text = childOf(element, name)?.text.trim() ?? '';
  return text === '' ? null : text;
}

/** Returns elements with these names at any depth, in order, but none inside another match. */
export function findAll(element: SgmlElement, names: readonly string[]): SgmlElement[] {
  return element.children.flatMap((child) => (names.includes(child.name) ? [child] : findAll(child, names)));
}
