import type { Problem } from '../../../../src-shared/contract/index.ts';
import { dayFromParts, isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { note, quoted, rejection } from '../model/problems.ts';
import { markOfFormat } from '../reversals/originals.ts';
import type { StatedControl, StatedEntry, StatedFile, StatedSection } from './shared/stated-file.ts';
import { amountInMinor, cutOff, cutOffRow, lastRow, sixDigitDay } from './shared/written-values.ts';

const RECORD_LENGTH = 94;
const HEADER = /^101[ \dA-Z]{20}\d{6}/;
/** Matches a batch header, for files that lost their first line. */
const BATCH_HEADER = /^5(?:200|220|225|280).{46}[A-Z]{3}/;

/** Length of the file control record up to its total of credits. */
const FILE_CONTROL_LENGTH = 55;

/** A record of the file, padded to 94 characters. */
interface NachaRecord {
  readonly row: number;
  readonly text: string;
  /** Number of characters before padding. */
  readonly length: number;
  /** True where the file ends within this record, before a line end or its last character. */
  readonly isTorn: boolean;
}

export function looksLikeNacha(text: string): boolean {
  const start = text.trimStart();
  return HEADER.test(start) || BATCH_HEADER.test(start);
}

/** Reads a NACHA file (ACH): batches of entries with their addenda, returns and control totals. A credit is money to the receiver. */
export function readNacha(text: string): StatedFile {
  const reader = new NachaReader();
  for (const record of recordsOf(text)) reader.take(record);
  return reader.finish(lastRow(text));
}

/** Yields lines, or records of 94 characters where the file has no line ends. Blocked files end in lines of nines. */
function* recordsOf(text: string): Generator<NachaRecord> {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const whole = line.trimEnd();
    const isLast = index === lines.length - 1;
    if (whole.length <= 2 * RECORD_LENGTH - 1) {
      if (whole !== '') yield recordOf(index + 1, whole, isLast && line.length < RECORD_LENGTH);
      continue;
    }
    for (let at = 0; at < whole.length; at += RECORD_LENGTH) {
      const record = whole.slice(at, at + RECORD_LENGTH);
      yield recordOf(at / RECORD_LENGTH + 1, record, isLast && line.length < at + RECORD_LENGTH);
    }
  }
}

function recordOf(row: number, written: string, isTorn: boolean): NachaRecord {
  return { row, text: written.padEnd(RECORD_LENGTH), length: written.length, isTorn };
}

interface Sums {
  debits: number;
  credits: number;
  /** Number of entries and addenda. */
  count: number;
  /** Sum of the receiving banks' numbers; the format uses its last ten digits. */
  hash: number;
}

const noSums = (): Sums => ({ debits: 0, credits: 0, count: 0, hash: 0 });

interface OpenBatch {
  readonly row: number;
  readonly kind: string;
  readonly company: string;
  readonly purpose: string;
  readonly number: string;
  readonly dateText: string;
  /** Day of the year on which the money moves. The network writes it, often into returned batches alone. */
  readonly settlement: string;
  readonly day: number | null;
  readonly entries: { entry: StatedEntry; addenda: Record<string, string>; texts: string[] }[];
  readonly controls: StatedControl[];
  readonly sums: Sums;
  hasUnreadable: boolean;
}

class NachaReader {
  readonly #sections: StatedSection[] = [];
  readonly #controls: StatedControl[] = [];
  readonly #problems: Problem[] = [];
  readonly #cutOff: Problem[] = [];
  #sums = noSums();
  /** Number of entries in batches without totals of their own. */
  #unproved = 0;
  #hasUnreadable = false;
  #fileRow: number | null = null;
  #createdOn: number | null = null;
  #batch: OpenBatch | null = null;
  #batches = 0;
  /** Number of batches of accounting advices. A file of advices holds nothing else. */
  #advices = 0;
  #ended = false;

  take({ row, text, length, isTorn }: NachaRecord): void {
    switch (text[0]) {
      case '1':
        return this.#openFile(row, text);
      case '5':
        return this.#openBatch(row, text);
      case '6':
        return this.#addEntry(row, text, isTorn);
      case '7':
        return this.#addAddenda(text);
      case '8':
        return this.#closeBatch(row, text);
      case '9':
        return this.#closeFile(row, text, length);
      default:
        this.#problems.push(
          note('unknown_record', phrase('statement.nacha.rowIsNoNachaRecord', { row, text: quoted(text.slice(0, 1)) }), row),
        );
    }
  }

  finish(lastRowOfFile: number): StatedFile {
    this.#leaveBatch();
    if (!this.#ended) this.#cutOff.push(cutOff(lastRowOfFile, phrase('statement.nacha.itsWholeFileControlRecord')));
    return {
      format: 'nacha',
      sections: this.#sections,
      controls: this.#controls,
      problems: this.#problems,
      cutOff: this.#cutOff,
      referenceFields: ['metadata.individual_id', 'metadata.trace_number', 'description'],
    };
  }

  /** Begins a file; several may follow one another. */
  #openFile(row: number, text: string): void {
    this.#leaveBatch();
    if (this.#fileRow !== null && !this.#ended) {
      const message = phrase('statement.nacha.fileThatBeginsInRow', { fileRow: this.#fileRow, row });
      this.#cutOff.push(note('file_cut_off', message, row));
    }
    this.#fileRow = row;
    this.#ended = false;
    this.#createdOn = sixDigitDay(text.slice(23, 29));
    this.#sums = noSums();
    this.#unproved = 0;
    this.#hasUnreadable = false;
    this.#batches = 0;
    this.#advices = 0;
  }

  #openBatch(row: number, text: string): void {
    this.#leaveBatch();
    const dateText = text.slice(69, 75);
    const kind = text.slice(50, 53).trim();
    this.#batch = {
      row,
      kind,
      company: kind === 'IAT' ? '' : text.slice(4, 20).trim(),
      purpose: text.slice(53, 63).trim(),
      number: text.slice(87, 94).trim(),
      dateText,
      settlement: text.slice(75, 78),
      day: sixDigitDay(dateText),
      entries: [],
      controls: [],
      sums: noSums(),
      hasUnreadable: false,
    };
    this.#batches += 1;
    if (kind === 'ADV') this.#advices += 1;
  }

  #addEntry(row: number, text: string, isTorn: boolean): void {
    const batch = this.#batch;
    const code = text.slice(1, 3);
    const isAdvice = batch?.kind === 'ADV';
    const { minor, problems } = amountInMinor((isAdvice ? text.slice(27, 39) : text.slice(29, 39)).trim(), { row, field: 'amount' });
    const faults: Problem[] = [...problems];
    const direction = directionOf(code, isAdvice);
    if (direction === null) {
      const message = phrase('statement.nacha.theTransactionCodeInRow', { code: quoted(code), row });
      faults.push(rejection(row, phrase('statement.nacha.transactionCode'), 'unknown_type', message));
    }
    const day = this.#dayOfEntry(row, faults);
    if (isTorn) faults.splice(0, faults.length, cutOffRow(row, null));
    const entry: StatedEntry = {
      row,
      day,
      valueDay: null,
      amount: minor === null || direction === null ? null : { minor, direction },
      currency: null,
      description: null,
      id: text.slice(79, 94).trim() || null,
      metadata: entryMetadata(text, code, batch),
      problems: faults,
    };
    if (batch === null) {
      const message = phrase('statement.nacha.theEntryInRowStands', { row });
      this.#sections.push({
        row,
        account: null,
        currency: 'USD',
        entries: [{ ...entry, problems: [...faults, rejection(row, null, 'no_batch', message)] }],
        balances: [],
        controls: [],
      });
      return;
    }
    batch.entries.push({ entry, addenda: {}, texts: [] });
    batch.sums.count += 1;
    batch.sums.hash += Number(text.slice(3, 11)) || 0;
    if (minor === null || direction === null) batch.hasUnreadable = true;
    else batch.sums[direction === 'credit' ? 'credits' : 'debits'] += minor;
  }

  /** Returns the effective date of the batch. Notices and returns have none: then the settlement day, or else the day the file was made. */
  #dayOfEntry(row: number, faults: Problem[]): number | null {
    const batch = this.#batch;
    if (batch === null || batch.day !== null) return batch?.day ?? null;
    if (/^[ 0]*$/.test(batch.dateText) && this.#createdOn !== null) {
      const settledOn = settlementDay(batch.settlement, this.#createdOn);
      if (batch.entries.length === 0) {
        const taken = settledOn === null ? phrase('statement.nacha.dayTheFileWasMade') : phrase('statement.nacha.itsSettlementDate');
        const message = phrase('statement.nacha.batchInRowHasNoEffectiveDate', { row: batch.row, taken });
        this.#problems.push(note('date_assumed', message, batch.row));
      }
      return settledOn ?? this.#createdOn;
    }
    const message = phrase('statement.nacha.effectiveDateOfTheBatch', { dateText: quoted(batch.dateText), row: batch.row, row2: row });
    faults.push(rejection(row, phrase('statement.nacha.effectiveDate'), 'impossible_date', message));
    return null;
  }

  #addAddenda(text: string): void {
    const batch = this.#batch;
    const last = batch?.entries.at(-1);
    if (batch === null || last === undefined) return;
    batch.sums.count += 1;
    switch (text.slice(1, 3)) {
      case '05':
        last.texts.push(text.slice(3, 83).trim());
        return;
      case '10':
        last.addenda['individual_name'] = text.slice(46, 81).trim();
        return;
      case '98':
        last.addenda['change_code'] = text.slice(3, 6).trim();
        last.addenda['original_trace_number'] = text.slice(6, 21).trim();
        return;
      case '99':
        last.addenda['return_reason'] = text.slice(3, 6).trim();
        last.addenda['original_trace_number'] = text.slice(6, 21).trim();
        return;
      default:
        return;
    }
  }

  #closeBatch(row: number, text: string): void {
    const batch = this.#batch;
    if (batch === null) return;
    const isAdvice = batch.kind === 'ADV';
    const rows = batch.entries.length;
    const { sums } = batch;
    const add = (what: string, from: number, to: number, found: number, unit: StatedControl['unit'], confirmed: number): void => {
      const stated = digits(text.slice(from, to));
      if (stated === null) return;
      batch.controls.push({
        row,
        what: phrase('statement.nacha.ofBatch', { what, number: Number(batch.number) || batch.number }),
        stated,
        found,
        unit,
        rows: confirmed,
      });
    };
    add(phrase('statement.nacha.numberOfEntriesAndAddenda'), 4, 10, sums.count, 'count', 0);
    add(phrase('statement.nacha.theEntryHash'), 10, 20, sums.hash % 1e10, 'count', 0);
    if (!batch.hasUnreadable) {
      add(phrase('statement.nacha.theTotalOfDebits'), 20, isAdvice ? 40 : 32, sums.debits, 'minor', 0);
      add(phrase('statement.nacha.theTotalOfCredits'), isAdvice ? 40 : 32, isAdvice ? 60 : 44, sums.credits, 'minor', rows);
    }
    this.#leaveBatch();
  }

  #leaveBatch(): void {
    const batch = this.#batch;
    if (batch === null) return;
    const entries = batch.entries.map(({ entry, addenda, texts }) => {
      const metadata = { ...entry.metadata, ...Object.fromEntries(Object.entries(addenda).filter(([, value]) => value !== '')) };
      const words = [metadata['individual_name'] ?? '', batch.company, batch.purpose, ...texts].filter((part) => part !== '');
      const description = words.length === 0 ? null : words.join(' ');
      const reason = metadata['return_reason'];
      if (reason === undefined) return { ...entry, metadata, description };
      const reversal = markOfFormat(reason, metadata['original_trace_number'] ?? null);
      return { ...entry, metadata, description, reversal };
    });
    this.#sections.push({
      row: batch.row,
      account: null,
      holder: batch.company || null,
      currency: 'USD',
      entries,
      balances: [],
      controls: batch.controls,
    });
    for (const key of ['debits', 'credits', 'count', 'hash'] as const) this.#sums[key] += batch.sums[key];
    this.#hasUnreadable ||= batch.hasUnreadable;
    if (batch.controls.length === 0) this.#unproved += entries.length;
    this.#batch = null;
  }

  #closeFile(row: number, text: string, length: number): void {
    // Files are padded to whole blocks with records of nines.
    if (this.#ended || /^9{94}$/.test(text)) return;
    this.#leaveBatch();
    if (length < FILE_CONTROL_LENGTH) return;
    this.#ended = true;
    const add = (what: string, from: number, to: number, found: number, unit: StatedControl['unit'], rows = 0): void => {
      const stated = digits(text.slice(from, to));
      if (stated !== null) this.#controls.push({ row, what: phrase('statement.nacha.ofTheFile', { what }), stated, found, unit, rows });
    };
    add(phrase('statement.nacha.theNumberOfBatches'), 1, 7, this.#batches, 'count');
    add(phrase('statement.nacha.numberOfEntriesAndAddenda'), 13, 21, this.#sums.count, 'count');
    add(phrase('statement.nacha.theEntryHash'), 21, 31, this.#sums.hash % 1e10, 'count');
    // The sums lack an amount that cannot be read, which has its own rejection.
    if (this.#hasUnreadable) return;
    const width = this.#advices > 0 && this.#advices === this.#batches ? 20 : 12;
    add(phrase('statement.nacha.theTotalOfDebits'), 31, 31 + width, this.#sums.debits, 'minor');
    add(phrase('statement.nacha.theTotalOfCredits'), 31 + width, 31 + 2 * width, this.#sums.credits, 'minor', this.#unproved);
  }
}

/** Returns the day with this number in its year that is closest to the day the file was made; null where the text is no such number. */
function settlementDay(text: string, createdOn: number): number | null {
  const number = Number(text);
  if (!/^\d{3}$/.test(text) || number < 1 || number > 366) return null;
  const year = Number(isoFromDay(createdOn).slice(0, 4));
  const days = [year - 1, year, year + 1].map((one) => dayFromParts(one, 1, 1)).filter((first) => first !== null);
  const [nearest = null] = days.map((first) => first + number - 1).toSorted((a, b) => Math.abs(a - createdOn) - Math.abs(b - createdOn));
  return nearest;
}

/** Returns the direction by the second digit: 0 to 4 pays the receiver, 5 to 9 debits the receiver. In accounting advices (8x) they alternate. */
function directionOf(code: string, isAdvice: boolean): 'credit' | 'debit' | null {
  if (/^[2-5]\d$/.test(code)) return Number(code[1]) < 5 ? 'credit' : 'debit';
  if (isAdvice && /^8[1-8]$/.test(code)) return Number(code[1]) % 2 === 1 ? 'credit' : 'debit';
  return null;
}

function entryMetadata(text: string, code: string, batch: OpenBatch | null): Record<string, string> {
  const kind = batch?.kind ?? '';
  const found: Record<string, string> = {
    transaction_code: code,
    entry_class: kind,
    company: batch?.company ?? '',
    batch: batch?.number ?? '',
    trace_number: text.slice(79, 94).trim(),
  };
  if (kind === 'IAT') found['account_number'] = text.slice(39, 74).trim();
  else if (kind !== 'ADV') {
    found['account_number'] = text.slice(12, 29).trim();
    found['individual_id'] = text.slice(39, 54).trim();
    found['individual_name'] = (kind === 'CTX' ? text.slice(58, 74) : text.slice(54, 76)).trim();
  }
  // A prenote tests an account before money moves.
  if (/^[2-5][38]$/.test(code)) found['prenote'] = 'true';
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== ''));
}

function digits(text: string): number | null {
  const trimmed = text.trim();
  return /^\d+$/.test(trimmed) && Number.isSafeInteger(Number(trimmed)) ? Number(trimmed) : null;
}
