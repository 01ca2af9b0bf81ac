import type { ImportedFile } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { StatementPeriod } from '../../domain/statement/index.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { Change, ReadHandle, Row, WriteHandle } from '../../database/database.ts';
import { insertStatedBalances } from '../../streams/store/bank-account-balances.ts';
import { streamByKey, updateStream } from '../../streams/store/streams.ts';
import { answer, missing, refuseField, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { refusedBatch, refusedDay } from '../../service/period-lock.ts';
import { type ImportBatchRow, insertBatch, publishBatch, setBatchFigures } from '../store/import-batches.ts';
import {
  type BalanceOfFile,
  balancesOfFiles,
  deleteBalancesOfFile,
  dropEmptyBatch,
  figuresLeft,
  findImportedFile,
  firstDayOfFree,
  giveToFile,
  linesOfFile,
  pageImportedFiles,
  releaseLines,
  updateImportedFile,
} from '../store/imported-files.ts';

type Handled =
  | 'imported_files.list'
  | 'imported_files.create'
  | 'imported_files.update'
  | 'imported_files.lines'
  | 'imported_files.add_lines'
  | 'imported_files.remove';

const LIST = 'imported_files id';

const dayOf = (iso: string): number => present(dayFromIso(iso), 'a date that was checked');
const isoOrNull = (day: number | null): string | null => (day === null ? null : isoFromDay(day));

function viewOf(row: ImportBatchRow, balances: readonly BalanceOfFile[]): ImportedFile {
  const whose = storedJson('import_batches.whose', row.whose, row.id);
  const periods = storedJson('import_batches.periods', row.periods, row.id);
  return {
    id: row.id,
    data_stream_key: row.data_stream_key,
    source: row.source as ImportedFile['source'],
    filename: row.filename,
    format: row.format,
    sha256: row.sha256,
    byte_length: row.byte_length,
    kept: row.kept,
    skipped: row.skipped,
    rejected: row.rejected,
    recipe: storedJson('import_batches.recipe', row.recipe, row.id),
    accounts: [...(whose?.accounts ?? [])],
    holders: [...(whose?.holders ?? [])],
    problems: storedJson('import_batches.problems', row.problems, row.id),
    created_at: timestampOf(row.created_at),
    currency: row.currency,
    opening_balance: row.opening_balance,
    closing_balance: row.closing_balance,
    proof: row.proof as ImportedFile['proof'],
    totals: storedJson('import_batches.totals', row.totals, row.id),
    date_range_start: isoOrNull(row.date_start),
    date_range_end: isoOrNull(row.date_end),
    periods:
      periods?.map(({ account, firstDay, lastDay, openingMinor, closingMinor }) => ({
        account,
        date_start: isoFromDay(firstDay),
        date_end: isoFromDay(lastDay),
        opening_balance: openingMinor,
        closing_balance: closingMinor,
      })) ?? null,
    balances: balances.map(({ day, balance_type: type, amount, currency }) => ({
      date: isoFromDay(day),
      balance_type: type as ImportedFile['balances'][number]['balance_type'],
      amount,
      currency: currency ?? row.currency ?? '',
    })),
  };
}

function viewsOf(read: ReadHandle, rows: readonly ImportBatchRow[]): ImportedFile[] {
  const balances = balancesOfFiles(
    read,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => viewOf(row, balances.get(row.id) ?? []));
}

type Stated = Change<
  Pick<
    ImportedFile,
    'currency' | 'opening_balance' | 'closing_balance' | 'proof' | 'totals' | 'date_range_start' | 'date_range_end' | 'periods' | 'balances'
  >
>;

/** Returns the columns of a batch for the figures that a file states. Figures that are not given stay as they are. */
function statedColumns(said: Stated): Partial<Row<'import_batches'>> {
  const { date_range_start: start, date_range_end: end, periods } = said;
  return {
    ...(said.currency === undefined ? {} : { currency: said.currency }),
    ...(said.opening_balance === undefined ? {} : { opening_balance: said.opening_balance }),
    ...(said.closing_balance === undefined ? {} : { closing_balance: said.closing_balance }),
    ...(said.proof === undefined ? {} : { proof: said.proof }),
    ...(said.totals === undefined ? {} : { totals: JSON.stringify(said.totals) }),
    ...(start === undefined ? {} : { date_start: start === null ? null : dayOf(start) }),
    ...(end === undefined ? {} : { date_end: end === null ? null : dayOf(end) }),
    ...(periods === undefined ? {} : { periods: periodsText(periods) }),
  };
}

function periodsText(periods: NonNullable<Stated['periods']> | null): string | null {
  if (periods === null) return null;
  const all: StatementPeriod[] = periods.map((period) => ({
    account: period.account,
    firstDay: dayOf(period.date_start),
    lastDay: dayOf(period.date_end),
    openingMinor: period.opening_balance,
    closingMinor: period.closing_balance,
  }));
  return JSON.stringify(all);
}

/** Returns the first day that the statement of a file covers or dates a balance on; null if there is none. */
function firstDayOf({ date_range_start: start = null, periods, balances = [] }: Stated): number | null {
  const days = [
    ...(start === null ? [] : [start]),
    ...(periods ?? []).map((period) => period.date_start),
    ...balances.map(({ date }) => date),
  ];
  return days.length === 0 ? null : Math.min(...days.map(dayOf));
}

/** Returns a refusal if a file states figures of a closed period, because they would change what was signed; else null. */
function refusedStated(read: ReadHandle, streamId: number, said: Stated) {
  const day = firstDayOf(said);
  return day === null ? null : refusedDay(read, streamId, day, phrase('imports.importedFiles.whatAFileStates'));
}

function storeBalances(write: WriteHandle, batchId: number, balances: ImportedFile['balances'], atMs: number): void {
  const unique = new Map(balances.map((balance) => [`${balance.date} ${balance.balance_type}`, balance]));
  insertStatedBalances(
    write,
    batchId,
    [...unique.values()].map(({ date, balance_type: balanceType, amount, currency }) => ({
      day: dayOf(date),
      balanceType,
      amount,
      currency,
    })),
    atMs,
  );
}

interface Said {
  readonly action: string;
  readonly detail: Record<string, unknown>;
}

function audit({ clock }: ServiceContext, write: WriteHandle, caller: Caller, { action, detail }: Said): void {
  appendAudit(write, { environmentId: caller.environmentId, atMs: clock.nowMs(), actor: caller.actor, action, detail });
}

function create(context: ServiceContext): Handlers['imported_files.create'] {
  return (caller, input) => {
    const { database, clock, changed } = context;
    const outcome = database.write((write) => {
      const stream = streamByKey(write, caller.environmentId, input.data_stream_key);
      if (stream === undefined) {
        const message = phrase('imports.importedFiles.thereIsNoDataStream', { data_stream_key: input.data_stream_key });
        return refuseField('unknown_reference', 'data_stream_key', message);
      }
      const refused = refusedStated(write, stream.id, input);
      if (refused !== null) return refused;
      const { source, filename, format, sha256, byte_length, kept, skipped, rejected, accounts, holders, recipe, problems } = input;
      const id = insertBatch(write, {
        environment_id: caller.environmentId,
        stream_id: stream.id,
        writing: 0,
        source,
        filename,
        format,
        sha256,
        byte_length,
        created_at: Date.parse(input.created_at),
      });
      const { periods, ...columns } = statedColumns(input);
      publishBatch(write, id, {
        ...columns,
        ...(periods === undefined || periods === null ? {} : { periods }),
        kept,
        skipped,
        rejected,
        problems: JSON.stringify(problems),
        recipe: recipe === null ? null : JSON.stringify(recipe),
        whose: accounts.length + holders.length === 0 ? null : JSON.stringify({ accounts, holders }),
      });
      storeBalances(write, id, input.balances, clock.nowMs());
      if (stream.currency === null && input.currency !== null) updateStream(write, stream.id, { currency: input.currency });
      const detail = { batch_id: id, stream: stream.key, filename, sha256, kept, skipped, rejected, balances: input.balances.length };
      audit(context, write, caller, { action: 'import_batch.created', detail: { ...detail, taken_over: true } });
      return answer(present(viewsOf(write, [present(findImportedFile(write, caller.environmentId, id), 'imported file')])[0], 'view'));
    });
    if (outcome.ok) changed(['imports', 'streams', 'bank_accounts']);
    return outcome;
  };
}

function update(context: ServiceContext): Handlers['imported_files.update'] {
  return (caller, { id, ...said }) => {
    const { database, clock, changed } = context;
    const outcome = database.write((write) => {
      const found = findImportedFile(write, caller.environmentId, id);
      if (found === undefined) return missing(phrase('imports.importedFiles.importedFile'), id);
      const before = present(viewsOf(write, [found])[0], 'view');
      const refused = refusedStated(write, found.stream_id, before) ?? refusedStated(write, found.stream_id, said);
      if (refused !== null) return refused;
      updateImportedFile(write, id, statedColumns(said));
      if (said.balances !== undefined) {
        deleteBalancesOfFile(write, id);
        storeBalances(write, id, said.balances, clock.nowMs());
      }
      audit(context, write, caller, { action: 'import_batch.restated', detail: { batch_id: id, fields: Object.keys(said) } });
      return answer(present(viewsOf(write, [present(findImportedFile(write, caller.environmentId, id), 'imported file')])[0], 'view'));
    });
    if (outcome.ok) changed(['imports', 'streams', 'bank_accounts']);
    return outcome;
  };
}

/** Recounts a batch after some of its records were given to a file, and deletes it if it is empty. */
function recount(write: WriteHandle, batchId: number): void {
  const left = figuresLeft(write, batchId);
  if (left.length === 0) return dropEmptyBatch(write, batchId);
  const totals = [...Map.groupBy(left, ({ currency }) => currency)].map(([currency, all]) => {
    const scale = Math.max(...all.map(({ decimal_places: places }) => places));
    const sum = (direction: 0 | 1): number =>
      all
        .filter((each) => each.direction === direction)
        .reduce((total, { amount, decimal_places: places }) => total + amount * 10 ** (scale - places), 0);
    return { currency, decimal_places: scale, credits: sum(1), debits: sum(0) };
  });
  setBatchFigures(write, batchId, {
    kept: left.reduce((count, { records }) => count + records, 0),
    skipped: 0,
    totals: JSON.stringify(totals),
    date_start: Math.min(...left.map(({ first }) => first)),
    date_end: Math.max(...left.map(({ last }) => last)),
  });
}

function addLines(context: ServiceContext): Handlers['imported_files.add_lines'] {
  return (caller, { id, record_ids: recordIds }) => {
    const { database, changed } = context;
    const outcome = database.write((write) => {
      const found = findImportedFile(write, caller.environmentId, id);
      if (found === undefined) return missing(phrase('imports.importedFiles.importedFile'), id);
      const given = { batch: id, stream: found.stream_id, ids: JSON.stringify(recordIds) };
      const day = firstDayOfFree(write, { stream: given.stream, ids: given.ids });
      const refused = day === null ? null : refusedDay(write, found.stream_id, day, phrase('imports.importedFiles.aLineOfAFile'));
      if (refused !== null) return refused;
      const { added, former } = giveToFile(write, given);
      for (const batchId of former) recount(write, batchId);
      if (added > 0) audit(context, write, caller, { action: 'import_batch.lines_added', detail: { batch_id: id, records: added } });
      return answer({ added });
    });
    if (outcome.ok && outcome.value.added > 0) changed(['imports', 'records', 'streams']);
    return outcome;
  };
}

/** Detaches the records from the file first, so that the undo of the import deletes none of them. */
function remove(context: ServiceContext, undo: Handlers['import_batches.remove']): Handlers['imported_files.remove'] {
  return async (caller, { id }) => {
    const released = context.database.write((write) => {
      const found = findImportedFile(write, caller.environmentId, id);
      if (found === undefined) return missing(phrase('imports.importedFiles.importedFile'), id);
      const refused = refusedBatch(write, found) ?? refusedStated(write, found.stream_id, present(viewsOf(write, [found])[0], 'view'));
      if (refused !== null) return refused;
      releaseLines(write, id);
      audit(context, write, caller, { action: 'import_batch.forgotten', detail: { batch_id: id, stream: found.data_stream_key } });
      return answer(null);
    });
    if (!released.ok) return released;
    const undone = await undo(caller, { id, preview: false });
    return undone.ok ? answer(null) : undone;
  };
}

export function importedFileHandlers(context: ServiceContext, undo: Handlers['import_batches.remove']): Pick<Handlers, Handled> {
  const { database } = context;
  return {
    'imported_files.list': (caller, input) => {
      const stream = streamByKey(database, caller.environmentId, input.key);
      if (stream === undefined) return missing(phrase('imports.importedFiles.dataStream'), input.key);
      const start = pageStart(input, LIST);
      if (!start.ok) return start;
      const { limit, offset, after } = start.value;
      const rows = pageImportedFiles(database, caller.environmentId, stream.id, { limit, offset, afterId: after?.id ?? 0 });
      return answer(
        pageAnswer(
          rows,
          start.value,
          LIST,
          ({ id }) => ({ value: id, id }),
          (shown) => viewsOf(database, shown),
        ),
      );
    },
    'imported_files.lines': (caller, { id, after, limit }) => {
      if (findImportedFile(database, caller.environmentId, id) === undefined)
        return missing(phrase('imports.importedFiles.importedFile'), id);
      const found = linesOfFile(database, id, after, limit);
      return answer({ record_ids: found.slice(0, limit), has_more: found.length > limit });
    },
    'imported_files.create': create(context),
    'imported_files.update': update(context),
    'imported_files.add_lines': addLines(context),
    'imported_files.remove': remove(context, undo),
  };
}
