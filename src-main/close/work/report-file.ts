import type { DifferenceCode } from '../../../src-shared/contract/index.ts';
import { STATUS_WORDS } from '../../../src-shared/contract/close/period-statement.ts';
import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, DEFAULT_CURRENCY } from '../../../src-shared/values/money.ts';
import { type Result, success } from '../../../src-shared/values/result.ts';
import { setting } from '../../book/store/settings.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReadHandle } from '../../database/database.ts';
import {
  amountText,
  type CoveredRow,
  coveringHash,
  journalOf,
  labelOf,
  type LedgerRecord,
  type LedgerSide,
  type OpenItem,
  type OpenItemStatus,
  periodKey,
  sideName,
  type Statement,
  type TotalOutOfRange,
} from '../../domain/ledger/index.ts';
import {
  type CloseReport,
  documentOf,
  fingerprintOf,
  journalCsv,
  type JournalLayout,
  type MatchOrigin,
  type PackedFile,
  packHtml,
  type ReportCertainty,
  type ReportChange,
  reportCsv,
  type ReportException,
  reportHtml,
  type ReportImport,
  type ReportMatch,
  type ReportOpenItem,
  type ReportSide,
  reportWorkbook,
  shortHash,
} from '../../domain/report/index.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { keptFileOfHash } from '../../imports/store/kept-files.ts';
import { overdueFigures } from '../../records/store/exceptions.ts';
import { wholeSum } from '../../records/store/records.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import type { CloseImport } from '../store/close-reads.ts';
import {
  makersOfImports,
  type MadeMatch,
  madeMatches,
  makersOfMatches,
  reportedImports,
  ruleDescriptions,
  type AuditedAct,
  type TouchedException,
  touchedExceptions,
} from '../store/report-reads.ts';
import { coveringText, lastSignOff, signOffsOf } from '../store/sign-offs.ts';
import { type Changes, changesSince, type CloseChange } from './changes.ts';
import type { CloseSource, CurrencyLines } from './close-source.ts';
import { coveredRows } from './covering-text.ts';
import {
  balanceSourcesOf,
  bookWarningsOf,
  chosen,
  type Close,
  closeOf,
  type CurrencyClose,
  openItemsOf,
  staleness,
  undoneByCurrency,
} from './read-close.ts';
import { reportSides } from './report-sides.ts';
import { type LastClose, lastCloseOf, lastCloseText, reportAudit, reportSignOffs } from './report-sign-offs.ts';
import { actorText, distinct, momentOf } from './words.ts';
import { dayText, FIRST_NOTATION, inNotation, type Notation } from '../../../src-shared/values/notation.ts';
import { bookNotation } from '../../book/store/notation.ts';

type Said = NonNullable<CloseChange['before']>;
type Line = Pick<ReportChange, 'what' | 'before' | 'after'>;

/** Number of record labels that the name of a match lists. */
const LABELS = 3;
const NO_TEXT = phrase('report.reportFile.aLineWithoutText');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const recordIdsOf = (said: Said): readonly number[] => said['record_ids'] as readonly number[];

/** Describes changes since a sign-off for people. Amounts in a currency other than `currency`, that of the report, name theirs. */
class ChangeWords {
  readonly #source: CloseSource;
  readonly #currency: string;
  readonly #places: ReadonlyMap<string, number>;
  readonly #labels: ReadonlyMap<number, string>;

  constructor(source: CloseSource, currency: string, changes: readonly CloseChange[]) {
    this.#source = source;
    this.#currency = currency;
    this.#places = new Map(source.currencies.map((lines) => [lines.currency, lines.decimalPlaces]));
    this.#labels = labelsOf(source, changes);
  }

  linesOf({ kind, key, id, before, after }: CloseChange): Line[] {
    if (kind === 'balance') return this.#balance(key, before, after);
    if (kind === 'record') return this.#record(before, after);
    const [was, became] = [before, after].map((said) => (said === null ? null : this.#whole(kind, said)));
    const named = present(after ?? before, 'what a change says');
    const what = kind === 'import' ? `File ${String(named['name'])} of ${this.#side(named)}` : this.#whatOf(kind, id, named);
    return [{ what, before: was ?? null, after: became ?? null }];
  }

  #whatOf(kind: 'match' | 'note', id: number | null, said: Said): string {
    if (kind === 'note') return phrase('report.reportFile.markOn', { label: this.#label(id ?? 0) });
    const ids = recordIdsOf(said);
    const shown = ids.slice(0, LABELS).map((each) => this.#label(each));
    return phrase('report.reportFile.matchOfAndMore', {
      shown: shown.join(', '),
      ids: ids.length - LABELS,
      isIds: ids.length > LABELS ? 'yes' : 'no',
    });
  }

  /** Returns the description of a thing whose fields are not compared one by one. */
  #whole(kind: 'match' | 'note' | 'import', said: Said): string {
    if (kind === 'import') return 'imported';
    if (kind === 'note') return STATUS_WORDS[said['status'] as OpenItemStatus];
    const reason = said['reason'] as DifferenceCode | null;
    return reason === null ? 'matched' : `matched, ${REASON_WORDS[reason].toLowerCase()}`;
  }

  #label(id: number): string {
    return this.#labels.get(id) ?? NO_TEXT;
  }

  #side(said: Said): string {
    return sideName(this.#source, said['side'] as LedgerSide);
  }

  #amount(amount: unknown, currency: string): string | null {
    if (typeof amount !== 'number') return null;
    const text = amountText(amount, this.#places.get(currency) ?? decimalPlacesOf(currency));
    return currency === this.#currency ? text : `${text} ${currency}`;
  }

  #balance(key: string, before: Said | null, after: Said | null): Line[] {
    const [currency = '', side = 'bank'] = key.split(' ');
    const of = sideName(this.#source, side as LedgerSide);
    return (['opening', 'stated_closing'] as const).flatMap((member) => {
      const [was, became] = [before?.[member], after?.[member]].map((amount) => this.#amount(amount, currency));
      const title = member === 'opening' ? phrase('report.reportFile.openingBalance') : phrase('report.reportFile.statedClosingBalance');
      return was === became ? [] : [{ what: `${title} of ${of}`, before: was ?? null, after: became ?? null }];
    });
  }

  #field(said: Said, member: string): string | null {
    const value = said[member];
    if (member === 'amount') return this.#amount(value, String(said['currency']));
    if (member === 'date') return dayText(dayFromIso(String(value)) ?? 0);
    if (member === 'side') return this.#side(said);
    if (member !== 'stream_id') return textOrNull(value);
    const stream = [...this.#source.streams.bank, ...this.#source.streams.books].find(({ id }) => id === value);
    return stream?.name ?? `stream ${String(value)}`;
  }

  /** Describes an added or removed line by its amount, and a changed line by each field that differs. */
  #record(before: Said | null, after: Said | null): Line[] {
    const said = present(after ?? before, 'what a change says');
    const label = labelOfSaid(said) ?? NO_TEXT;
    if (before === null || after === null) {
      const amount = this.#amount(said['amount'], String(said['currency']));
      const what = `Line ${label} of ${this.#side(said)}, ${this.#field(said, 'date') ?? ''}`;
      return [{ what, before: before === null ? null : amount, after: after === null ? null : amount }];
    }
    return Object.entries(FIELDS).flatMap(([member, title]) =>
      before[member] === after[member]
        ? []
        : [
            {
              what: `${label} of ${this.#side(before)}, ${title}`,
              before: this.#field(before, member),
              after: this.#field(after, member),
            },
          ],
    );
  }
}

/** The members of a covered line and their names for people. */
const FIELDS = {
  side: 'side',
  date: 'date',
  amount: 'amount',
  currency: 'currency',
  reference: 'reference',
  description: 'particulars',
  stream_id: 'stream',
} as const;

function labelOfSaid(said: Said): string | null {
  return labelOf({ reference: textOrNull(said['reference']), description: textOrNull(said['description']) });
}

/** Returns the labels of records that changed matches and marks refer to. Removed records get the label of what was signed. */
function labelsOf({ currencies }: CloseSource, changes: readonly CloseChange[]): Map<number, string> {
  const labels = new Map<number, string>();
  for (const { kind, id, before, after } of changes) {
    const said = after ?? before;
    if (kind === 'record' && id !== null && said !== null) labels.set(id, labelOfSaid(said) ?? NO_TEXT);
  }
  const wanted = new Set(
    changes.flatMap(({ kind, id, before, after }) => {
      if (kind === 'match') return recordIdsOf(present(after ?? before, 'what a change says')).slice(0, LABELS);
      return kind === 'note' ? (id ?? []) : [];
    }),
  );
  for (const { records } of currencies) {
    for (const record of records) if (wanted.has(record.id)) labels.set(record.id, labelOf(record) ?? NO_TEXT);
  }
  return labels;
}

/** Describes the listed changes, and ends with the number of those that are not listed. */
function reportChanges({ count, listed }: Changes, source: CloseSource, currency: string): ReportChange[] {
  const words = new ChangeWords(source, currency, listed);
  const described = listed.flatMap((change) => {
    const { at, by } = change;
    const who = { at: at === null ? null : momentOf(at), by: by === null ? null : actorText(by) };
    return words.linesOf(change).map((line): ReportChange => ({ ...who, ...line }));
  });
  const more = count - listed.length;
  if (more === 0) return described;
  return [
    ...described,
    { at: null, by: null, what: phrase('report.reportFile.andChangesThatThisReport', { more }), before: '', after: '' },
  ];
}

/** From a longer description only the part before the first colon is used. */
const LONGEST_NAME = 60;

/** Returns the description of a rule, or its number if it has none; null if the rule no longer exists. */
function ruleName(id: number, descriptions: ReadonlyMap<number, string | null>): string | null {
  const said = descriptions.get(id);
  if (said === undefined) return null;
  const words = (said ?? '').trim();
  if (words === '') return `Rule ${id}`;
  const [head = ''] = words.split(':');
  return words.length > LONGEST_NAME && head !== '' ? head : words;
}

function originOf({ origin, confirmed_at: confirmedAt }: MadeMatch): MatchOrigin {
  if (origin === 'manual') return 'manual';
  return confirmedAt === null ? 'rule' : 'confirmed';
}

/** Returns who decided a match and when: its maker if it was made by hand, else the person who confirmed it. */
function decidedBy(made: MadeMatch, maker: AuditedAct | undefined): Pick<ReportMatch, 'by' | 'at'> {
  if (made.origin === 'manual') {
    return { by: maker === undefined ? null : actorText(maker.actor), at: momentOf(maker?.at ?? made.created_at) };
  }
  const { confirmed_by: by, confirmed_at: at } = made;
  return { by: by === null ? null : actorText(by), at: at === null ? null : momentOf(at) };
}

/** Returns the ids of cleared matches that have a record in the period or a difference. */
function listedIds({ clearedMatches, period }: Statement, records: readonly LedgerRecord[]): number[] {
  const inPeriod = new Set<number>();
  for (const { id, day, isAdjustment } of records) if (!isAdjustment && day >= period.from && day <= period.to) inPeriod.add(id);
  return clearedMatches
    .filter(({ difference, recordIds }) => difference !== 0 || recordIds.some((id) => inPeriod.has(id)))
    .map(({ id }) => id);
}

/** Returns how the listed matches of a statement were made. */
function reportMatches(
  read: ReadHandle,
  { reconciliation }: CloseSource,
  statement: Statement,
  records: readonly LedgerRecord[],
): ReportMatch[] {
  const descriptions = ruleDescriptions(read, reconciliation.id);
  const found = madeMatches(read, listedIds(statement, records));
  const isAnyByHand = found.some(({ origin }) => origin === 'manual');
  const makers = isAnyByHand ? makersOfMatches(read, reconciliation.environment_id) : new Map<number, AuditedAct>();
  return found.map((made) => ({
    id: made.id,
    origin: originOf(made),
    rule: made.rule_id === null ? null : ruleName(made.rule_id, descriptions),
    certainty: made.certainty as ReportCertainty | null,
    isConfirmedInBulk: made.confirmed_in_bulk === 1,
    ...decidedBy(made, makers.get(made.id)),
    note: made.difference_note,
  }));
}

/** At most this many remarks are listed per file; the others are counted. */
const MOST_REMARKS = 10;

const isWithin = (from: number, to: number, { first_day: first, last_day: last }: CloseSource['period']): boolean =>
  from <= last && to >= first;

/** Returns whether the lines or the statements of a file cover days of the period. */
function isOfPeriod({ date_start: from, date_end: to, periods }: CloseImport, period: CloseSource['period']): boolean {
  if (from !== null && to !== null && isWithin(from, to, period)) return true;
  return (periods ?? []).some(({ firstDay, lastDay }) => isWithin(firstDay, lastDay, period));
}

/** Returns a sentence on whether the balances of a file add up; null if it states none. */
function proofSentence(
  { proof, currency: own, opening_balance: opening, closing_balance: closing }: CloseImport,
  stream: StreamRow,
): string | null {
  const currency = own ?? stream.currency;
  const money = (minor: number): string => {
    const amount = amountText(minor, decimalPlacesOf(currency ?? DEFAULT_CURRENCY));
    return currency === null ? amount : `${amount} ${currency}`;
  };
  const known = opening !== null && closing !== null;
  const figures = known
    ? phrase('report.reportFile.openingBalanceClosingBalance', { opening: money(opening), closing: money(closing) })
    : null;
  if (proof === 'proved')
    return figures === null
      ? phrase('report.reportFile.itsBalancesAddUp')
      : phrase('report.reportFile.balancesAddUpWithFigures', { figures });
  if (proof === 'broken')
    return figures === null
      ? phrase('report.reportFile.itsBalancesDoNotAdd')
      : phrase('report.reportFile.balancesDoNotAddUpWithFigures', { figures });
  if (figures !== null) return phrase('report.reportFile.itStatesWhichItsLines', { figures });
  return opening === null && closing === null ? null : phrase('report.reportFile.itStatesOneBalance');
}

/** Returns the remarks from the import of a file. */
function remarksOf({ id, problems }: { readonly id: number; readonly problems: string }): string[] {
  const notes = storedJson('import_batches.problems', problems, id).filter(({ severity }) => severity !== 'rejected');
  const said = distinct(notes.map(({ message }) => message));
  if (said.length <= MOST_REMARKS) return said;
  return [...said.slice(0, MOST_REMARKS), phrase('report.reportFile.andMoreRemarks', { said: said.length - MOST_REMARKS })];
}

/** Returns the imports that cover days of the period or brought an open item. Those of the bank come first. */
function reportImports(read: ReadHandle, source: CloseSource, openItems: readonly OpenItem[]): ReportImport[] {
  const opening = new Set(openItems.map(({ record }) => record.importId));
  const wanted = source.imports.filter((brought) => opening.has(brought.id) || isOfPeriod(brought, source.period));
  const facts = new Map(
    reportedImports(
      read,
      wanted.map(({ id }) => id),
    ).map((row) => [row.id, row]),
  );
  const importMakers = makersOfImports(read, source.reconciliation.environment_id);
  return (['bank', 'books'] as const).flatMap((side: LedgerSide) => {
    const streams = new Map(source.streams[side].map((stream) => [stream.id, stream]));
    return wanted.flatMap((brought): ReportImport[] => {
      const stream = streams.get(brought.stream_id);
      if (stream === undefined) return [];
      const { id, filename, source: cause, sha256, date_start: from, date_end: to, created_at: at } = brought;
      const { byte_length: bytes, kept, rejected, problems } = present(facts.get(id), 'import');
      const isFile = cause !== 'bulk_api';
      const importMaker = importMakers.get(id);
      return [
        {
          side,
          fileName: filename ?? (isFile ? `import ${id}` : phrase('report.reportFile.bulkRequestImport', { id })),
          contentHash: isFile ? sha256 : null,
          bytes: isFile ? bytes : null,
          rows: kept,
          refusedRows: rejected,
          from,
          to,
          importedAt: momentOf(at),
          by: importMaker === undefined ? null : actorText(importMaker.actor),
          proof: proofSentence(brought, stream),
          remarks: remarksOf({ id, problems }),
        },
      ];
    });
  });
}

const DAY_MS = 86_400_000;

/** Returns the net of the overdue lines up to the last day, in minor units, money in positive. Null if there are none or the sum exceeds 2^53 - 1. */
function overdueNet(
  read: ReadHandle,
  { period, streams, signOf }: CloseSource,
  { currency, decimalPlaces }: CurrencyLines,
  { id, stream_id: streamId }: TouchedException,
): number | null {
  const figures = overdueFigures(read, id, { dayTo: period.last_day }).filter((figure) => figure.currency === currency);
  if (figures.length === 0) return null;
  const side = streams.bank.some((stream) => stream.id === streamId) ? 'bank' : 'books';
  const net = figures.reduce((sum, { direction, decimal_places: places, ...parts }) => {
    const amount = wholeSum(parts) * 10n ** BigInt(decimalPlaces - places);
    return direction === 1 ? sum + amount : sum - amount;
  }, 0n);
  const narrow = Number(net) * signOf[side] + 0;
  return Number.isSafeInteger(narrow) ? narrow : null;
}

/** Returns the exceptions of a reconciliation that are open or were changed in the period. */
function reportExceptions(read: ReadHandle, source: CloseSource, lines: CurrencyLines): ReportException[] {
  const { period, reconciliation } = source;
  const found = touchedExceptions(read, reconciliation.id, period.first_day * DAY_MS, (period.last_day + 1) * DAY_MS);
  return found.map((exception) => ({
    title: exception.title,
    status: exception.status,
    recordId: null,
    amount: overdueNet(read, source, lines, exception),
    openedAt: momentOf(exception.opened_at),
    owner: exception.assignee,
    comment: exception.comment ?? exception.description,
  }));
}

/** The formats of a report. A PDF is made from the HTML by printing it. */
type Format = 'html' | 'xlsx' | 'csv' | 'pack' | 'journal';

/** The requested report, as plain data. */
interface ReportWanted {
  readonly format: Format;
  /** Null for the currency with the most lines. */
  readonly currency: string | null;
  /** The layout of the journal; other formats ignore it. */
  readonly layout: JournalLayout;
}

/** A report as a file, as plain data. */
export interface ReportFile {
  /** The filename without its ending, such as `northgate-current-2026-06-GBP`. */
  readonly name: string;
  readonly content: string | Uint8Array;
  /** The fingerprint in the form that every page shows. */
  readonly fingerprint: string;
}

function nameOf({ reconciliation, statement: { period, currency } }: CloseReport): string {
  const words = reconciliation
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase();
  return [words, periodKey(period).replace('..', '-to-'), currency].filter((part) => part !== '').join('-');
}

/** A pack holds at most this many bytes of kept files; further ones stay in the book. */
const PACKED_BYTES = 48 * 1024 * 1024;

/** Returns the files that were kept with the imports of a report, each once; of one that is damaged, gone or has no room, why it is not there. */
function filesOf(read: ReadHandle, { imports, covered }: CloseReport): PackedFile[] {
  const files = new Map<string, PackedFile>();
  const known = covered.filter(({ kind }) => kind === 'import').map(({ text }) => text);
  let left = PACKED_BYTES;
  for (const { contentHash: sha256, fileName: name } of imports) {
    const bytes =
      sha256 === null || files.has(sha256) || !known.some((text) => text.includes(sha256)) ? null : keptFileOfHash(read, sha256);
    if (sha256 === null || bytes === null) continue;
    if (bytes === 'changed') files.set(sha256, { name, sha256, bytes: phrase('close.pack.fileDamaged') });
    else if (bytes === 'gone') files.set(sha256, { name, sha256, bytes: phrase('close.pack.fileGone') });
    else if (bytes.length > left) files.set(sha256, { name, sha256, bytes: phrase('close.pack.fileTooLarge') });
    else {
      left -= bytes.length;
      files.set(sha256, { name, sha256, bytes });
    }
  }
  return [...files.values()];
}

function contentOf(read: ReadHandle, report: CloseReport, { format, layout }: ReportWanted): string | Uint8Array {
  switch (format) {
    case 'html':
      return reportHtml(documentOf(report));
    case 'xlsx':
      return reportWorkbook(documentOf(report));
    case 'csv':
      return reportCsv(documentOf(report));
    case 'pack':
      return packHtml(report, documentOf(report), filesOf(read, report));
    case 'journal':
      return journalCsv(report.journal, report.statement, layout);
  }
}

/** Returns the report of a period as a file; null if the period has nothing in the currency. */
export function readReportFile(
  read: ReadHandle,
  periodId: number,
  wanted: ReportWanted,
  made: Made,
): Result<ReportFile | null, TotalOutOfRange> {
  return inNotation(notationOfReport(read, periodId), () => writtenReport(read, periodId, wanted, made));
}

/** Returns the notation of the last signature, by which what was signed reads the same for ever; that of the book where nothing is signed. */
function notationOfReport(read: ReadHandle, periodId: number): Notation {
  const last = lastSignOff(read, periodId);
  if (last === undefined || last.kind === 'reopen') return bookNotation(read);
  return last.notation === null ? FIRST_NOTATION : storedJson('sign_offs.notation', last.notation, last.id);
}

function writtenReport(read: ReadHandle, periodId: number, wanted: ReportWanted, made: Made): Result<ReportFile | null, TotalOutOfRange> {
  const report = readReport(read, periodId, wanted.currency, made);
  if (!report.ok || report.value === null) return report as Result<null, TotalOutOfRange>;
  const { value } = report;
  return success({ name: nameOf(value), content: contentOf(read, value, wanted), fingerprint: shortHash(fingerprintOf(value)) });
}

/** The time at which a report is made, and the version of Tieout that makes it. */
interface Made {
  /** Milliseconds UTC. */
  readonly atMs: number;
  readonly version: string;
}

/** Returns the changes to the previous closed period since it was closed. */
function changesBefore(read: ReadHandle, last: LastClose | null, currency: string): ReportChange[] {
  if (last === null) return [];
  const close = closeOf(read, last.period.id);
  if (!close.ok) return [];
  const changes = changesSince(read, close.value.source, last.signOff, close.value.covering());
  return changes === null ? [] : reportChanges(changes, close.value.source, currency);
}

/** Returns the changes in the period between its first and its last signature; for an open period up to now. */
function changesBetweenSignatures(read: ReadHandle, { source, covering }: Close, currency: string): ReportChange[] {
  const { id, state } = source.period;
  const rows = signOffsOf(read, id);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return [];
  const kept = state === 'open' ? null : coveringText(read, id, last.covering_hash);
  const until: readonly CoveredRow[] = kept === null ? covering() : coveredRows(kept, id);
  const changes = changesSince(read, source, first, until);
  return changes === null ? [] : reportChanges(changes, source, currency);
}

/** Returns the entries that the books must take over. They are dated the day after the period, because its own days are closed. */
function journalOfClose({ input, statement }: CurrencyClose, books: ReportSide, items: readonly ReportOpenItem[]) {
  const firstCause = new Map(items.map(({ item, causes }) => [item.record.id, causes[0]?.kind]));
  const bank = books.accountNumber === null ? books.accountName : `${books.accountNumber} ${books.accountName}`;
  return journalOf(input, statement, {
    day: input.period.to + 1,
    accounts: { bank, byReason: {} },
    reasonOf: ({ record }) => {
      const kind = firstCause.get(record.id);
      return kind === 'bank_charge' || kind === 'interest' ? kind : null;
    },
  });
}

/** Returns the records up to the last day, and all adjustments, since matches refer to these. */
function recordsOf({ period }: CloseSource, { lines }: CurrencyClose): LedgerRecord[] {
  return lines.records.filter(({ day, isAdjustment }) => isAdjustment || day <= period.last_day);
}

/** Returns the report of a period in a currency; null if it has nothing in that currency. The caller must provide one snapshot. */
function readReport(
  read: ReadHandle,
  periodId: number,
  currency: string | null,
  { atMs, version }: Made,
): Result<CloseReport | null, TotalOutOfRange> {
  const close = closeOf(read, periodId);
  if (!close.ok) return close;
  const { source, covering } = close.value;
  const { period, reconciliation } = source;
  const one = chosen(close.value, currency);
  if (one === null) return success(null);
  const { statement, lines } = one;
  const items = openItemsOf(one, source).items.map(({ causes, age, expectedOn, ...item }): ReportOpenItem => ({
    item,
    causes,
    age,
    expectedOn,
    isCarriedForward: item.record.day < period.first_day,
  }));
  const covered = covering();
  const hash = coveringHash(covered);
  const { isStale, changes } = staleness(read, close.value);
  const last = lastCloseOf(read, period);
  const sides = reportSides(read, source, lines);
  const records = recordsOf(source, one);
  return success({
    bookName: setting(read, 'book_name'),
    reconciliation: reconciliation.name,
    isNeutral: source.isNeutral,
    bankSide: source.bankSide,
    sides,
    state: period.state,
    preparedBy: period.prepared_by,
    reviewedBy: period.reviewed_by,
    isStale,
    bookWarnings: bookWarningsOf(read, source, one).map(({ message }) => message),
    staleChanges: changes === null ? [] : reportChanges(changes, source, lines.currency),
    statement,
    undone: undoneByCurrency(read, close.value).get(statement.currency) ?? [],
    records,
    balanceSources: balanceSourcesOf(one),
    openItems: items,
    matches: reportMatches(read, source, statement, records),
    journal: journalOfClose(one, sides.books, items),
    exceptions: reportExceptions(read, source, lines),
    imports: reportImports(read, source, statement.openItems),
    lastClose: lastCloseText(last),
    changesSinceLastClose: [...changesBefore(read, last, lines.currency), ...changesBetweenSignatures(read, close.value, lines.currency)],
    signOffs: reportSignOffs(read, period, lines, hash),
    covered,
    coveringHash: hash,
    auditEntries: reportAudit(read, period, last),
    printedAt: momentOf(atMs),
    version,
  });
}
