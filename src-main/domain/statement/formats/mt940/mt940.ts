import type { BalanceType, Problem } from '../../../../../src-shared/contract/index.ts';
import { dayFromParts, isoFromDay } from '../../../../../src-shared/values/civil-date.ts';
import type { Direction } from '../../../../../src-shared/values/money.ts';
import { NO_CURRENCY, decimalPlacesOf } from '../../../../../src-shared/values/money.ts';
import { note, quoted, rejection } from '../../model/problems.ts';
import type { ReversalMark } from '../../model/statement.ts';
import { markOfFormat } from '../../reversals/mark.ts';
import { cutOffRow, isTorn } from '../shared/cut-off.ts';
import { fullYear, impossibleDate, sixDigitDay } from '../shared/dates.ts';
import { unclearAmount, writtenAmount } from '../shared/money.ts';
import type { StatedBalance, StatedControl, StatedEntry, StatedFile, StatedSection } from '../shared/stated-file.ts';
import { detailsOf } from './mt940-details.ts';
import { missingEnds } from './mt940-ends.ts';
import { BALANCE, type Field, LINE, messagesOf, SUM } from './mt940-fields.ts';

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

/** Transactions behind the end of a message name no account: they are of the one before, but no part of what its balances prove. `torn`: in it the file ends. */
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

/** Number and sum of the debits and of the credits (tags 90D and 90C), as interim reports state them. */
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
      what: `The number of ${direction}s`,
      stated: Number(number),
      found: own.length,
      unit: 'count',
      rows: 0,
    };
    if (minor === null) return [count];
    const sum = own.reduce((all, each) => all + each, 0);
    return [count, { row, what: `The total of ${direction}s`, stated: minor, found: sum, unit: 'minor', rows: own.length }];
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
    const message = `The balance ${quoted(text)} in row ${field.row} (tag ${field.tag}) cannot be read, so it proves nothing. Compare it by hand.`;
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

/** A reversed credit takes money out again, a reversed debit brings it back; expected ones (E) count as what they say. */
const DIRECTIONS: Readonly<Record<string, Direction>> = { C: 'credit', D: 'debit', RC: 'debit', RD: 'credit', EC: 'credit', ED: 'debit' };

function entryOf(field: Field, detailLines: readonly string[], currency: string): StatedEntry {
  const { row } = field;
  const text = field.lines[0] ?? '';
  const found = LINE.exec(text);
  const empty = { row, day: null, valueDay: null, amount: null, currency: null, description: null, id: null, metadata: {} };
  if (found === null) {
    const message = `The statement line ${quoted(text)} in row ${row} (tag 61) does not follow the format. Correct it, or ask the bank for the file again.`;
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

/** RC and RD, and the transaction type of returned items; a code of returns says no more than words do. */
function reversalOf(mark: string, metadata: Readonly<Record<string, string>>): ReversalMark | null {
  const reference = metadata['end_to_end_reference'] ?? metadata['reference'] ?? null;
  if (mark.startsWith('R') || /^[NFS]RTI$/.test(metadata['transaction_type'] ?? '')) return markOfFormat(null, reference);
  if (!RETURN_CODES.has(metadata['transaction_code'] ?? '')) return null;
  return { by: 'words', reason: metadata['booking_text'] ?? null, reference };
}

/** The value date, and as the day the entry date of month and day that lies nearest to it; without one the value date is both. */
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
  // Banks that count 30 days a month write 30 February as a value date; the booking date is a true one.
  const message = `The value date ${quoted(date)} in row ${row} does not exist on the calendar; the booking date ${isoFromDay(bookedDay)} was taken.`;
  return { days: { day: bookedDay, valueDay }, problems: [note('impossible_value_date', message, row, '61')] };
}

const NO_REFERENCE = /^(?:NONREF|KEINE|NOTPROVIDED)$/i;

/** What stands behind the amount: type of transaction, the customer's reference, and behind `//` the bank's. */
function referencesOf(rest: string): { bankReference: string | null; text: string | null; metadata: Readonly<Record<string, string>> } {
  const found = /^([NFS])(.{3})(.*)$/.exec(rest);
  const kind = found === null ? '' : `${found[1] ?? ''}${found[2] ?? ''}`.trim();
  const text = (found === null ? rest : (found[3] ?? '')).trim();
  const at = text.indexOf('//');
  const customer = (at < 0 ? text : text.slice(0, at)).trim();
  const bank = at < 0 ? '' : text.slice(at + 2).trim();
  // Some banks fill up with blanks and put the other party's name behind.
  const [reference = '', ...name] = customer.split(/\s{2,}/);
  const metadata: Record<string, string> = {};
  if (kind.length === 4) metadata['transaction_type'] = kind;
  if (reference !== '' && !NO_REFERENCE.test(reference)) metadata['reference'] = reference;
  if (name.length > 0) metadata['counterparty'] = name.join(' ');
  const bankReference = bank === '' || NO_REFERENCE.test(bank) ? null : bank;
  if (bankReference !== null) metadata['bank_reference'] = bankReference;
  return { bankReference, text: name.length > 0 ? name.join(' ') : (metadata['reference'] ?? null), metadata };
}
