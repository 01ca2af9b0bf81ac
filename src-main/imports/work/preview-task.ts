import type { ImportPreview } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, namedCurrency } from '../../../src-shared/values/money.ts';
import {
  type GridRow,
  type ListedSheet,
  placeOf,
  placesOf,
  type Statement,
  type StatementLine,
  type UnderstoodColumn,
} from '../../domain/statement/index.ts';
import { updateJob } from '../../book/store/jobs.ts';
import { findBankAccountByName } from '../../streams/store/bank-accounts.ts';
import { listStreams, streamByKey, streamDays, type StreamRow } from '../../streams/store/streams.ts';
import type { ImportPayload, TaskContext, TaskEnd } from '../../jobs/protocol.ts';
import { KnownKeys } from '../store/alternative-descriptions.ts';
import { isLastFileKept } from '../store/kept-files.ts';
import { filesOfStream } from '../store/statement-periods.ts';
import { type Compared, isOfOthers, streamOfAccount } from './compare.ts';
import { unreadableResult } from './figures.ts';
import { lookAtFile } from './import-task.ts';
import { type NotRead, ofPackedFile, pdfOfFile, type PdfOfFile } from './understand.ts';
import { suggestedStream } from './batch.ts';

const PREVIEW_ROWS = 200;
/** Limit for rejected rows, which are listed in addition, since a person must act on each of them. */
const REJECTED_ROWS = 1_000;

/** Returns the value of the reference field of a line. */
export function referenceOf(line: StatementLine, field: string | null): string | null {
  if (field === null) return null;
  if (field === 'description') return line.description;
  if (field === 'external_id') return line.externalId;
  return line.metadata[field.slice('metadata.'.length)] ?? null;
}

const OUTCOME_WORDS = { import: 'new', leave_out: 'left_out', edit: 'new' } as const;

/** Returns the first lines as they would be stored, and the rejected rows with the fields that could be read. */
function previewRows(understood: Compared, { overrules = [] }: ImportPayload): ImportPreview['rows'] {
  const { statement, result } = understood;
  const decided = new Map(overrules.map((overrule) => [placeOf(overrule), OUTCOME_WORDS[overrule.action]]));
  const reasons = new Map(result.skipped_rows.map((skipped) => [placeOf(skipped), skipped.message]));
  const places = placesOf(statement.lines.slice(0, PREVIEW_ROWS));
  const isSettled = new Set(overrules.map(({ row }) => row));
  // All rows with a decision of a person are listed, so that the decision can be revoked.
  const others =
    isSettled.size === 0 ? [] : statement.lines.flatMap((line, index) => (index >= PREVIEW_ROWS && isSettled.has(line.row) ? [index] : []));
  const whole = others.length === 0 ? places : placesOf(statement.lines);
  const shown = [...places.keys(), ...others].flatMap((index): ImportPreview['rows'] => {
    const line = statement.lines[index];
    const place = whole[index];
    if (line === undefined || place === undefined) return [];
    const key = placeOf(place);
    const state = understood.isLeftOut[index] === true ? 'left_out' : understood.isDuplicate[index] === true ? 'duplicate' : 'new';
    return [
      {
        ...place,
        outcome: state,
        is_overruled: decided.get(key) === state,
        date: isoFromDay(line.day),
        value_date: isoOrNull(line.valueDay),
        amount: line.amountMinor,
        direction: line.direction,
        currency: namedCurrency(line.currency),
        decimal_places: line.decimalPlaces,
        description: line.description,
        external_id: line.externalId,
        reference: referenceOf(line, statement.referenceField),
        message: reasons.get(key) ?? null,
      },
    ];
  });
  return [...shown, ...rejectedRows(statement)].toSorted((left, right) => left.row - right.row);
}

function isoOrNull(day: number | null): string | null {
  return day === null ? null : isoFromDay(day);
}

function rejectedRows({ rejected }: Statement): ImportPreview['rows'] {
  const places = placesOf(rejected.slice(0, REJECTED_ROWS));
  return places.flatMap((place, index): ImportPreview['rows'] => {
    const row = rejected[index];
    if (row === undefined) return [];
    return [
      {
        ...place,
        outcome: 'rejected',
        is_overruled: false,
        date: isoOrNull(row.day),
        value_date: isoOrNull(row.valueDay),
        amount: row.amountMinor,
        direction: row.direction,
        currency: namedCurrency(row.currency),
        decimal_places: row.decimalPlaces,
        description: row.description,
        external_id: row.externalId,
        reference: null,
        message: row.problems.map((problem) => problem.message).join(' '),
      },
    ];
  });
}

function previewOf(context: TaskContext, understood: Compared, payload: ImportPayload): ImportPreview {
  const { statement } = understood;
  const { dialect } = statement;
  const rows = previewRows(understood, payload);
  return {
    result: understood.result,
    file: { name: payload.filename, byte_length: understood.byteLength },
    dialect: {
      encoding: dialect.encoding,
      delimiter: dialect.delimiter,
      header_row: dialect.headerRow,
      date_order: dialect.dateOrder,
      decimal_mark: dialect.decimalMark,
      sign_model: dialect.signModel,
    },
    sheets: sheetsOf(statement.table?.sheet?.all),
    head: headOf(statement.head),
    columns: columnsOf(statement.columns, statement.referenceField),
    rows,
    accounts: statement.accounts.map((each) => ({
      account: each.account,
      currency: namedCurrency(each.currency),
      decimal_places: decimalPlacesOf(each.currency),
      rows: each.rows,
      opening_balance: each.openingBalanceMinor,
      closing_balance: each.closingBalanceMinor,
    })),
    suggestion: suggestionFor(context, payload, understood),
    pages: pagesOf(statement, understood.result, rows),
    can_import: statement.lines.length > 0,
  };
}

/** Returns where the listed rows and those of problems are on the pages of a PDF. */
function pagesOf({ pages }: Statement, { problems }: Compared['result'], rows: ImportPreview['rows']): ImportPreview['pages'] {
  if (pages === undefined) return null;
  const listed = new Set([...rows, ...problems].map(({ row }) => row));
  const places = [...pages.places].flatMap(([row, place]) => (listed.has(row) ? [{ row, ...place }] : []));
  return { quarters: [...pages.quarters], places };
}

function sheetsOf(sheets: readonly ListedSheet[] = []): ImportPreview['sheets'] {
  return sheets.map(({ name, rows, isHidden, isRead }) => ({ name, rows, is_hidden: isHidden, is_read: isRead }));
}

const HEAD_CELLS = 20;
const HEAD_CHARACTERS = 80;

function headOf(rows: readonly GridRow[]): ImportPreview['head'] {
  const shortened = (cell: string): string => (cell.length > HEAD_CHARACTERS ? `${cell.slice(0, HEAD_CHARACTERS - 1)}…` : cell);
  return rows.map(({ row, cells }) => ({ row, cells: cells.slice(0, HEAD_CELLS).map(shortened) }));
}

function columnsOf(columns: readonly UnderstoodColumn[], referenceField: string | null): ImportPreview['columns'] {
  return columns.map((column) => ({
    index: column.index,
    header: column.header,
    name: column.name,
    role: column.role,
    field: column.field,
    is_reference: column.field !== null && column.field === referenceField,
    samples: [...column.samples],
  }));
}

/** The number of lines of a file that are looked up in each account. */
const SHARED_SAMPLE = 2_000;

/**
 * Returns the stream that has most of the lines of a file already, each with day, amount and words. Of lines dated outside of the stream nothing is
 * expected. A single line may be chance, unless the file has no other.
 */
function streamOfLines(context: TaskContext, understood: Compared): StreamRow | undefined {
  const { database, job } = context;
  const { statement, dedupeKeys } = understood;
  const lines = statement.lines.slice(0, SHARED_SAMPLE);
  const keys = dedupeKeys.slice(0, lines.length);
  const sharing = listStreams(database, job.environment_id).flatMap((stream) => {
    if (filesOfStream(database, stream.id).length === 0 || isOfOthers(database, stream, statement)) return [];
    const { first, last } = streamDays(database, stream.id);
    if (first === null || last === null) return [];
    const within = lines.filter(({ day }) => day >= first && day <= last).length;
    const shared = new KnownKeys(database, stream.id).ofThem(keys).filter(Boolean).length;
    const isMost = shared * 2 >= within && shared >= Math.min(2, lines.length) && shared > 0;
    return isMost ? [{ stream, shared }] : [];
  });
  return sharing.reduce<(typeof sharing)[number] | undefined>(
    (most, other) => (most === undefined || other.shared > most.shared ? other : most),
    undefined,
  )?.stream;
}

/**
 * Returns the stream that has this very file, else the one of its account, else the one that has its lines, else the target of earlier files with its
 * recipe, if this file fits there.
 */
function likelyStream(context: TaskContext, understood: Compared): StreamRow | undefined {
  const { database, job } = context;
  const { result, statement } = understood;
  const named = (key: string | null | undefined): StreamRow | undefined =>
    key ? streamByKey(database, job.environment_id, key) : undefined;
  const known =
    named(result.same_file?.data_stream_key) ??
    streamOfAccount(database, job.environment_id, statement.whose) ??
    streamOfLines(context, understood);
  if (known !== undefined) return known;
  const ofRecipe = result.recipe?.state === 'remembered' ? named(result.recipe.recipe.stream_key) : undefined;
  return ofRecipe === undefined || isOfOthers(database, ofRecipe, statement) ? undefined : ofRecipe;
}

/** Suggests the likely stream for a file, else a new one. */
function suggestionFor(context: TaskContext, payload: ImportPayload, understood: Compared | null): ImportPreview['suggestion'] {
  const stream = understood === null ? undefined : likelyStream(context, understood);
  const target = payload.streamKey === null ? stream : streamByKey(context.database, context.job.environment_id, payload.streamKey);
  const account = {
    bank_account_id: accountFor(context, understood, target),
    bank_account_name: accountNamed(understood, target),
    keep_file: isLastFileKept(context.database, context.job.environment_id, (target ?? stream)?.id ?? null),
  };
  if (stream === undefined) return { ...suggestedStream(payload.filename), is_known: false, ...account };
  return { stream_key: stream.key, stream_name: stream.name, is_known: true, ...account };
}

/** Returns the bank account that a kept recipe names, for a stream that has none. Null if there is no such account. */
function accountFor({ database, job }: TaskContext, understood: Compared | null, stream: StreamRow | undefined): number | null {
  const used = understood?.result.recipe ?? null;
  const name = used?.state === 'remembered' ? used.recipe.bank_account : null;
  if (name === null || (stream?.bank_account_id ?? null) !== null) return null;
  return findBankAccountByName(database, job.environment_id, name)?.id ?? null;
}

/** The length of a name in the contract. */
const LONGEST_NAME = 255;

/** Returns the account that a statement with balances names, for a stream that has none. A file of several names no single one. */
function accountNamed(understood: Compared | null, stream: StreamRow | undefined): string | null {
  const [name, ...others] = understood?.statement.whose.accounts ?? [];
  const hasBalances = (understood?.result.balances.stated ?? 0) > 0;
  if (name === undefined || others.length > 0 || !hasBalances || (stream?.bank_account_id ?? null) !== null) return null;
  return name.slice(0, LONGEST_NAME);
}

/** Returns the preview of a table that could not be understood: the facts by which a person can say how to read it. */
function unreadablePreview(context: TaskContext, error: NotRead, payload: ImportPayload): ImportPreview {
  const { seen, sheets } = error;
  return {
    result: unreadableResult(payload.streamKey ?? '', error),
    file: { name: payload.filename, byte_length: 0 },
    dialect: {
      encoding: seen?.encoding ?? '',
      delimiter: seen?.delimiter ?? '',
      header_row: seen?.headerRow ?? null,
      date_order: null,
      decimal_mark: null,
      sign_model: '',
    },
    sheets: sheetsOf(sheets),
    head: headOf(seen?.head ?? []),
    columns: columnsOf(seen?.columns ?? [], null),
    rows: [],
    accounts: [],
    suggestion: suggestionFor(context, payload, null),
    pages: null,
    can_import: false,
  };
}

/** Reads a file and keeps the preview as the result of the job. Stores no lines. */
export function previewTask(context: TaskContext, asked: ImportPayload, pdf: PdfOfFile = null): TaskEnd {
  const payload = ofPackedFile(asked);
  const looked = lookAtFile(context, payload, pdf);
  if (!looked.ok && looked.error.code === 'cancelled') return { end: 'cancelled' };
  const preview = looked.ok ? previewOf(context, looked.value, payload) : unreadablePreview(context, looked.error, payload);
  if (looked.ok) looked.value.rowLog.store(context.database, context.job.id);
  context.database.write((write) =>
    updateJob(write, context.job.id, { status: 'completed', result: JSON.stringify({ preview }), completed_at: context.clock.nowMs() }),
  );
  return { end: 'completed' };
}

/** Like `previewTask`, but a second thread takes the text out of a PDF. */
export async function previewOnTwoThreads(context: TaskContext, asked: ImportPayload): Promise<TaskEnd> {
  return previewTask(context, asked, await pdfOfFile(context, asked));
}
