import type { BalanceType, Problem } from '../../../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, type Direction, NO_CURRENCY } from '../../../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../../../src-shared/values/result.ts';
import { phrase } from '../../../../../src-shared/words/say.ts';
import { minorOf } from '../../cells/amounts.ts';
import { note, quoted, rejection, unreadable } from '../../model/problems.ts';
import type { ReversalMark, Unreadable } from '../../model/statement.ts';
import { markOfFormat } from '../../reversals/originals.ts';
import { at, childrenOf, readXml, textAt, type XmlElement } from '../../workbook/xml.ts';
import { keptParts, shortenedNote } from '../shared/parts.ts';
import type {
  FormatOptions,
  StatedBalance,
  StatedControl,
  StatedEntry,
  StatedFile,
  StatedPart,
  StatedSection,
} from '../shared/stated-file.ts';
import { impossibleDate } from '../shared/written-values.ts';

/** Dates of a transaction inside an entry, the most reliable first. */
const RELATED = ['IntrBkSttlmDt', 'AccptncDtTm', 'TxDtTm'] as const;

/** Returns the day of a date or of a date and time, as the bank wrote it: zones do not move it. */
function dayAt(element: XmlElement | undefined): number | null {
  return dayOf(textAt(element, 'Dt') ?? textAt(element, 'DtTm'));
}

function dayOf(text: string | null): number | null {
  return text === null ? null : dayFromIso(text.slice(0, 10));
}

/** Returns the period of the statement; null where it ends before it begins. */
function periodOf(element: XmlElement | undefined): StatedSection['period'] {
  const firstDay = dayOf(textAt(element, 'FrDtTm') ?? textAt(element, 'FrDt'));
  const lastDay = dayOf(textAt(element, 'ToDtTm') ?? textAt(element, 'ToDt'));
  return firstDay === null || lastDay === null || lastDay < firstDay ? null : { firstDay, lastDay };
}

/** Returns the only day of a statement: of its period, else of all its balances; null where there are several or none. */
function soleDayOf(section: XmlElement): number | null {
  const period = periodOf(at(section, 'FrToDt'));
  if (period) return period.firstDay === period.lastDay ? period.firstDay : null;
  const days = new Set(childrenOf(section, 'Bal').map((balance) => dayAt(at(balance, 'Dt'))));
  const [day = null] = days;
  return days.size === 1 ? day : null;
}

/** The day that entries without a date get. */
interface UndatedEntries {
  /** The only day of their statement, or null. */
  readonly day: number | null;
  /** Lines of the file of the entries that got it. */
  readonly rows: number[];
}

/** Returns the booking date; where the bank names none, the value date, else that of its transactions, else the only day of the statement. */
function daysOf(
  entry: XmlElement,
  undated: UndatedEntries,
  problems: Problem[],
): { readonly day: number | null; readonly valueDay: number | null } {
  const { row } = entry;
  const booked = at(entry, 'BookgDt');
  const used = booked ?? at(entry, 'ValDt');
  const valueDay = dayAt(at(entry, 'ValDt'));
  const text = textAt(used, 'Dt') ?? textAt(used, 'DtTm');
  if (text !== null) {
    const day = dayOf(text);
    if (day === null) problems.push(impossibleDate(row, booked === undefined ? 'ValDt' : 'BookgDt', text));
    return { day, valueDay };
  }
  const related = relatedDayOf(entry);
  if (related !== null) return { day: related, valueDay };
  if (undated.day === null) {
    const message = phrase('statement.camt.entryInRowHasNoBookingDate', { row });
    problems.push(rejection(row, 'BookgDt', 'unreadable_date', message));
  } else undated.rows.push(row);
  return { day: undated.day, valueDay };
}

/** Returns the date of the transactions of an entry, where all dated ones agree. */
function relatedDayOf(entry: XmlElement): number | null {
  const transactions = childrenOf(entry, 'NtryDtls').flatMap((details) => childrenOf(details, 'TxDtls'));
  const days = new Set(
    transactions.flatMap((one) => RELATED.map((name) => dayOf(textAt(one, 'RltdDts', name))).find((day) => day !== null) ?? []),
  );
  const [day = null] = days;
  return days.size === 1 ? day : null;
}

function undatedNotes({ rows }: UndatedEntries): readonly Problem[] {
  const [first] = rows;
  if (first === undefined) return [];
  const message = phrase('statement.camt.transactionsHaveNoDateBookgdt', { rows: rows.length });
  return [note('date_assumed', message, first)];
}

/** Reports (052), statements (053) and notifications (054) differ in these names alone; the first version has its number behind them. */
const SECTIONS = new Set(['Rpt', 'Stmt', 'Ntfctn']);
const MESSAGE = /^BkToCstmr(?:AcctRpt|Stmt|DbtCdtNtfctn)(?:V\d\d)?$/;

const BALANCES: Readonly<Record<string, BalanceType>> = {
  OPBD: 'opening_ledger',
  CLBD: 'closing_ledger',
  ITBD: 'current_ledger',
  PRCD: 'previously_closed_book',
  OPAV: 'opening_available',
  CLAV: 'closing_available',
  ITAV: 'current_available',
};
const NOT_PROVIDED = /^(?:NOTPROVIDED|NONREF|NOREF)$/i;

export function looksLikeCamt(text: string): boolean {
  const head = text.slice(0, 8_192);
  return /^\s*</.test(head) && /camt\.05[234]|<(?:\w+:)?BkToCstmr(?:AcctRpt|Stmt|DbtCdtNtfctn)(?:V\d\d)?\b/.test(head);
}

interface OpenSection {
  readonly entries: XmlElement[];
}

/** Reads ISO 20022 bank to customer messages: camt.052, camt.053 and camt.054 of any version. */
export function readCamt(text: string, options: FormatOptions): Result<StatedFile, Unreadable> {
  const sections: StatedSection[] = [];
  const problems: Problem[] = [];
  const unbooked: Unbooked = { later: [], never: [] };
  /** For each account, the row of its last statement that says it is not the last page. */
  const unended = new Map<string, number>();
  let open: OpenSection = { entries: [] };
  let hasMessage = false;
  const read = readXml(text, (element, parent) => {
    if (MESSAGE.test(element.name)) hasMessage = true;
    if (element.name === 'Ntry' && SECTIONS.has(parent)) {
      // In an intraday report even pending entries are kept here; `withoutReported` decides about them.
      if (parent === 'Rpt' || isBooked(element)) open.entries.push(element);
      else unbooked[statusOf(element) === 'INFO' ? 'never' : 'later'].push(element.row);
      return false;
    }
    if (!SECTIONS.has(element.name) || !MESSAGE.test(parent)) return true;
    const section = sectionOf(element, open.entries, options, problems);
    sections.push(section);
    unended.delete(section.account ?? '');
    if (PAGES.some((name) => /^(?:false|0)$/.test(textAt(element, name, 'LastPgInd') ?? '')))
      unended.set(section.account ?? '', section.row);
    open = { entries: [] };
    return false;
  });
  if (!read.ok) return read;
  if (sections.length === 0) {
    const what = hasMessage ? phrase('statement.camt.holdsNoStatement') : phrase('statement.camt.isNoBankStatementIt');
    return failed(unreadable('no_rows', phrase('statement.camt.camtFileDownloadTheStatement', { what }), 1));
  }
  const told = withoutReported(sections);
  problems.push(...notBookedNotes(unbooked), ...[...unended].map(goesOnNote));
  return success({
    format: 'camt',
    sections: told,
    controls: [],
    problems,
    pendingRows: unbooked.never.length > 0 ? [] : unbooked.later,
    referenceFields: ['metadata.creditor_reference', 'metadata.end_to_end_id', 'metadata.entry_reference', 'description'],
  });
}

/** Clears the pending mark unless a report holds both booked and pending entries: only then does the mark separate them. */
function withoutReported(sections: readonly StatedSection[]): readonly StatedSection[] {
  const entries = sections.flatMap((section) => section.entries);
  if (entries.every(({ isPending }) => isPending !== true) || entries.every(({ isPending }) => isPending === true))
    return sections.map((section) => ({ ...section, entries: section.entries.map((entry) => ({ ...entry, isPending: false })) }));
  return sections;
}

/** Lines of the file with entries that are booked later, and with those for information alone. */
type Unbooked = Readonly<Record<'later' | 'never', number[]>>;

function notBookedNotes({ later, never }: Unbooked): readonly Problem[] {
  const were = (rows: readonly number[]): string => (rows.length === 1 ? 'was' : 'were');
  const notes: Problem[] = [];
  if (later.length > 0) {
    const message = phrase('statement.camt.transactionsNotBookedYetLeft', { later: later.length, were: were(later) });
    notes.push(note('pending_rows_left_out', message, later[0] ?? null));
  }
  if (never.length > 0) {
    const message = phrase('statement.camt.transactionsThatTheBankLists', { never: never.length, were: were(never) });
    notes.push(note('pending_rows_left_out', message, never[0] ?? null));
  }
  return notes;
}

function isBooked(entry: XmlElement): boolean {
  return statusOf(entry) === 'BOOK';
}

function statusOf(entry: XmlElement): string {
  return textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts') ?? 'BOOK';
}

/** Elements that hold the page number of a statement, a report or a notification. */
const PAGES = ['StmtPgntn', 'RptPgntn', 'NtfctnPgntn'] as const;

/** Returns a note that a page is missing. Banks send pages as separate files. */
function goesOnNote([account, row]: readonly [string, number]): Problem {
  const message = phrase('statement.camt.theStatementInRowSays', { account, hasAccount: account === '' ? 'no' : 'yes', row });
  return note('page_not_last', message, row);
}

function sectionOf(section: XmlElement, entries: readonly XmlElement[], options: FormatOptions, problems: Problem[]): StatedSection {
  const account = at(section, 'Acct');
  const first = entries[0] ?? at(section, 'Bal');
  const currency = textAt(account, 'Ccy') ?? at(first, 'Amt')?.attributes['Ccy'] ?? null;
  const known = currency ?? options.currency ?? NO_CURRENCY;
  const undated = { day: soleDayOf(section), rows: [] };
  const stated = entries.map((entry) => entryOf(entry, known, undated));
  problems.push(...undatedNotes(undated));
  return {
    row: section.row,
    account: accountIdOf(account),
    holder: textAt(account, 'Ownr', 'Nm'),
    currency,
    entries: stated,
    balances: childrenOf(section, 'Bal').flatMap((balance) => balanceOf(balance, known, problems)),
    period: periodOf(at(section, 'FrToDt')),
    controls: controlsOf(at(section, 'TxsSummry'), stated, known),
  };
}

/** Returns an IBAN or another number of an account, in the element names of any version. */
function accountIdOf(account: XmlElement | undefined): string | null {
  const id = at(account, 'Id');
  return textAt(id, 'IBAN') ?? textAt(id, 'Othr', 'Id') ?? textAt(id, 'BBAN') ?? textAt(id, 'PrtryAcct', 'Id');
}

/** Returns minor units of a decimal without groups, as a magnitude; null where the text is not one. */
function minorAt(element: XmlElement | undefined, currency: string): number | null {
  const text = element?.text.trim().replace(/^[-+]/, '') ?? '';
  const minor = /^\d*(?:\.\d*)?$/.test(text) ? minorOf(text, '.', decimalPlacesOf(currency)) : null;
  return typeof minor === 'number' ? minor : null;
}

function balanceOf(balance: XmlElement, currency: string, problems: Problem[]): StatedBalance[] {
  const code = textAt(balance, 'Tp', 'CdOrPrtry', 'Cd') ?? textAt(balance, 'Tp', 'Cd') ?? '';
  const amount = at(balance, 'Amt');
  const own = amount?.attributes['Ccy'] ?? currency;
  const minor = minorAt(amount, own);
  if (minor === null) {
    const message = phrase('statement.camt.balanceInRowCannotBeRead', { row: balance.row });
    problems.push(note('unreadable_balance', message, balance.row));
    return [];
  }
  const isDebit = textAt(balance, 'CdtDbtInd') === 'DBIT';
  return [
    {
      row: balance.row,
      type: BALANCES[code] ?? 'other',
      day: dayAt(at(balance, 'Dt')),
      minor: isDebit && minor > 0 ? -minor : minor,
      currency: own,
      isIntermediate: textAt(balance, 'Tp', 'SubTp', 'Cd') === 'INTM',
    },
  ];
}

function controlsOf(summary: XmlElement | undefined, entries: readonly StatedEntry[], currency: string): StatedControl[] {
  const controls: StatedControl[] = [];
  const sum = (direction: 'credit' | 'debit'): readonly number[] =>
    entries.flatMap((entry) => (entry.amount?.direction === direction ? [entry.amount.minor] : []));
  for (const [name, direction] of [
    ['TtlCdtNtries', 'credit'],
    ['TtlDbtNtries', 'debit'],
  ] as const) {
    const total = at(summary, name);
    const amounts = sum(direction);
    const stated = minorAt(at(total, 'Sum'), currency);
    const found = amounts.reduce((all, minor) => all + minor, 0);
    if (total !== undefined && stated !== null) {
      controls.push({
        row: total.row,
        what: phrase('statement.camt.theTotalOfS', { direction }),
        stated,
        found,
        unit: 'minor',
        rows: amounts.length,
      });
    }
  }
  const count = Number(textAt(summary, 'TtlNtries', 'NbOfNtries') ?? Number.NaN);
  if (summary !== undefined && Number.isSafeInteger(count)) {
    controls.push({
      row: summary.row,
      what: phrase('statement.camt.theNumberOfEntries'),
      stated: count,
      found: entries.length,
      unit: 'count',
      rows: 0,
    });
  }
  return controls;
}

function entryOf(entry: XmlElement, currency: string, undated: UndatedEntries): StatedEntry {
  const { row } = entry;
  const problems: Problem[] = [];
  const amount = at(entry, 'Amt');
  const own = amount?.attributes['Ccy'] ?? currency;
  const minor = minorAt(amount, own);
  const indicator = textAt(entry, 'CdtDbtInd');
  if (minor === null) {
    const message = phrase('statement.camt.theAmountOfTheEntry', { amount: quoted(amount?.text ?? ''), row, own });
    problems.push(rejection(row, 'Amt', 'unreadable_amount', message));
  }
  const direction = indicator === 'CRDT' ? 'credit' : indicator === 'DBIT' ? 'debit' : null;
  if (direction === null) {
    const message = phrase('statement.camt.theEntryInRowSays', { row });
    problems.push(rejection(row, 'CdtDbtInd', 'unknown_direction', message));
  }
  const { day, valueDay } = daysOf(entry, undated, problems);
  const transactions = transactionsOf(entry);
  const parts = transactions.length < 2 ? [] : transactions.map((transaction) => partOf(transaction, direction ?? 'credit', own));
  const details = detailsOf(entry, parts, direction === 'debit', problems);
  return {
    row,
    day,
    valueDay,
    amount: minor === null || direction === null ? null : { minor, direction },
    currency: own,
    description: details.description,
    id: textAt(entry, 'AcctSvcrRef'),
    metadata: details.metadata,
    ...(parts.length > 1 && { parts }),
    problems,
    reversal: reversalOf(entry, details.metadata),
    isPending: /^(?:PDNG|FUTR)$/.test(statusOf(entry)),
  };
}

/** Sub-families of bank transaction codes that are returns, unpaid items and reversals. */
const RETURN_FAMILIES = /-(?:RRTN|UPDD|PRDD|UPCQ|RPCR|ARET)$/;

/** Returns the mark of an entry with the reversal indicator, a return reason, or a code of returns. */
function reversalOf(entry: XmlElement, metadata: Readonly<Record<string, string>>): ReversalMark | null {
  const transactions = transactionsOf(entry);
  const returned = transactions.length === 1 ? at(transactions[0], 'RtrInf') : undefined;
  const isMarked = /^(?:true|1)$/.test(textAt(entry, 'RvslInd') ?? '') || RETURN_FAMILIES.test(metadata['bank_transaction_code'] ?? '');
  if (!isMarked && returned === undefined) return null;
  const reason = textAt(returned, 'Rsn', 'Cd') ?? textAt(returned, 'RtrRsn', 'Cd') ?? textAt(returned, 'Rsn', 'Prtry');
  return markOfFormat(reason, metadata['end_to_end_id'] ?? null);
}

function transactionsOf(entry: XmlElement): readonly XmlElement[] {
  return childrenOf(entry, 'NtryDtls').flatMap((details) => childrenOf(details, 'TxDtls'));
}

interface Details {
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Returns a function that stores a value unless it is null or a placeholder. */
function putter(metadata: Record<string, string>): (key: string, value: string | null) => void {
  return (key, value) => {
    if (value !== null && !NOT_PROVIDED.test(value)) metadata[key] = value;
  };
}

/** Returns the description and metadata of one transaction. */
function detailsOfOne(transaction: XmlElement | undefined, isDebit: boolean): Details {
  const remittance = childrenOf(at(transaction, 'RmtInf'), 'Ustrd').map((line) => line.text.trim());
  const party = at(transaction, 'RltdPties', isDebit ? 'Cdtr' : 'Dbtr');
  const account = at(transaction, 'RltdPties', isDebit ? 'CdtrAcct' : 'DbtrAcct');
  const metadata: Record<string, string> = {};
  const put = putter(metadata);
  put('end_to_end_id', textAt(transaction, 'Refs', 'EndToEndId'));
  put('mandate_id', textAt(transaction, 'Refs', 'MndtId'));
  put('creditor_reference', textAt(transaction, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref'));
  put('counterparty', textAt(party, 'Nm') ?? textAt(party, 'Pty', 'Nm'));
  put('counterparty_account', accountIdOf(account));
  const words = remittance.filter((line) => line !== '').join(' ');
  return { description: words === '' ? null : words, metadata };
}

/** Returns one transaction of an entry that holds several. */
function partOf(transaction: XmlElement, direction: Direction, currency: string): StatedPart {
  const amount = at(transaction, 'Amt') ?? at(transaction, 'AmtDtls', 'TxAmt', 'Amt') ?? at(transaction, 'AmtDtls', 'InstdAmt', 'Amt');
  const own = amount?.attributes['Ccy'] ?? currency;
  const minor = amount === undefined ? null : minorAt(amount, own);
  const said = textAt(transaction, 'CdtDbtInd');
  const ownDirection = said === 'CRDT' ? 'credit' : said === 'DBIT' ? 'debit' : direction;
  const { description, metadata } = detailsOfOne(transaction, ownDirection === 'debit');
  return {
    row: transaction.row,
    amount: minor === null ? null : { minor, direction: ownDirection },
    currency: own,
    description: description ?? textAt(transaction, 'AddtlTxInf'),
    metadata,
  };
}

function detailsOf(entry: XmlElement, parts: readonly StatedPart[], isDebit: boolean, problems: Problem[]): Details {
  const [single] = transactionsOf(entry);
  const kept = parts.length > 1 ? keptParts(parts) : detailsOfOne(single, isDebit);
  const metadata: Record<string, string> = {};
  const put = putter(metadata);
  put('entry_reference', textAt(entry, 'NtryRef'));
  put('bank_reference', textAt(entry, 'AcctSvcrRef'));
  Object.assign(metadata, kept.metadata);
  put('bank_transaction_code', codeOf(at(entry, 'BkTxCd')));
  if (!isBooked(entry)) metadata['status'] = statusOf(entry);
  if (textAt(entry, 'RvslInd') === 'true') metadata['reversal'] = 'true';
  const additional = textAt(entry, 'AddtlNtryInf');
  if (parts.length > 1) {
    metadata['transactions'] = String(parts.length);
    if ('areShortened' in kept && kept.areShortened) {
      problems.push(shortenedNote(entry.row, parts.length));
    }
    return { description: additional ?? kept.description, metadata };
  }
  const description = kept.description ?? additional ?? textAt(single, 'AddtlTxInf') ?? kept.metadata['counterparty'] ?? null;
  return { description, metadata };
}

/** Domain, family and sub-family (`PMNT-ICDT-ESCT`), else the bank's own code. */
function codeOf(code: XmlElement | undefined): string | null {
  const parts = [textAt(code, 'Domn', 'Cd'), textAt(code, 'Domn', 'Fmly', 'Cd'), textAt(code, 'Domn', 'Fmly', 'SubFmlyCd')];
  const known = parts.filter((part) => part !== null);
  return known.length > 0 ? known.join('-') : textAt(code, 'Prtry', 'Cd');
}
