import type { BalanceType, Problem } from '../../../../../src-shared/contract/index.ts';
import { dayFromParts, isoFromDay } from '../../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, type Direction, NO_CURRENCY } from '../../../../../src-shared/values/money.ts';
import { phrase } from '../../../../../src-shared/words/say.ts';
import { note, quoted, rejection } from '../../model/problems.ts';
import type { ReversalMark } from '../../model/statement.ts';
import { markOfFormat } from '../../reversals/originals.ts';
import type { StatedBalance, StatedControl, StatedEntry, StatedFile, StatedSection } from '../shared/stated-file.ts';
import {
  cutOff,
  cutOffRow,
  fullYear,
  impossibleDate,
  isTorn,
  lastRow,
  sixDigitDay,
  unclearAmount,
  writtenAmount,
} from '../shared/written-values.ts';

/** A tag of a SWIFT message with the lines that belong to it. */
interface Field {
  readonly tag: string;
  readonly row: number;
  /** The text behind the tag, then its continuation lines. */
  readonly lines: readonly string[];
}

/** One message of a file. */
interface Message {
  /** Empty where the file has only its envelope. */
  readonly fields: readonly Field[];
  readonly row: number;
  /** True where a line ends it. */
  readonly isEnded: boolean;
  /** True where it is in an envelope, which must end. */
  readonly isEnveloped: boolean;
}

/** value date, entry date, mark with funds code, amount, type of transaction, references */
const LINE = /^(\d{6})(\d{4}| {4})?(RC|RD|EC|ED|C|D)([A-Z])?\s*(\d[\d.]*(?:,\d*)?|,\d+)(.*)$/is;
const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d[\d.]*(?:,\d*)?|,\d+)\s*$/;
/** number, currency, sum */
const SUM = /^(\d{1,5})([A-Z]{3})(\d[\d.]*(?:,\d*)?|,\d+)\s*$/;

const TAG = /^:(\d{2}[A-Z]?|NS):/;
/** Ends of a message: a lone dash, or one with the bracket of the envelope in any of its national forms. */
const MESSAGE_END = /^-(?:\}.*|[å\]]?)$/i;
/** Blocks of an envelope before the text of a message. */
const ENVELOPE = /^\{[1-4]:/;
/** Tags that occur inside a message, never at its beginning. */
const INNER_TAG = /^:(?:61|86|62[FM]|64|65|90[CD]):/;

interface Mt940FieldsBuilding {
  fields: Field[];
  row: number;
  isEnded: boolean;
  isEnveloped: boolean;
}

const begun = (): Mt940FieldsBuilding => ({ fields: [], row: 0, isEnded: false, isEnveloped: false });

/** Tags that occur before the transactions of a message, once each. */
const HEAD_TAG = /^(?:20|25[A-Z]?|28C?|60F)$/;

/**
 * Whether a tag begins the next message: tag 20 does. Where it is missing, another head tag does that the message already has, or that follows its
 * closing balance.
 */
function beginsNext(tag: string, { fields }: Mt940FieldsBuilding): boolean {
  if (fields.length === 0 || !HEAD_TAG.test(tag)) return false;
  return tag === '20' || fields.some((field) => field.tag === tag || field.tag.startsWith('62'));
}

/**
 * Returns the messages of a text. Each ends with its envelope, or where the next one begins; tags behind the end of a message form a message without
 * an envelope.
 */
function messagesOf(text: string): Message[] {
  const messages: Message[] = [];
  let message = begun();
  let open: { tag: string; row: number; lines: string[] } | null = null;
  let isClosed = false;
  const close = (): void => {
    if (message.fields.length > 0 || message.isEnveloped) messages.push(message);
    message = begun();
    open = null;
  };
  const lines = text.split('\n').map((raw) => raw.replaceAll(/[^\P{Cc}\t]/gu, '').trimEnd());
  const goesOn = goingOn(lines);
  for (const [index, line] of lines.entries()) {
    const found = TAG.exec(line);
    if (found !== null) {
      const field: { tag: string; row: number; lines: string[] } = {
        tag: found[1] ?? '',
        row: index + 1,
        lines: [line.slice(found[0].length)],
      };
      if (beginsNext(field.tag, message)) close();
      isClosed = field.tag.startsWith('62') || (isClosed && !HEAD_TAG.test(field.tag));
      if (message.row === 0) message.row = field.row;
      message.fields.push(field);
      open = field;
    } else if (MESSAGE_END.test(line) && (isClosed || goesOn[index] !== true)) {
      message.isEnded = true;
      close();
    } else if (ENVELOPE.test(line)) {
      if (message.fields.length > 0) close();
      message.isEnveloped = true;
      if (message.row === 0) message.row = index + 1;
      open = null;
    } else if (line !== '' && open !== null && !line.startsWith('{')) (open as { lines: string[] }).lines.push(line);
  }
  close();
  return messages;
}

/** Returns for each line whether the message continues behind it: a text may hold a lone dash, and the next tag is then an inner one. */
function goingOn(lines: readonly string[]): readonly boolean[] {
  const goesOn: boolean[] = [];
  let isInner = false;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    goesOn[at] = isInner;
    const line = lines[at] ?? '';
    if (TAG.test(line)) isInner = INNER_TAG.test(line);
  }
  return goesOn;
}

/** Matches a tag or an envelope of which only the beginning is there. */
const BEGUN = /^(?::[\dA-Z]{0,3}|\{[^}]*)$/;

/** Returns a problem for each message that lacks the end its format asks for. */
function missingEnds(text: string, messages: readonly Message[]): Problem[] {
  const end = lastRow(text);
  const problems: Problem[] = [];
  for (const [index, message] of messages.entries()) {
    const missing = missingOf(message, isTorn(text) && index === messages.length - 1);
    if (missing === null) continue;
    const next = messages[index + 1];
    problems.push(next === undefined ? cutOff(end, missing) : note('file_cut_off', between(message, missing, next), message.row));
  }
  if (problems.some(({ row }) => row === end)) return problems;
  const last = text.slice(text.lastIndexOf('\n') + 1).trimEnd();
  if (BEGUN.test(last)) problems.push(cutOff(end, phrase('statement.mt940.theMessageThatBeginsThere')));
  return [...problems, ...missingPages(messages)];
}

function between({ row }: Message, missing: string, next: Message): string {
  return phrase('statement.mt940.messageThatBeginsInRowEnds', { row, row2: next.row, missing });
}

/** Returns what a message lacks, in words; null where it is whole. Transactions behind the end of a message need no end of their own. */
function missingOf({ fields, isEnded, isEnveloped, row }: Message, isLineTorn: boolean): string | null {
  if (isEnveloped && !isEnded) return phrase('statement.mt940.theEndOfTheMessage', { mark: '-}', row });
  if (!fields.some(({ tag }) => HEAD_TAG.test(tag))) return null;
  const last = fields.at(-1);
  const isThere = (field: Field): boolean => !isLineTorn || field !== last || field.lines.length > 1 || isRead(field);
  if (fields.some((field) => field.tag.startsWith('62') && isThere(field))) return null;
  const opening = fields.find(({ tag }) => tag.startsWith('60'));
  if (opening !== undefined) return phrase('statement.mt940.closingBalance', { row: opening.row });
  // An interim report has no balances: it ends with the totals of its lines, or with an end mark.
  const isSummed = directionsOf(fields).every((tag) => fields.some((field) => field.tag === tag && isThere(field)));
  if (isEnded || (isSummed && fields.some(({ tag }) => tag.startsWith('90')))) return null;
  return phrase('statement.mt940.totalsOrEnd', { row });
}

/** Whether a last line is complete in its required parts. An amount has a decimal comma, or a point in its place. */
function isRead({ lines: [line = ''], tag }: Field): boolean {
  return (tag.startsWith('62') ? BALANCE : SUM).test(line.trim()) && /[.,]/.test(line);
}

function directionsOf(fields: readonly Field[]): readonly string[] {
  const marks = fields.filter(({ tag }) => tag === '61').map(({ lines: [line = ''] }) => LINE.exec(line)?.[3]?.toUpperCase() ?? '');
  const isDebit = (mark: string): boolean => /^(?:D|ED|RC)$/.test(mark);
  return [...(marks.some(isDebit) ? ['90D'] : []), ...(marks.some((mark) => !isDebit(mark)) ? ['90C'] : [])];
}

/** Returns a problem for each account whose last page closes with an intermediate balance (62M), which announces another page. */
function missingPages(messages: readonly Message[]): Problem[] {
  const lastPages = new Map<string, Field>();
  for (const { fields } of messages) {
    const account = fields.find(({ tag }) => tag === '25' || tag === '25P')?.lines[0]?.trim();
    const closing = fields.findLast(({ tag }) => tag.startsWith('62'));
    if (account !== undefined && closing !== undefined) lastPages.set(account, closing);
  }
  return [...lastPages]
    .filter(([, { tag }]) => tag === '62M')
    .map(([account, { row }]) => {
      const message = phrase('statement.mt940.theStatementOfAccountGoes', { account, row });
      return note('file_cut_off', message, row);
    });
}

/** The information to the account owner (tag 86), split where the bank marked its parts. */
interface Details {
  /** The purpose of the payment, else the whole text. */
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Lines of a SWIFT message have at most 65 characters: a line this long continues without a break. */
const FULL_LINE = 60;
/** A sub-field holds at most 27 characters: one this long continues in the next. */
const FULL_SUBFIELD = 27;
const STRUCTURED = /^\s*(\d{3})([^\p{L}\p{N}\s])(?=\d{2})/u;
const LINE_START = /^([?>])\d{2}/;

/** Codes of SEPA purpose text, each followed by `+` (as in `SVWZ+Rent`). */
const SEPA_CODES: Readonly<Record<string, string>> = {
  EREF: 'end_to_end_reference',
  KREF: 'customer_payment_reference',
  MREF: 'mandate_reference',
  CRED: 'creditor_id',
  BREF: 'bank_payment_reference',
  SVWZ: 'purpose',
};
/** Codes between slashes (as in `/REMI/Invoice 12/`), with their fields. */
const SLASH_CODES: Readonly<Record<string, string>> = {
  NAME: 'counterparty',
  IBAN: 'counterparty_account',
  BIC: 'counterparty_bank',
  REMI: 'purpose',
  EREF: 'end_to_end_reference',
  MARF: 'mandate_reference',
  CSID: 'creditor_id',
  TRTP: 'transaction_type',
};

/** Reads the lines of a tag 86: German sub-fields (`?20`), codes between slashes, or free text. */
function detailsOf(lines: readonly string[]): Details {
  const structured = STRUCTURED.exec(lines[0] ?? '');
  if (structured !== null) return subfields(joined(lines, ''), structured[1] ?? '', structured[2] ?? '?');
  const text = joined(lines, ' ').replaceAll(/\s+/g, ' ').trim();
  if (text === '') return { description: null, metadata: {} };
  const coded = /^\/[A-Z]{3,5}\//.test(text) ? slashCodes(text) : {};
  const { purpose, ...metadata } = coded;
  return { description: purpose ?? text, metadata };
}

/** Joins lines. A full line continues within a word; otherwise a line end is a space, and before a sub-field nothing. */
function joined(lines: readonly string[], gap: string): string {
  let text = '';
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1] ?? '';
    const isBroken = index > 0 && before.trimEnd().length < FULL_LINE && !LINE_START.test(line);
    text += `${isBroken ? ' ' : index > 0 && gap !== '' && before.endsWith(' ') ? gap : ''}${line}`;
  }
  return text;
}

function subfields(text: string, code: string, mark: string): Details {
  const parts = text.trimStart().slice(3).split(mark);
  const fields = new Map<string, string>();
  const purpose: string[] = [];
  for (const part of parts) {
    const found = /^(\d{2})([\s\S]*)$/.exec(part);
    const [number, value] = found === null ? [null, `${mark}${part}`] : [found[1] ?? '', found[2] ?? ''];
    if (number === null) {
      // The mark is part of the text itself.
      if (purpose.length > 0) purpose.push(`${purpose.pop() ?? ''}${value}`);
    } else if (isPurpose(number)) purpose.push(value);
    else fields.set(number, value);
  }
  const name = [fields.get('32'), fields.get('33')]
    .filter((each) => each !== undefined)
    .join('')
    .trim();
  const { purpose: remittance, ...codes } = sepaCodes(gathered(purpose));
  const metadata: Record<string, string> = { transaction_code: code, ...codes };
  put(metadata, 'booking_text', fields.get('00'));
  put(metadata, 'counterparty', name);
  put(metadata, 'counterparty_account', fields.get('31') ?? fields.get('38'));
  put(metadata, 'counterparty_bank', fields.get('30'));
  const description = remittance ?? (name === '' ? (fields.get('00') ?? null) : name);
  return { description: description === null || description.trim() === '' ? null : description.trim(), metadata };
}

function isPurpose(number: string): boolean {
  return /^(?:2\d|6[0-3])$/.test(number);
}

/** Joins sub-fields. A full one continues in the next; others are separate lines. */
function gathered(parts: readonly string[]): string {
  let text = '';
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1] ?? '';
    text += index === 0 || before.length >= FULL_SUBFIELD ? part : ` ${part}`;
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

function sepaCodes(text: string): Record<string, string> {
  const codes: Record<string, string> = {};
  const marks = [...text.matchAll(/(?:^|\s?)(EREF|KREF|MREF|CRED|BREF|SVWZ)\+/g)];
  const first = marks[0];
  if (first === undefined) return text === '' ? {} : { purpose: text };
  const ahead = text.slice(0, first.index).trim();
  for (const [index, mark] of marks.entries()) {
    const value = text.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? text.length).trim();
    put(codes, SEPA_CODES[mark[1] ?? ''] ?? 'purpose', value);
  }
  if (codes['purpose'] === undefined && ahead !== '') codes['purpose'] = ahead;
  return codes;
}

function slashCodes(text: string): Record<string, string> {
  const codes: Record<string, string> = {};
  const marks = [...text.matchAll(/\/([A-Z]{3,5})\//g)];
  for (const [index, mark] of marks.entries()) {
    const name = SLASH_CODES[mark[1] ?? ''];
    const value = text.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? text.length).trim();
    if (name !== undefined && codes[name] === undefined) put(codes, name, value);
  }
  return codes;
}

function put(target: Record<string, string>, key: string, value: string | undefined): void {
  const trimmed = value?.trim() ?? '';
  if (trimmed !== '') target[key] = trimmed;
}

const BALANCE_TAGS: Readonly<Record<string, BalanceType>> = {
  '60F': 'opening_ledger',
  '60M': 'opening_ledger',
  '62F': 'closing_ledger',
  '62M': 'closing_ledger',
  '64': 'closing_available',
};

/** Whether a text is an MT940 or MT942 message: tags 20 and 25, and a balance or a line. Banks leave out one of the first two, or both; then a balance and a line must be written as such. */
export function looksLikeMt940(text: string): boolean {
  const head = text.slice(0, 16_384);
  if (/^:20:/m.test(head) && /^:25[A-Z]?:/m.test(head)) return /^:(?:6[0-2][FM]?|61|34F):/m.test(head);
  const written = (tag: RegExp, form: RegExp): boolean =>
    head.split('\n').some((line) => tag.test(line) && form.test(line.replace(tag, '').trim()));
  const [opens, closes, hasLine] = [written(/^:60[FM]:/, BALANCE), written(/^:62[FM]:/, BALANCE), written(/^:61:/, LINE)];
  const named = /^:(?:20|25[A-Z]?):/m.test(head) ? 1 : 0;
  return named + [opens, closes, hasLine].filter(Boolean).length >= 2;
}

/** Reads the SWIFT messages MT940 (statement) and MT942 (interim report). `wished`: the currency of messages that name none. */
export function readMt940(text: string, wished: string | null = null): StatedFile {
  const sections: StatedSection[] = [];
  const problems: Problem[] = [];
  const messages = messagesOf(text);
  const cutOff = missingEnds(text, messages);
  const last = messages.at(-1);
  const torn = cutOff.length > 0 && isTorn(text) && last?.isEnded === false ? last.fields.at(-1) : undefined;
  for (const { fields } of messages)
    if (fields.length > 0) sections.push(sectionOf(fields, sections.at(-1) ?? null, torn, problems, wished));
  return {
    format: 'mt940',
    sections,
    controls: [],
    problems,
    cutOff,
    referenceFields: ['metadata.end_to_end_reference', 'metadata.reference', 'description'],
  };
}

interface Building {
  account: string | null;
  currency: string | null;
  readonly entries: StatedEntry[];
  readonly balances: StatedBalance[];
}

/**
 * Reads one message. Transactions behind the end of a message name no account: they get that of the message before, but its balances do not prove
 * them. `torn`: the field within which the file ends.
 */
function sectionOf(
  fields: readonly Field[],
  before: StatedSection | null,
  torn: Field | undefined,
  problems: Problem[],
  wished: string | null,
): StatedSection {
  const own = fields.find((field) => field.tag === '25' || field.tag === '25P')?.lines[0]?.trim();
  const building: Building = { account: own ?? before?.account ?? null, currency: null, entries: [], balances: [] };
  for (const field of fields) {
    const balance = BALANCE_TAGS[field.tag] === undefined ? null : balanceOf(field, problems);
    if (balance === null || field === torn) continue;
    building.currency ??= balance.currency;
    building.balances.push(balance);
  }
  building.currency ??= /^[A-Z]{3}/.exec(fields.find((field) => field.tag === '34F')?.lines[0] ?? '')?.[0] ?? null;
  if (own === undefined) building.currency ??= before?.currency ?? null;
  for (const [index, field] of fields.entries()) {
    if (field.tag !== '61') continue;
    const details: string[] = [];
    let isEntryTorn = field === torn;
    for (let at = index + 1; fields[at]?.tag === '86'; at += 1) {
      isEntryTorn ||= fields[at] === torn;
      for (const line of fields[at]?.lines ?? []) details.push(line);
    }
    const entry = entryOf(field, details, building.currency ?? wished ?? NO_CURRENCY);
    building.entries.push(isEntryTorn ? { ...entry, amount: null, problems: [cutOffRow(field.row, '61')] } : entry);
  }
  return { row: fields[0]?.row ?? 1, ...building, controls: sumsOf(fields, building.entries) };
}

/** Returns controls of the number and sum of debits and of credits (tags 90D and 90C), as interim reports state them. */
function sumsOf(fields: readonly Field[], entries: readonly StatedEntry[]): StatedControl[] {
  return fields.flatMap(({ tag, row, lines }) => {
    const found = tag === '90C' || tag === '90D' ? SUM.exec(lines[0]?.trim() ?? '') : null;
    if (found === null || entries.some(({ amount }) => amount === null)) return [];
    const direction: Direction = tag === '90C' ? 'credit' : 'debit';
    const own = entries.flatMap(({ amount }) => (amount?.direction === direction ? [amount.minor] : []));
    const [, number = '', currency = '', written = ''] = found;
    const { minor } = swiftAmount(written, currency, row, tag);
    const count: StatedControl = {
      row,
      what: phrase('statement.mt940.theNumberOfS', { direction }),
      stated: Number(number),
      found: own.length,
      unit: 'count',
      rows: 0,
    };
    if (minor === null) return [count];
    const sum = own.reduce((all, each) => all + each, 0);
    return [
      count,
      { row, what: phrase('statement.mt940.theTotalOfS', { direction }), stated: minor, found: sum, unit: 'minor', rows: own.length },
    ];
  });
}

/** An amount has a decimal comma and no groups. Some banks set dots between thousands, or a point for the comma. */
function swiftAmount(written: string, currency: string, row: number, field: string): ReturnType<typeof writtenAmount> {
  const place = { row, field };
  if (written.includes(',') || !written.includes('.')) return writtenAmount(written, ',', currency, place);
  const decimals = written.length - written.lastIndexOf('.') - 1;
  return decimals > decimalPlacesOf(currency) ? unclearAmount(written, place) : writtenAmount(written, '.', currency, place);
}

function balanceOf(field: Field, problems: Problem[]): StatedBalance | null {
  const text = field.lines[0]?.trim() ?? '';
  const found = BALANCE.exec(text);
  if (found === null) {
    const message = phrase('statement.mt940.theBalanceInRowTag', { text: quoted(text), row: field.row, tag: field.tag });
    problems.push(note('unreadable_balance', message, field.row, field.tag));
    return null;
  }
  const [, mark = 'C', date = '', currency = '', written = ''] = found;
  const { minor } = swiftAmount(written, currency, field.row, field.tag);
  if (minor === null) return null;
  const signed = mark === 'D' ? -minor : minor;
  return {
    row: field.row,
    type: BALANCE_TAGS[field.tag] ?? 'other',
    day: sixDigitDay(date),
    minor: signed === 0 ? 0 : signed,
    currency,
    isIntermediate: field.tag.endsWith('M'),
  };
}

/** A reversed credit is money out, a reversed debit is money in; expected ones (E) have the direction of their second letter. */
const DIRECTIONS: Readonly<Record<string, Direction>> = { C: 'credit', D: 'debit', RC: 'debit', RD: 'credit', EC: 'credit', ED: 'debit' };

function entryOf(field: Field, detailLines: readonly string[], currency: string): StatedEntry {
  const { row } = field;
  const text = field.lines[0] ?? '';
  const found = LINE.exec(text);
  const empty = { row, day: null, valueDay: null, amount: null, currency: null, description: null, id: null, metadata: {} };
  if (found === null) {
    const message = phrase('statement.mt940.theStatementLineInRow', { text: quoted(text), row });
    return { ...empty, problems: [rejection(row, '61', 'unreadable_line', message)] };
  }
  const [, date = '', entryDate = '', markAsWritten = '', , written = '', rest = ''] = found;
  const mark = markAsWritten.toUpperCase();
  const dated = daysOf(row, date, entryDate.trim());
  const { minor, problems } = swiftAmount(written, currency, row, '61');
  const references = referencesOf(rest);
  const supplement = field.lines.slice(1).map((line) => line.trim());
  const details = detailsOf(detailLines);
  const metadata: Record<string, string> = { ...references.metadata, ...details.metadata };
  if (mark.startsWith('R')) metadata['reversal'] = 'true';
  if (mark.startsWith('E')) metadata['status'] = 'expected';
  const supplementText = supplement.join(' ').trim();
  if (supplementText !== '' && supplementText !== details.description) metadata['supplementary_details'] = supplementText;
  return {
    row,
    ...dated.days,
    amount: minor === null ? null : { minor, direction: DIRECTIONS[mark] ?? 'credit' },
    currency: null,
    description: details.description ?? references.text ?? (supplementText === '' ? null : supplementText),
    id: references.bankReference,
    metadata,
    reversal: reversalOf(mark, metadata),
    isPending: mark.startsWith('E'),
    problems: [...dated.problems, ...problems],
  };
}

/** Business codes of German banks for returned direct debits and transfers; banks elsewhere use the same digits for other things. */
const RETURN_CODES = new Set(['108', '109', '159', '181', '184']);

/** Returns the mark of RC and RD, or of the transaction type of returned items. A return code alone counts like words in a text. */
function reversalOf(mark: string, metadata: Readonly<Record<string, string>>): ReversalMark | null {
  const reference = metadata['end_to_end_reference'] ?? metadata['reference'] ?? null;
  if (mark.startsWith('R') || /^[NFS]RTI$/.test(metadata['transaction_type'] ?? '')) return markOfFormat(null, reference);
  if (!RETURN_CODES.has(metadata['transaction_code'] ?? '')) return null;
  return { by: 'words', reason: metadata['booking_text'] ?? null, reference };
}

/** Returns the value date, and as booking day the entry date (month and day) that is nearest to it. Without an entry date the value date is both. */
function daysOf(
  row: number,
  date: string,
  entryDate: string,
): { readonly days: Pick<StatedEntry, 'day' | 'valueDay'>; readonly problems: readonly Problem[] } {
  const valueDay = sixDigitDay(date);
  const year = fullYear(Number(date.slice(0, 2)));
  const about = valueDay ?? dayFromParts(year, Number(date.slice(2, 4)), 28);
  const candidates =
    entryDate === ''
      ? []
      : [year - 1, year, year + 1].map((each) => dayFromParts(each, Number(entryDate.slice(0, 2)), Number(entryDate.slice(2, 4))));
  const bookedDay = candidates
    .filter((each) => each !== null)
    .reduce<number | null>(
      (best, each) => (best === null || Math.abs(each - (about ?? 0)) < Math.abs(best - (about ?? 0)) ? each : best),
      null,
    );
  if (valueDay !== null) return { days: { day: bookedDay ?? valueDay, valueDay }, problems: [] };
  if (bookedDay === null) return { days: { day: null, valueDay }, problems: [impossibleDate(row, '61', date)] };
  // Banks that count 30 days a month write 30 February as a value date; the booking date does exist.
  const message = phrase('statement.mt940.theValueDateInRow', { date: quoted(date), row, bookedDay: isoFromDay(bookedDay) });
  return { days: { day: bookedDay, valueDay }, problems: [note('impossible_value_date', message, row, '61')] };
}

const NO_REFERENCE = /^(?:NONREF|KEINE|NOTPROVIDED)$/i;

/** Returns the parts behind the amount: type of transaction, the customer's reference, and behind `//` the bank's. */
function referencesOf(rest: string): { bankReference: string | null; text: string | null; metadata: Readonly<Record<string, string>> } {
  const found = /^([NFS])(.{3})(.*)$/.exec(rest);
  const kind = found === null ? '' : `${found[1] ?? ''}${found[2] ?? ''}`.trim();
  const text = (found === null ? rest : (found[3] ?? '')).trim();
  const at = text.indexOf('//');
  const customer = (at < 0 ? text : text.slice(0, at)).trim();
  const bank = at < 0 ? '' : text.slice(at + 2).trim();
  // Some banks pad with blanks and append the other party's name.
  const [reference = '', ...name] = customer.split(/\s{2,}/);
  const metadata: Record<string, string> = {};
  if (kind.length === 4) metadata['transaction_type'] = kind;
  if (reference !== '' && !NO_REFERENCE.test(reference)) metadata['reference'] = reference;
  if (name.length > 0) metadata['counterparty'] = name.join(' ');
  const bankReference = bank === '' || NO_REFERENCE.test(bank) ? null : bank;
  if (bankReference !== null) metadata['bank_reference'] = bankReference;
  return { bankReference, text: name.length > 0 ? name.join(' ') : (metadata['reference'] ?? null), metadata };
}
