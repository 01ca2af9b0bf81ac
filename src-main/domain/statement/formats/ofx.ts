import type { BalanceType, Problem } from '../../../../src-shared/contract/index.ts';
import { dayFromParts } from '../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, NO_CURRENCY } from '../../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { amountShape, decideMark, type DecimalMark, markOf, minorOf } from '../cells/amounts.ts';
import { note, quoted, rejection, unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';
import type { FormatOptions, StatedAmount, StatedBalance, StatedEntry, StatedFile, StatedSection } from './shared/stated-file.ts';
import { cutOff, cutOffRow, impossibleDate, lastRow } from './shared/written-values.ts';

/** Elements that hold text alone. */
const LEAVES = new Set(
  'ACCTID ACCTTYPE BALAMT BANKID BRANCHID CHECKNUM CODE CURDEF CURRATE CURSYM DTASOF DTAVAIL DTEND DTPOSTED DTSERVER DTSTART DTUSER FITID MEMO MESSAGE NAME REFNUM SEVERITY SIC SRVRTID TRNAMT TRNTYPE TRNUID'.split(
    ' ',
  ),
);
const STATEMENTS = ['STMTRS', 'CCSTMTRS', 'INVSTMTRS'] as const;
/** Children of an investment account's list that are not trades. */
const NOT_INVESTMENTS = new Set(['DTSTART', 'DTEND', 'INVBANKTRAN']);
const ROOT = /<OFX>/gi;
const AGGREGATE = /<\w+MSGSRS(?:V\d)?>/iy;
/** Most decimals that an amount may have. */
const MAX_PLACES = 8;

const HEAD_CHARACTERS = 4_096;

/** Whether a text is OFX. Programs leave the header out, cut it or write it as a comment, so the root element with its first aggregate decides. */
export function looksLikeOfx(text: string): boolean {
  const head = text.slice(0, HEAD_CHARACTERS);
  return /^\s*(?:OFXHEADER|<\?OFX|<OFX)/i.test(head) || /^\s*<\?xml[\s\S]*?<\?OFX\b/i.test(head) || hasRoot(head);
}

/** Whether a text has a root element that an aggregate follows, comments aside. */
function hasRoot(head: string): boolean {
  for (const root of head.matchAll(ROOT)) {
    AGGREGATE.lastIndex = behindComments(head, root.index + root[0].length);
    if (AGGREGATE.test(head)) return true;
  }
  return false;
}

/** Returns the offset of the first thing that is neither blank nor a comment; the end of the text where a comment does not end. */
function behindComments(text: string, from: number): number {
  for (let at = from; ;) {
    at += text.slice(at).search(/\S|$/);
    if (!text.startsWith('<!--', at)) return at;
    const end = text.indexOf('-->', at);
    if (end < 0) return text.length;
    at = end + 3;
  }
}

/** Reads OFX 1 (SGML), OFX 2 (XML) and QFX: bank, card and the cash part of investment statements. */
export function readOfx(text: string, options: FormatOptions): Result<StatedFile, Unreadable> {
  const declared = declaredType(text);
  if (declared?.hasEntities === true) {
    const message = phrase('statement.ofx.theOfxFileDeclaresEntities', { row: declared.row });
    return failed(unreadable('unreadable_xml', message, declared.row));
  }
  const root = readSgml(text, LEAVES);
  const statements = findAll(root, STATEMENTS);
  if (statements.length === 0) return failed(refusalOf(root));
  const mark = markOfAmounts(root);
  return success({
    format: 'ofx',
    sections: statements.map((statement) => sectionOf(statement, mark, options)),
    controls: [],
    problems: [...typeNotes(declared), ...notesOn(statements)],
    pendingRows: pendingRowsOf(statements),
    cutOff: /<\/OFX\s*>/i.test(text) ? [] : [cutOff(lastRow(text), phrase('statement.ofx.itsEnd', { mark: '</OFX>' }))],
    referenceFields: ['metadata.check_number', 'metadata.reference', 'description'],
  });
}

/** Returns the document type above the statement, or null. Nothing outside of the file that it names is ever read. */
function declaredType(text: string): { readonly row: number; readonly hasEntities: boolean } | null {
  const root = text.search(/<OFX\b/i);
  const found = /<!DOCTYPE\b[^[>]*(\[)?/i.exec(root < 0 ? text.slice(0, HEAD_CHARACTERS) : text.slice(0, root));
  return found === null ? null : { row: text.slice(0, found.index).split('\n').length, hasEntities: found[1] !== undefined };
}

function typeNotes(declared: { readonly row: number } | null): Problem[] {
  if (declared === null) return [];
  const message = phrase('statement.ofx.documentTypeThatTheFileDeclares', { row: declared.row });
  return [note('document_type_ignored', message, declared.row)];
}

/** Returns the refusal of a file without a statement. A server's error in its place says what went wrong. */
function refusalOf(root: SgmlElement): Unreadable {
  const faulty = findAll(root, ['STATUS']).find((status) => !/^0*$/.test(textOf(status, 'CODE') ?? '0'));
  if (faulty === undefined) {
    return unreadable('no_rows', phrase('statement.ofx.ofxFileHoldsNoBank'));
  }
  const words = textOf(faulty, 'MESSAGE') ?? phrase('statement.ofx.noReason');
  return unreadable(
    'no_rows',
    phrase('statement.ofx.theBankAnsweredCodeInstead', { words: quoted(words), textOf: textOf(faulty, 'CODE') ?? '' }),
    faulty.row,
    'STATUS',
  );
}

/** Returns the decimal mark of all amounts. Amounts in OFX have no groups, so an ambiguous mark is decimal unless other amounts rule it out. */
function markOfAmounts(root: SgmlElement): DecimalMark {
  const { mark, open } = decideMark(amountsIn(root));
  if (!open) return mark ?? '.';
  return mark === '.' ? ',' : '.';
}

/** Returns the rows of pending transactions, where nothing else was left out of the statements. */
function pendingRowsOf(statements: readonly SgmlElement[]): readonly number[] {
  if (notesOn(statements).some(({ code }) => code !== 'pending_rows_left_out')) return [];
  return statements.flatMap((statement) => findAll(statement, ['STMTTRNP'])).map(({ row }) => row);
}

function notesOn(statements: readonly SgmlElement[]): Problem[] {
  const problems: Problem[] = [];
  const pending = statements.flatMap((statement) => findAll(statement, ['STMTTRNP']));
  if (pending.length > 0) {
    const message = phrase('statement.ofx.transactionsNotBookedYetWereLeftOut', { pending: pending.length });
    problems.push(note('pending_rows_left_out', message, pending[0]?.row ?? null));
  }
  const others = statements
    .flatMap((statement) => childOf(statement, 'INVTRANLIST')?.children ?? [])
    .filter(({ name }) => !NOT_INVESTMENTS.has(name));
  if (others.length > 0) {
    const message = phrase('statement.ofx.investmentTransactionsPurchasesSalesIncome', { others: others.length });
    problems.push(note('records_left_out', message, others[0]?.row ?? null));
  }
  return problems;
}

function ownMark(body: string, ofFile: DecimalMark): DecimalMark {
  const own = markOf(body);
  return own === '.' || own === ',' ? own : ofFile;
}

function* amountsIn(root: SgmlElement): Generator<string> {
  for (const element of findAll(root, ['TRNAMT', 'BALAMT'])) {
    const shape = amountShape(element.text.trim());
    if (shape !== null) yield shape.body;
  }
}

function sectionOf(statement: SgmlElement, mark: DecimalMark, options: FormatOptions): StatedSection {
  const currency = textOf(statement, 'CURDEF')?.toUpperCase() ?? null;
  const from = childOf(statement, 'BANKACCTFROM') ?? childOf(statement, 'CCACCTFROM') ?? childOf(statement, 'INVACCTFROM');
  const known = currency ?? options.currency ?? NO_CURRENCY;
  const balances = [
    balanceOf(childOf(statement, 'LEDGERBAL'), 'closing_ledger', mark, known),
    balanceOf(childOf(statement, 'AVAILBAL'), 'closing_available', mark, known),
  ];
  return {
    row: statement.row,
    account: textOf(from, 'ACCTID'),
    currency,
    // A hold is pending in whichever list it is.
    entries: findAll(statement, ['STMTTRN']).map((transaction) => ({
      ...entryOf(transaction, mark, known),
      isPending: textOf(transaction, 'TRNTYPE') === 'HOLD',
    })),
    balances: balances.filter((balance) => balance !== null),
    period: periodOf(statement),
    controls: [],
  };
}

/** Returns the days that the bank was asked for. */
function periodOf(statement: SgmlElement): StatedSection['period'] {
  const list = childOf(statement, 'BANKTRANLIST') ?? childOf(statement, 'INVTRANLIST');
  const firstDay = dayOf(textOf(list, 'DTSTART'));
  const lastDay = dayOf(textOf(list, 'DTEND'));
  return firstDay === null || lastDay === null || lastDay < firstDay ? null : { firstDay, lastDay };
}

function balanceOf(element: SgmlElement | undefined, type: BalanceType, mark: DecimalMark, currency: string): StatedBalance | null {
  const shape = amountShape(textOf(element, 'BALAMT') ?? '');
  const minor = shape === null ? null : minorOf(shape.body, ownMark(shape.body, mark), decimalPlacesOf(currency));
  if (element === undefined || element.isOpen || shape === null || typeof minor !== 'number') return null;
  return { row: element.row, type, day: dayOf(textOf(element, 'DTASOF')), minor: shape.negative && minor > 0 ? -minor : minor, currency };
}

/** Returns the calendar day that the bank wrote; time and zone do not move it. */
function dayOf(text: string | null): number | null {
  const found = /^(\d{4})(\d{2})(\d{2})/.exec(text ?? '');
  return found === null ? null : dayFromParts(Number(found[1]), Number(found[2]), Number(found[3]));
}

const FIELDS: Readonly<Record<string, string>> = {
  TRNTYPE: 'transaction_type',
  CHECKNUM: 'check_number',
  REFNUM: 'reference',
  NAME: 'name',
  MEMO: 'memo',
  SIC: 'merchant_category',
};

function entryOf(transaction: SgmlElement, mark: DecimalMark, currency: string): StatedEntry {
  const { row } = transaction;
  const problems: Problem[] = [];
  const posted = textOf(transaction, 'DTPOSTED');
  const day = dayOf(posted);
  if (posted === null) {
    const message = phrase('statement.ofx.transactionInRowHasNoDate', { row });
    problems.push(rejection(row, 'DTPOSTED', 'unreadable_date', message));
  } else if (day === null) problems.push(impossibleDate(row, 'DTPOSTED', posted));
  // CURRENCY: the amount is in another currency. ORIGCURRENCY: it was converted into the account's.
  const own = textOf(childOf(transaction, 'CURRENCY'), 'CURSYM')?.toUpperCase() ?? null;
  const amount = amountOf(transaction, mark, own ?? currency, problems);
  const metadata: Record<string, string> = {};
  for (const [name, key] of Object.entries(FIELDS)) {
    const text = unescaped(textOf(transaction, name) ?? textOf(childOf(transaction, 'PAYEE'), name));
    if (text !== null && !(name === 'CHECKNUM' && /^0+$/.test(text))) metadata[key] = text;
  }
  const { name, memo, ...rest } = metadata;
  const words =
    name === undefined ? memo : memo === undefined || memo.includes(name) ? (memo ?? name) : name.includes(memo) ? name : `${name} ${memo}`;
  return {
    row,
    day,
    // DTUSER, the day of the customer's order, is no value day.
    valueDay: dayOf(textOf(transaction, 'DTAVAIL')),
    amount: transaction.isOpen ? null : amount,
    currency: own === currency ? null : own,
    description: words ?? null,
    id: textOf(transaction, 'FITID'),
    metadata: rest,
    problems: transaction.isOpen ? [cutOffRow(row, null)] : problems,
  };
}

function amountOf(transaction: SgmlElement, ofFile: DecimalMark, currency: string, problems: Problem[]): StatedAmount | null {
  const { row } = transaction;
  const text = textOf(transaction, 'TRNAMT') ?? '';
  const shape = amountShape(text);
  const mark = ownMark(shape?.body ?? '', ofFile);
  // Funds and brokers write more decimals than the currency has: these are kept.
  const places = Math.max(decimalPlacesOf(currency), decimalsOf(shape?.body ?? '', mark));
  const minor = shape === null ? 'unreadable_amount' : places > MAX_PLACES ? 'too_many_decimals' : minorOf(shape.body, mark, places);
  if (shape !== null && typeof minor === 'number') {
    return {
      minor,
      direction: shape.negative ? 'debit' : 'credit',
      ...(places > decimalPlacesOf(currency) ? { decimalPlaces: places } : {}),
    };
  }
  const code = typeof minor === 'number' ? 'unreadable_amount' : minor;
  const fault =
    code === 'too_many_decimals'
      ? phrase('statement.ofx.hasMoreThanDecimals', { maxPlaces: MAX_PLACES })
      : phrase('statement.ofx.cannotBeRead');
  const message = phrase('statement.ofx.theAmountOfTheTransaction', { text: quoted(text), row, fault });
  problems.push(rejection(row, 'TRNAMT', code, message));
  return null;
}

/** Returns the number of decimals without trailing zeros. */
function decimalsOf(body: string, mark: DecimalMark): number {
  const at = body.lastIndexOf(mark);
  return at < 0 ? 0 : body.slice(at + 1).replace(/(?<!0)0+$/, '').length;
}

/** Returns a text without the second escaping that some banks add: `&amp;lt;`. */
function unescaped(text: string | null): string | null {
  return text === null || !/&(?:lt|gt|amp|quot|apos|#\d+);/.test(text) ? text : (readSgml(`<X>${text}</X>`).children[0]?.text ?? text);
}

/** An element of an SGML or XML text without attributes, as OFX uses them. */
interface SgmlElement {
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
function readSgml(text: string, leaves: ReadonlySet<string> = NO_LEAVES): SgmlElement {
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
function childOf(element: SgmlElement | undefined, name: string): SgmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

/** Returns the text of the first child with a name; null where it is missing or empty. */
function textOf(element: SgmlElement | undefined, name: string): string | null {
  const text = childOf(element, name)?.text.trim() ?? '';
  return text === '' ? null : text;
}

/** Returns elements with these names at any depth, in order, but none inside another match. */
function findAll(element: SgmlElement, names: readonly string[]): SgmlElement[] {
  return element.children.flatMap((child) => (names.includes(child.name) ? [child] : findAll(child, names)));
}
