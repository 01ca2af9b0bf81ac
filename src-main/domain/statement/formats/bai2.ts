import type { BalanceType, Problem } from '../../../../src-shared/contract/index.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { note, quoted, rejection } from '../model/problems.ts';
import { markOfFormat } from '../reversals/originals.ts';
import type { StatedBalance, StatedControl, StatedEntry, StatedFile, StatedSection } from './shared/stated-file.ts';
import { amountInMinor, cutOff, cutOffRow, isTorn, lastRow, sixDigitDay } from './shared/written-values.ts';

/** A logical record: its own line and those of its continuations (88). */
interface Bai2Record {
  readonly code: string;
  readonly row: number;
  readonly fields: readonly string[];
  /** Number of lines of the file that it takes. */
  readonly lines: number;
  /** True where the file ends within this record. */
  readonly isTorn: boolean;
}

const BALANCES: Readonly<Record<string, BalanceType>> = {
  '010': 'opening_ledger',
  '015': 'closing_ledger',
  '030': 'current_ledger',
  '040': 'opening_available',
  '045': 'closing_available',
  '060': 'current_available',
};

/** Group statuses whose transactions are not taken. An update (1) adds to what was sent before; a correction (3) replaces it. */
const GROUP_STATUS: Readonly<Record<string, string>> = {
  '2': phrase('statement.bai2.withdrawsWhatTheBankSent'),
  '4': phrase('statement.bai2.isATest'),
};
/** A code for information without an amount. */
const NO_MONEY = '890';
const MIN_RECORD_LENGTH = 40;
/** Fields of a transaction (16) before its text, without those of its funds type. */
const TRANSACTION_FIELDS = 6;

/** Matches another record behind a slash in the same line. Texts hold slashes and numbers too, so the pattern checks its first fields. */
const NEXT_RECORD =
  /(?<=\/)[ \t]+(?=(?:02(?:,[^,/]*){2},[1-4],\d{6},|03,[^,/]+,|16,\d{3},\d*,|49,[-+]?\d+,\d+\/|9[89](?:,[-+]?\d+){2,3}\/|88,))/;
/** Fields of the record that ends a file (99): total, groups and records. */
const TRAILER_FIELDS = 3;

export function looksLikeBai2(text: string): boolean {
  return /^\s*01,[^,\n]*,[^,\n]*,\d{6},[\d:]{0,8},/.test(text);
}

/** Reads a BAI2 cash management file: groups of accounts with summaries, transactions and control totals. */
export function readBai2(text: string): StatedFile {
  const reader = new Bai2Reader();
  for (const record of recordsOf(text)) reader.take(record);
  return reader.finish(lastRow(text));
}

/**
 * Splits the text into records. A record ends with a slash or, where banks leave it out, with its line. A continuation goes on with the open field; a
 * slash closes the field, so that the continuation begins another one, except within a text.
 */
function recordsOf(text: string): Bai2Record[] {
  const records: Bai2Record[] = [];
  let open: OpenRecord | null = null;
  const close = (isLineTorn: boolean): void => {
    if (open !== null)
      records.push({ code: open.code, row: open.row, fields: open.body.split(','), lines: open.lines, isTorn: isLineTorn });
    open = null;
  };
  for (const { row, raw } of linesOf(text)) {
    const line = raw.trimEnd();
    if (line === '') continue;
    const code = /^\s*(\d{2})(?:,|\/?$)/.exec(line)?.[1];
    const fields = line.trimStart().slice(3);
    const body = fields.endsWith('/') ? fields.slice(0, -1).trimEnd() : fields;
    if (code === '88' && open !== null) {
      goOn(open, body);
      continue;
    }
    close(false);
    const own = code === undefined ? line : body;
    open = { code: code ?? '', row, body: own, lines: 1, fields: fieldsIn(own), textAt: null };
  }
  close(isTorn(text) && !text.trimEnd().endsWith('/'));
  return records;
}

interface OpenRecord {
  readonly code: string;
  readonly row: number;
  body: string;
  lines: number;
  fields: number;
  /** Index of the field with which the text of a transaction begins; null while too few fields are known. */
  textAt: number | null;
}

function fieldsIn(body: string): number {
  let fields = 1;
  for (let at = body.indexOf(','); at >= 0; at = body.indexOf(',', at + 1)) fields += 1;
  return fields;
}

/** Fields of a transaction that decide where its text begins. */
const FIRST_FIELDS = 5;

/** Appends a continuation to a record. There may be very many, so the earlier ones are not examined again. */
function goOn(record: OpenRecord, body: string): void {
  if (record.textAt === null && record.fields >= FIRST_FIELDS) record.textAt = textBegins(record.body.split(',', FIRST_FIELDS));
  const isText = record.code === '16' && record.textAt !== null && record.textAt < record.fields;
  record.body += `${isText ? '\n' : ','}${body}`;
  record.fields += fieldsIn(body) - (isText ? 1 : 0);
  record.lines += 1;
}

/** Yields lines, or records of the length in the file's header where the file has no line ends. */
function* linesOf(text: string): Generator<{ readonly row: number; readonly raw: string }> {
  for (const [index, line] of physicalLines(text).entries()) for (const raw of line.split(NEXT_RECORD)) yield { row: index + 1, raw };
}

function physicalLines(text: string): readonly string[] {
  const lines = text.split('\n');
  const [first = '', ...others] = lines.filter((line) => line.trim() !== '');
  const length = Number(first.split(',')[6] ?? '');
  if (others.length > 0 || !(length >= MIN_RECORD_LENGTH)) return lines;
  return Array.from({ length: Math.ceil(first.length / length) }, (_, index) => first.slice(index * length, (index + 1) * length));
}

/** Returns how many fields a funds type takes, itself included. */
function fundsFields(fields: readonly string[], at: number): number {
  switch (fields[at]?.trim()) {
    case 'S':
      return 4;
    case 'V':
      return 3;
    case 'D':
      return 2 + 2 * (Number(fields[at + 1]) || 0);
    default:
      return 1;
  }
}

/** Returns the index of a transaction's text. Order: type, amount, funds type, bank reference, customer reference, text. */
function textBegins(fields: readonly string[]): number {
  return 2 + fundsFields(fields, 2) + (TRANSACTION_FIELDS - 4);
}

interface OpenAccount {
  readonly row: number;
  readonly account: string;
  readonly currency: string | null;
  readonly day: number | null;
  readonly entries: StatedEntry[];
  readonly balances: StatedBalance[];
  readonly controls: StatedControl[];
  sum: number;
  lines: number;
}

interface OpenGroup {
  readonly row: number;
  readonly day: number | null;
  readonly dateText: string;
  readonly currency: string | null;
  /** Why the group's transactions are not taken, as the end of a sentence; null where they are. */
  readonly isNone: string | null;
  sum: number;
  accounts: number;
  lines: number;
}

class Bai2Reader {
  readonly #sections: StatedSection[] = [];
  readonly #controls: StatedControl[] = [];
  readonly #problems: Problem[] = [];
  #group: OpenGroup | null = null;
  #account: OpenAccount | null = null;
  #groups = 0;
  #groupSum = 0;
  #lines = 0;
  readonly #cutOff: Problem[] = [];
  /** The open file; several may follow one another. */
  #file: { readonly row: number } | null = null;

  take(record: Bai2Record): void {
    this.#lines += record.lines;
    if (this.#group !== null && record.code !== '99') this.#group.lines += record.lines;
    if (this.#account !== null && record.code !== '98' && record.code !== '99') this.#account.lines += record.lines;
    switch (record.code) {
      case '01':
        return this.#openFile(record);
      case '02':
        return this.#openGroup(record);
      case '03':
        return this.#openAccount(record);
      case '16':
        return this.#addEntry(record);
      case '49':
        return this.#closeAccount(record);
      case '98':
        return this.#closeGroup(record);
      case '99':
        return this.#closeFile(record);
      default:
        if (record.isTorn) this.#file ??= record;
        this.#problems.push(note('unknown_record', phrase('statement.bai2.rowWithoutRecordCode', { row: record.row }), record.row));
    }
  }

  finish(lastRowOfFile: number): StatedFile {
    this.#leaveAccount();
    if (this.#file !== null) this.#cutOff.push(cutOff(lastRowOfFile, phrase('statement.bai2.endRecord')));
    return {
      format: 'bai2',
      sections: this.#sections,
      controls: this.#controls,
      problems: this.#problems,
      cutOff: this.#cutOff,
      referenceFields: ['metadata.customer_reference', 'metadata.bank_reference', 'description'],
    };
  }

  #openFile({ row, lines }: Bai2Record): void {
    this.#leaveAccount();
    if (this.#file !== null) {
      const message = phrase('statement.bai2.fileThatBeginsInRow', { row: this.#file.row, row2: row });
      this.#cutOff.push(note('file_cut_off', message, row));
    }
    this.#file = { row };
    this.#group = null;
    this.#groups = 0;
    this.#groupSum = 0;
    this.#lines = lines;
  }

  #openGroup({ row, fields, lines }: Bai2Record): void {
    this.#leaveAccount();
    const dateText = fields[3]?.trim() ?? '';
    const currency = /^[A-Z]{3}$/.exec(fields[5]?.trim() ?? '')?.[0] ?? null;
    const status = fields[2]?.trim() ?? '';
    const isNone = GROUP_STATUS[status] ?? null;
    this.#group = { row, day: sixDigitDay(dateText), dateText, currency, isNone, sum: 0, accounts: 0, lines };
    if (status === '3') {
      const message = phrase('statement.bai2.theGroupInRowCorrects', { row });
      this.#problems.push(note('group_corrects', message, row));
    }
    this.#groups += 1;
  }

  #openAccount({ row, fields, lines, isTorn: isRecordTorn }: Bai2Record): void {
    this.#leaveAccount();
    const currency = /^[A-Z]{3}$/.exec(fields[1]?.trim() ?? '')?.[0] ?? this.#group?.currency ?? null;
    const day = this.#group?.day ?? null;
    const account: OpenAccount = {
      row,
      account: fields[0]?.trim() ?? '',
      currency,
      day,
      entries: [],
      balances: [],
      controls: [],
      sum: 0,
      lines,
    };
    this.#account = account;
    if (this.#group !== null) this.#group.accounts += 1;
    const isTaken = !isRecordTorn && (this.#group === null || this.#group.isNone === null);
    for (let at = 2; at + 1 < fields.length;) {
      const type = fields[at]?.trim() ?? '';
      if (type === '') {
        at += 1;
        continue;
      }
      const minor = signedDigits(fields[at + 1] ?? '');
      if (minor !== null) account.sum += minor;
      const balance = BALANCES[type];
      if (isTaken && balance !== undefined && minor !== null) account.balances.push({ row, type: balance, day, minor, currency });
      // type, amount, item count, funds type
      at += 3 + fundsFields(fields, at + 3);
    }
  }

  #addEntry({ row, fields, isTorn: isRecordTorn }: Bai2Record): void {
    if (this.#account === null) {
      const message = phrase('statement.bai2.theTransactionInRowStands', { row });
      this.#problems.push(rejection(row, null, 'no_account', message));
      return;
    }
    const type = fields[0]?.trim() ?? '';
    if (type === NO_MONEY && /^0*$/.test(fields[1]?.trim() ?? '')) {
      this.#problems.push(note('text_rows', phrase('statement.bai2.rowIsInformationWithoutAnAmount', { row, type }), row));
      return;
    }
    const { minor, problems } = amountInMinor(fields[1]?.trim() ?? '', { row, field: 'amount' });
    if (minor !== null) this.#account.sum += minor;
    const isCredit = /^[123]\d\d$/.test(type);
    const isDebit = /^[4-6]\d\d$/.test(type);
    const faults = [...problems];
    if (!isCredit && !isDebit) {
      const message = phrase('statement.bai2.theTypeInRowSays', { type: quoted(type), row });
      faults.push(rejection(row, 'type', 'unknown_type', message));
    }
    const group = this.#group;
    if (group !== null && group.isNone !== null) {
      const message = phrase('statement.bai2.transactionInRowWasNotTaken', { row, row2: group.row, isNone: group.isNone });
      faults.push(rejection(row, null, 'group_is_none', message));
    }
    if (group?.day === null || group === null) {
      const message = phrase('statement.bai2.transactionInRowHasNoDate', {
        row,
        row2: group?.row ?? 0,
        dateText: quoted(group?.dateText ?? ''),
        noGroup: group === null ? 'yes' : 'no',
      });
      faults.push(rejection(row, 'date', 'impossible_date', message));
    }
    if (isRecordTorn) faults.splice(0, faults.length, cutOffRow(row, null));
    const references = 2 + fundsFields(fields, 2);
    const text = fields.slice(textBegins(fields)).join(',').replaceAll(/\s+/g, ' ').trim();
    const metadata: Record<string, string> = { transaction_code: type };
    const bankReference = reference(fields[references]);
    const customerReference = reference(fields[references + 1]);
    if (bankReference !== null) metadata['bank_reference'] = bankReference;
    if (customerReference !== null) metadata['customer_reference'] = customerReference;
    const valueDay = fields[2]?.trim() === 'V' ? sixDigitDay(fields[3]?.trim() ?? '') : null;
    this.#account.entries.push({
      row,
      day: this.#account.day,
      valueDay,
      amount: minor === null || isCredit === isDebit ? null : { minor, direction: isCredit ? 'credit' : 'debit' },
      currency: null,
      description: text === '' ? null : text,
      id: bankReference,
      metadata,
      problems: faults,
      reversal: RETURN_TYPES.has(type) ? markOfFormat(null, customerReference) : null,
    });
  }

  #closeAccount({ row, fields }: Bai2Record): void {
    const account = this.#account;
    if (account === null) return;
    const stated = signedDigits(fields[0] ?? '');
    const name = phrase('statement.bai2.theControlTotalOfAccount', { account: account.account });
    // The total adds amounts whatever their direction, so it finds missing rows but proves no sign.
    if (stated !== null) account.controls.push({ row, what: name, stated, found: account.sum, unit: 'minor', rows: 0 });
    this.#leaveAccount();
    this.#addTo(stated ?? account.sum);
  }

  /** Adds to the total of the group: it sums the totals stated below it, as the format asks. */
  #addTo(stated: number): void {
    if (this.#group !== null) this.#group.sum += stated;
  }

  #leaveAccount(): void {
    const account = this.#account;
    if (account === null) return;
    this.#sections.push({
      row: account.row,
      account: account.account,
      currency: account.currency,
      entries: account.entries,
      balances: account.balances,
      controls: account.controls,
    });
    this.#account = null;
  }

  #closeGroup({ row, fields }: Bai2Record): void {
    this.#leaveAccount();
    const group = this.#group;
    if (group === null) return;
    const stated = signedDigits(fields[0] ?? '');
    if (stated !== null) {
      this.#controls.push({ row, what: phrase('statement.bai2.controlTotalOfTheGroup'), stated, found: group.sum, unit: 'minor', rows: 0 });
    }
    const accounts = signedDigits(fields[1] ?? '');
    if (accounts !== null)
      this.#controls.push({
        row,
        what: phrase('statement.bai2.numberOfAccountsOfTheGroup'),
        stated: accounts,
        found: group.accounts,
        unit: 'count',
        rows: 0,
      });
    this.#groupSum += stated ?? group.sum;
    this.#group = null;
  }

  #closeFile({ row, fields, isTorn: isRecordTorn }: Bai2Record): void {
    this.#leaveAccount();
    const stated = signedDigits(fields[0] ?? '');
    if (stated !== null) {
      this.#controls.push({
        row,
        what: phrase('statement.bai2.controlTotalOfTheFile'),
        stated,
        found: this.#groupSum,
        unit: 'minor',
        rows: 0,
      });
    }
    const groups = signedDigits(fields[1] ?? '');
    if (groups !== null)
      this.#controls.push({
        row,
        what: phrase('statement.bai2.numberOfGroupsOfTheFile'),
        stated: groups,
        found: this.#groups,
        unit: 'count',
        rows: 0,
      });
    const records = signedDigits(fields[2] ?? '');
    // Only its number of records shows whether digits are missing at its end.
    if (fields.length >= TRAILER_FIELDS && (!isRecordTorn || records === this.#lines)) this.#file = null;
    if (records !== null)
      this.#controls.push({
        row,
        what: phrase('statement.bai2.numberOfRecordsOfTheFile'),
        stated: records,
        found: this.#lines,
        unit: 'count',
        rows: 0,
      });
  }
}

/** Types of debit and credit reversals, returned checks and deposited items, returned and reversed ACH entries. */
const RETURN_TYPES = new Set(['252', '255', '257', '258', '552', '555', '557', '558']);

function reference(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

/** Returns digits with an optional sign as minor units; null where the text is not such a number. */
function signedDigits(text: string): number | null {
  const found = /^([+-]?)(\d{1,18})$/.exec(text.trim());
  if (found === null) return null;
  const value = Number(found[2]);
  if (!Number.isSafeInteger(value)) return null;
  return found[1] === '-' && value !== 0 ? -value : value;
}
