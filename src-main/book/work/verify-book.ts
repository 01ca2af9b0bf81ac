import { statSync } from 'node:fs';
import path from 'node:path';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { coveringText, type SignOffRow } from '../../close/store/sign-offs.ts';
import { coveredRows } from '../../close/work/covering-text.ts';
import { type Database, isDamage, query, type WriteHandle } from '../../database/database.ts';
import { isDerived } from '../../database/digests/covered.ts';
import { type SchemaFault, schemaFaults } from '../../database/digests/schema-faults.ts';
import { contentFaults, dropDerived, isIndexAsStated } from '../../database/digests/whole-content.ts';
import { IdSet } from '../../domain/collections/id-set.ts';
import { coveringHash } from '../../domain/ledger/index.ts';
import { type Field, fieldOf } from '../../domain/records/fields.ts';
import type { ValueColumn } from '../../domain/records/value-column.ts';
import { keptByImports, keptFile } from '../../imports/store/kept-files.ts';
import { unheldMembers, unlistedMembers, wrongDifferences } from '../../matches/store/member-faults.ts';
import { bulkItemFaults } from '../../records/store/bulk-requests.ts';
import { changedIds, type ColumnPackRow, dropPack, readyPacks, streamsToPack } from '../../records/store/column-packs.ts';
import { areListsRight, entriesOfNobody, unlist, wronglyListed } from '../../records/store/listed-records.ts';
import { resetSearch } from '../../records/store/record-search.ts';
import { readPack } from '../../records/work/pack-reader.ts';
import { readForPack } from '../../records/work/pack-stream.ts';
import { nameCodes } from '../../records/work/row-columns.ts';
import { anchorFault, anchorOf, readAnchor } from '../store/audit-anchor.ts';
import { firstBrokenAuditEntry } from '../store/audit.ts';
import { BOOK_FILE } from '../store/book-folder.ts';
import { openBook, type OpenFailure } from '../store/book.ts';
import { damagedPages, tablesByRootPage, unreadableRows } from '../store/file-faults.ts';
import { namingNewest } from '../store/restore-advice.ts';
import { hashOfEntry } from '../store/settings.ts';

/** The result of one check. */
export interface Checked {
  readonly check: Check;
  readonly findings: readonly Finding[];
  /** Whether there are more findings. */
  readonly isMore: boolean;
  /** Whether the check could not read everything, because the file is damaged. */
  readonly isDamaged: boolean;
}

/**
 * Runs checks on one snapshot of a book, and then mends the findings that can be mended. Writes nothing if the file is damaged. `onCheck` is called
 * before each check.
 */
export function verifyBook(database: Database, checks: readonly Check[], onCheck: (check: Check) => void): Checked[] {
  const checked = checkBook(database, checks, onCheck);
  mendBook(database, checked);
  return checked;
}

/** Runs checks on one snapshot of a book, without changing anything. */
export function checkBook(database: Database, checks: readonly Check[], onCheck: (check: Check) => void): Checked[] {
  const checked: Checked[] = [];
  database.look(() => {
    for (const check of checks) {
      onCheck(check);
      const made = makeCheck(
        database,
        check,
        checked.some(({ findings }) => findings.length > 0),
      );
      checked.push(made);
    }
  });
  return checked;
}

/** Drops what can be rebuilt, unless the file is damaged. */
export function mendBook(database: Database, checked: readonly Checked[]): void {
  if (checked.some(({ check, findings, isDamaged }) => isDamaged || (check.isOfFile === true && findings.length > 0))) return;
  for (const { findings } of checked) for (const { mend } of findings) if (mend !== undefined) database.write(mend);
}

/** Runs one check. If the book was found changed, an error of a check counts as a finding; otherwise it is a fault of Tieout. */
function makeCheck(database: Database, check: Check, isInDoubt: boolean): Checked {
  const findings: Finding[] = [];
  const most = check.most ?? MOST_FINDINGS;
  try {
    for (const finding of check.find(database)) {
      if (findings.length === most) return { check, findings, isMore: true, isDamaged: false };
      findings.push(finding);
    }
  } catch (error) {
    if (!isInDoubt && !isDamage(error)) throw error;
    findings.push({
      message: phrase('book.verifyBook.lookingAtCameToAnEnd', {
        label: check.label,
        error: error instanceof Error ? error.message : String(error),
      }),
    });
    return { check, findings, isMore: false, isDamaged: true };
  }
  return { check, findings, isMore: false, isDamaged: false };
}

/** A fault found in a book. */
interface Finding {
  /** The fault and what to do about it, in sentences for people. */
  readonly message: string;
  /** Mends the fault after all checks; the message says so. */
  readonly mend?: (write: WriteHandle) => void;
}

/** One check of `tieout verify`. */
export interface Check {
  /** A name for programs, which never changes. */
  readonly id: string;
  /** Shown while the check runs: "checking LABEL". */
  readonly label: string;
  /** Checks a snapshot of the book without changing it. May throw SQLite's errors for a damaged file. */
  readonly find: (database: Database) => Iterable<Finding>;
  /** The number of findings that are listed; `MOST_FINDINGS` by default. */
  readonly most?: number;
  /** Whether a finding means that the file itself is damaged, so that nothing read from it can be trusted. */
  readonly isOfFile?: boolean;
}

/** The number of findings of one check that are listed. */
const MOST_FINDINGS = 20;

const NO_ENTRY = '0'.repeat(64);
const RESTORE_EARLIER = phrase('book.verifyBook.restoreEarlierBackup');

/** The audit entry of a sign-off. */
interface SignedEntry {
  readonly signOffId: number;
  readonly periodId: number;
  readonly by: string;
  readonly reason: string | null;
  readonly hash: string;
}

function signedEntries(database: Database): Map<number, SignedEntry> {
  const entries = database
    .prepare<[], SignedEntry>(
      `SELECT json_extract(detail, '$.sign_off_id') AS signOffId, json_extract(detail, '$.period_id') AS periodId, json_extract(detail, '$.signed_by') AS "by",
         json_extract(detail, '$.reason') AS reason, json_extract(detail, '$.covering_hash') AS hash
       FROM audit_log WHERE action IN ('period.prepared', 'period.reviewed', 'period.closed', 'period.reopened') ORDER BY id`,
    )
    .all();
  return new Map(entries.map((entry) => [entry.signOffId, entry]));
}

/** Whether the rows that a sign-off covers are kept as they were signed. */
function isCoveringKept(database: Database, { period_id: periodId, covering_hash: hash }: SignOffRow): boolean {
  try {
    const text = coveringText(database, periodId, hash);
    return text !== null && coveringHash(coveredRows(text, periodId)) === hash;
  } catch {
    // The rows cannot be unpacked, or are none.
    return false;
  }
}

function* faultsOfSignOffs(database: Database): Generator<Finding> {
  const entries = signedEntries(database);
  const covered = new Map<string, boolean>();
  for (const signOff of database.all(query.selectFrom('sign_offs').selectAll().orderBy('id'))) {
    const { id, period_id: periodId, covering_hash: hash, signed_by: by } = signOff;
    const entry = entries.get(id);
    entries.delete(id);
    const name = phrase('book.verifyBook.theSignatureBy', { id, kind: signOff.kind, by });
    if (entry === undefined || entry.periodId !== periodId || entry.by !== by || entry.reason !== signOff.reason || entry.hash !== hash) {
      yield { message: phrase('book.verifyBook.isNotTheOne', { name, restoreEarlier: RESTORE_EARLIER }) };
    }
    const head = signOff.audit_entries === 0 ? NO_ENTRY : hashOfEntry(database, signOff.audit_entries);
    if (head !== signOff.audit_head)
      yield { message: phrase('book.verifyBook.namesAnAuditLog', { name, restoreEarlier: RESTORE_EARLIER }) };
    const key = `${periodId} ${hash}`;
    const isKept = covered.get(key) ?? isCoveringKept(database, signOff);
    covered.set(key, isKept);
    if (!isKept)
      yield {
        message: phrase('book.verifyBook.rowsThatCovers', { name: name.replace('The', 'the'), restoreEarlier: RESTORE_EARLIER }),
      };
  }
  const isPeriod = database.prepare<[number], unknown>('SELECT 1 FROM reconciliation_periods WHERE id = ?');
  for (const { signOffId, periodId, by } of entries.values()) {
    // A deleted period has no sign-offs.
    if (isPeriod.get(periodId) === undefined) continue;
    yield { message: phrase('book.verifyBook.signatureByWhichTheAuditLog', { signOffId, by, restoreEarlier: RESTORE_EARLIER }) };
  }
}

/** Checks that sign-offs agree with the audit log, and cover what was signed. */
const signOffsCheck: Check = { id: 'sign_offs', label: phrase('book.verifyBook.signatures'), find: faultsOfSignOffs };

function schemaFaultWords({ type, name, kind }: SchemaFault): string {
  if (kind === 'unknown') return phrase('book.verifyBook.objectIsUnknown', { type, name });
  if (kind === 'other') return phrase('book.verifyBook.objectIsChanged', { type, name });
  return phrase('book.verifyBook.objectIsMissing', { type, name });
}

/** Checks that tables, indices, triggers and views are those of the migrations. */
const schemaCheck: Check = {
  id: 'schema',
  label: phrase('book.verifyBook.tablesIndicesAndTriggers'),
  find: ({ connection }) => schemaFaults(connection, 'main').map((fault) => ({ message: schemaFaultWords(fault) })),
};

/** Checks that the word index is as Tieout built it. */
const searchCheck: Check = {
  id: 'search',
  label: phrase('book.verifyBook.theIndexOfWords'),
  find: ({ connection }) => {
    if (isIndexAsStated(connection)) return [];
    return [
      {
        message: phrase('book.verifyBook.indexOfWords'),
        mend: (write) => resetSearch(write),
      },
    ];
  },
};

/** Returns in words how a pack differs from the records; null if it does not. */
function faultOf(database: Database, pack: ColumnPackRow): string | null {
  const leftOut = new IdSet(pack.first_id, pack.last_id);
  for (const id of changedIds(database, pack.id)) leftOut.add(id);
  const names = nameCodes();
  const packed = readPack(database, { pack, leftOut, toFill: null, names, streamCode: 0, onDoubt: () => {} });
  if (packed === null) return phrase('book.verifyBook.isDamaged');
  const rows = readForPack(
    database,
    pack,
    () => false,
    (id) => leftOut.has(id),
  );
  if (rows === null || rows.columns.count !== packed.room.ids.length) return phrase('book.verifyBook.hasOtherRecordsThanTheAccount');
  const { columns } = rows;
  const { places, source } = columns;
  const differs = (name: string, of: ArrayLike<number>, at: (row: number) => number | undefined): string | null => {
    for (let row = 0; row < columns.count; row += 1) {
      if (of[row] !== at(row))
        return phrase('book.verifyBook.saysOtherwiseThanTheRecord', { ids: source.ids[places[row] as number] ?? 0, name });
    }
    return null;
  };
  const codes = columns.names.map((name) => names.codeOf(name));
  const found =
    differs('id', packed.room.ids, (row) => source.ids[places[row] as number]) ??
    differs('date', packed.room.days, (row) => columns.days[row]) ??
    differs('amount', packed.room.amounts, (row) => columns.amounts[row]) ??
    differs('direction', packed.room.credits, (row) => columns.credits[row]) ??
    differs(phrase('book.verifyBook.decimalPlaces'), packed.room.decimalPlaces, (row) => columns.decimalPlaces[row]) ??
    differs('currency', packed.room.currencies, (row) => codes[columns.currencies[row] as number]);
  if (found !== null) return found;
  const looks = source.looks();
  const ofLooks = packed.looks();
  if (ofLooks === null) return phrase('book.verifyBook.isDamaged');
  const other = differs('look', ofLooks, (row) => looks[places[row] as number]);
  if (other !== null) return other;
  for (const [name, values] of rows.values) {
    const field: Field | null = fieldOf(name);
    const ofPack = field === null ? null : packed.values(field);
    const differing = ofPack === null ? -1 : firstDifference(ofPack, values, places);
    if (differing !== null && differing >= 0)
      return phrase('book.verifyBook.saysOtherwiseThanTheRecord', { ids: source.ids[places[differing] as number] ?? 0, name });
    if (differing !== null) return phrase('book.verifyBook.isDamaged');
  }
  return null;
}

/** Returns the first row in which a column in row order differs from one in place order; null if there is none. */
function firstDifference(byRow: ValueColumn, byPlace: ValueColumn, places: Int32Array): number | null {
  const length = ({ ends }: ValueColumn, at: number): number => (ends[at] as number) - (at === 0 ? 0 : (ends[at - 1] as number));
  for (let row = 0; row < places.length; row += 1) {
    const place = places[row] as number;
    const size = length(byRow, row);
    let isSame = byRow.kinds[row] === byPlace.kinds[place] && size === length(byPlace, place);
    const [end, other] = [byRow.ends[row] as number, byPlace.ends[place] as number];
    for (let back = 1; isSame && back <= size; back += 1) isSame = byRow.bytes[end - back] === byPlace.bytes[other - back];
    if (!isSame) return row;
  }
  return null;
}

function* faultsOfPacks(database: Database): Generator<Finding> {
  for (const stream of streamsToPack(database)) {
    for (const pack of readyPacks(database, [stream.id])) {
      // A pack of another reference field is no longer used.
      const fault = pack.reference_field === stream.reference_field ? faultOf(database, pack) : null;
      if (fault === null) continue;
      yield {
        message: phrase('book.verify.packed', { first: String(pack.first_id), last: String(pack.last_id), key: stream.key, fault }),
        mend: (write) => dropPack(write, pack.id),
      };
    }
  }
}

/** Checks that packed columns equal the records. */
const packsCheck: Check = { id: 'packs', label: phrase('book.verifyBook.packedColumns'), find: faultsOfPacks };

function* faultsOfMembers(database: Database): Generator<Finding> {
  for (const { match_id: id, record_id: record } of unlistedMembers(database, MOST_FINDINGS)) {
    yield {
      message: phrase('book.verifyBook.matchHoldsTheRecord', { id, record }),
    };
  }
  for (const { match_id: id, record_id: record, is_record: isRecord } of unheldMembers(database, MOST_FINDINGS)) {
    yield {
      message:
        isRecord === 1
          ? phrase('book.verifyBook.recordIsSaidToBeInMatch', { record, id })
          : phrase('book.verifyBook.matchHoldsTheRecordWhichDoesNotExist', { id, record }),
    };
  }
  for (const { id, stated, summed } of wrongDifferences(database)) {
    const sum = summed === null ? phrase('book.verifyBook.moreThanCanBeCounted') : String(summed);
    yield {
      message: phrase('book.verifyBook.matchHasADifferenceOfMinorUnits', { id, stated, sum }),
    };
  }
}

/** Checks that matches and the list of their members agree. */
const membersCheck: Check = { id: 'matches', label: phrase('book.verifyBook.matchesAndTheirRecords'), find: faultsOfMembers };

function* faultsOfLists(database: Database): Generator<Finding> {
  if (areListsRight(database)) return;
  for (const { list, id } of entriesOfNobody(database, MOST_FINDINGS)) {
    const what = list === 'listed_keys' ? 'keys' : 'amounts';
    yield {
      message: phrase('book.verifyBook.listOfNamesTheRecordOtherwise', { what, id }),
    };
  }
  for (const id of wronglyListed(database)) {
    yield {
      message: phrase('book.verifyBook.recordIsMissingInTheLists', { id }),
      mend: (write) => unlist(write, id),
    };
  }
}

/** Checks that the lists of keys and amounts equal the imported records. */
const listsCheck: Check = { id: 'lists', label: phrase('book.verifyBook.listsOfKeysAndAmounts'), find: faultsOfLists };

interface BrokenReference {
  readonly table: string;
  readonly rowid: number | null;
  readonly parent: string;
}

const RESTORE = phrase('book.verifyBook.restoreAndLookAtTheDisk');

/** SQLite's message for pages that no other page refers to. */
const UNREACHED = phrase('book.verifyBook.neverUsed');

function wordsOf(page: number | null, owner: string | undefined, what: string): string {
  if (page === null) return phrase('book.verifyBook.theFileOfTheBook', { what });
  if (what === UNREACHED) return phrase('book.verifyBook.pageOfTheFileCannotBeReached', { page });
  return phrase('book.verifyBook.pageOfTheFile', { page, owner: owner ?? '', noOwner: owner === undefined ? 'yes' : 'no', what });
}

function* faultsOfFile(database: Database): Generator<Finding> {
  const owners = tablesByRootPage(database);
  let isDamaged = false;
  for (const { page, tree, what } of damagedPages(database)) {
    isDamaged = true;
    const owner = tree === null ? undefined : owners.get(tree);
    yield { message: `${wordsOf(page, owner, what)}: ${RESTORE}.` };
  }
  if (isDamaged) {
    for (const { table, first, last } of unreadableRows(database)) {
      const rows =
        last === null ? phrase('book.verifyBook.rowsFromOn', { first }) : first === last ? `Row ${first}` : `Rows ${first} to ${last}`;
      yield { message: phrase('book.verifyBook.ofCannotBeRead', { rows, table, restore: RESTORE }) };
    }
  }
  for (const { table, rowid, parent } of database.connection.prepare<[], BrokenReference>('PRAGMA foreign_key_check').iterate()) {
    yield {
      message: phrase('book.verifyBook.rowOfNamesARow', { rowid: rowid ?? '?', table, parent }),
    };
  }
}

/** High, because each damaged page is a finding, and a person needs all of them. */
const MOST_FINDINGS_OF_FILE = 100_000;

/** SQLite's own checks: every page, index and foreign key. */
const fileCheck: Check = {
  id: 'file',
  label: phrase('book.verifyBook.theFile'),
  find: faultsOfFile,
  most: MOST_FINDINGS_OF_FILE,
  isOfFile: true,
};

function* faultsOfContent(database: Database): Generator<Finding> {
  for (const { table, words } of contentFaults(database.connection)) {
    if (isDerived(table)) {
      yield {
        message: phrase('book.verifyBook.somethingChangedTheBookWithout', { words }),
        mend: (write) => dropDerived(write, table),
      };
      continue;
    }
    yield { message: phrase('book.verifyBook.changedWithoutTieoutCompare', { words }) };
  }
  yield* faultsOfBulkItems(database);
}

const MOST_FINDINGS_OF_CONTENT = 1_000;

/** Checks the items of bulk requests, which have no digests: the rows of the requests, which have, contain their hash. */
function* faultsOfBulkItems(database: Database): Generator<Finding> {
  for (const { id, what } of bulkItemFaults(database)) {
    const items = what === 'missing' ? phrase('book.verifyBook.hasLostTheItems') : phrase('book.verifyBook.hasOtherItemsThanThose');
    yield {
      message: phrase('book.verifyBook.bulkRequestThatWereSent', { id, items }),
    };
  }
}

/** Checks that every row is as Tieout wrote it. */
const contentCheck: Check = {
  id: 'content',
  label: phrase('book.verifyBook.whatTheBookHolds'),
  find: faultsOfContent,
  most: MOST_FINDINGS_OF_CONTENT,
};

function* faultsOfKeptFiles(database: Database): Generator<Finding> {
  for (const { batchId, filename, streamKey } of keptByImports(database)) {
    const bytes = keptFile(database, batchId);
    if (bytes !== null && bytes !== 'changed') continue;
    const said = { id: batchId, key: streamKey, name: filename ?? '' };
    yield { message: phrase(bytes === null ? 'book.verify.keptFileGone' : 'book.verify.keptFileChanged', said) };
  }
}

/** Checks that the files that are kept with imports are there, and are those that were imported. */
const keptFilesCheck: Check = { id: 'kept_files', label: phrase('book.verifyBook.filesKeptWithImports'), find: faultsOfKeptFiles };

/** Checks that every entry of the audit log follows from the previous one, and that no entry is missing. */
const auditCheck: Check = {
  id: 'audit_log',
  label: phrase('book.verifyBook.theAuditLog'),
  find: (database) => {
    const id = firstBrokenAuditEntry(database);
    if (id === null) {
      const fault = anchorFault(database, anchorOf(database));
      return fault === null ? [] : [{ message: phrase('book.verifyBook.whatItStillHolds', { fault }) }];
    }
    return [
      {
        message: phrase('book.verifyBook.entryOfTheAuditLog', { id }),
      },
    ];
  },
};

/** All checks in order: those on which others rely come first. */
export const CHECKS: readonly Check[] = [
  fileCheck,
  schemaCheck,
  contentCheck,
  keptFilesCheck,
  listsCheck,
  membersCheck,
  packsCheck,
  searchCheck,
  auditCheck,
  signOffsCheck,
];

/** Checks that the book is the one of its anchor, or a later state of it. `fault` is what was found when it was opened. */
export function anchorCheck(fault: string | null): Check {
  const faults = fault === null ? [] : [{ message: phrase('book.verifyBook.compareTheBookWithABackup', { fault }) }];
  return { id: 'anchor', label: phrase('book.verifyBook.whatIsRememberedBesideTheBook'), find: () => faults };
}

/** What was found in a whole book. */
export interface CheckedBook {
  readonly findings: readonly string[];
  /** Whether there are more findings than are listed. */
  readonly isMore: boolean;
  readonly bytes: number;
}

/** Makes every check of a book that is open, on a connection of its own, and mends what can be rebuilt. */
export function verifyOpenBook(dataFolder: string): Result<CheckedBook, OpenFailure> {
  const bytes = statSync(path.join(dataFolder, BOOK_FILE), { throwIfNoEntry: false })?.size ?? 0;
  // The anchor is read before the book, which may change meanwhile.
  const anchor = readAnchor(dataFolder);
  const book = openBook(dataFolder);
  if (!book.ok)
    return book.error.code === 'damaged' ? success({ findings: [book.error.message], isMore: false, bytes }) : failed(book.error);
  try {
    const checked = verifyBook(book.value, [...CHECKS, anchorCheck(anchorFault(book.value, anchor))], () => undefined);
    return success({
      findings: checked.flatMap(({ findings }) => findings.map(({ message }) => namingNewest(message, dataFolder))),
      isMore: checked.some(({ isMore }) => isMore),
      bytes,
    });
  } finally {
    book.value.close();
  }
}
