import type { Call, ImportResult, ImportRow, Job } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { namedCurrency } from '../../../src-shared/values/money.ts';
import { success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { findJob, insertJob, type JobRow } from '../../book/store/jobs.ts';
import { bookName, setSetting, setting } from '../../book/store/settings.ts';
import { whenRead } from '../../close/work/figures.ts';
import type { ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { beginsAsPdf } from '../../domain/statement/index.ts';
import { fileView, type ImportPayload, NOT_STARTED, percent, type ToldProgress } from '../../jobs/protocol.ts';
import { answer, missing, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { RESERVED_KEYS } from '../../service/reserved-streams.ts';
import { batchView, streamView } from '../../service/views.ts';
import { unknownBankAccount } from '../../streams/operations/bank-accounts.ts';
import { findBankAccount } from '../../streams/store/bank-accounts.ts';
import { listStreams, streamByKey, streamDays } from '../../streams/store/streams.ts';
import { latestBatch } from '../store/import-batches.ts';
import { countImportRows } from '../store/import-rows.ts';
import { openFile, partsAt } from '../work/understand.ts';
import { type KeptRow, keptRows, whySkipped } from '../work/import-rows.ts';

function jobView(context: ServiceContext, row: JobRow): Job {
  const unstored = context.queue.unstoredEnd(row.id);
  const status = unstored === null ? (row.status as Job['status']) : 'failed';
  const isOpen = status === 'pending' || status === 'running';
  const result = storedJson('jobs.result', row.result, row.id) ?? {};
  const rows = result.import_result?.rows ?? result.preview?.result.rows ?? 0;
  const live: Omit<ToldProgress, 'phase'> = isOpen
    ? (context.queue.progressOf(row.id) ?? NOT_STARTED)
    : { processed: rows, total: rows, percent: percent(rows, rows) };
  return {
    id: row.id,
    kind: row.kind as Job['kind'],
    status,
    progress: status === 'completed' ? 100 : live.percent,
    processed: live.processed,
    total: live.total,
    file: fileView(live),
    error_message: unstored ?? row.error_message,
    import_result: result.import_result ?? null,
    preview: result.preview ?? null,
    run_id: row.run_id,
  };
}

function enqueue(
  context: ServiceContext,
  caller: Caller,
  kind: 'import' | 'import_preview',
  payload: ImportPayload,
  password?: string,
): Job {
  const { database, clock } = context;
  const row = database.write((write) => {
    const id = insertJob(write, {
      environmentId: caller.environmentId,
      kind,
      payload: JSON.stringify(payload),
      runId: null,
      createdAtMs: clock.nowMs(),
    });
    return present(findJob(write, caller.environmentId, id), 'job');
  });
  if (password !== undefined) context.queue.keepPassword(row.id, password);
  context.queue.kick();
  return jobView(context, row);
}

function unknownToken() {
  return refuse('file_unreadable', phrase('imports.start.unknownFile'));
}

function reservedTarget(key: string) {
  return refuseField('reserved_key', 'stream_key', phrase('imports.start.reservedKey', { key }));
}

/** Returns a refusal if the user gives both a recipe and a table; else null. */
function readingRefusal({ recipe, table }: Pick<Call<'imports.preview'>, 'recipe' | 'table'>) {
  if (recipe === undefined || table === undefined) return null;
  return refuseField('conflict', 'table', phrase('imports.imports.giveEitherRecipeOrTable'));
}

interface Linking {
  readonly stream_key?: string | undefined;
  readonly bank_account_id?: number | undefined;
  readonly bank_account_name?: string | undefined;
}

/** Returns a refusal if the stream cannot be linked to the account that the user names; else null. */
function linkRefusal(
  { database }: ServiceContext,
  caller: Caller,
  { stream_key: key, bank_account_id: id, bank_account_name: name }: Linking,
) {
  if (id === undefined && name === undefined) return null;
  if (id !== undefined && name !== undefined) {
    return refuseField('conflict', 'bank_account_name', phrase('imports.imports.giveEitherBankAccountIdOrBankAccountName'));
  }
  if (id !== undefined && findBankAccount(database, caller.environmentId, id) === undefined) return unknownBankAccount(id);
  const linked = key === undefined ? null : (streamByKey(database, caller.environmentId, key)?.bank_account_id ?? null);
  const account = linked === null ? undefined : findBankAccount(database, caller.environmentId, linked);
  if (account === undefined || account.id === id || account.name === name) return null;
  const message = phrase('imports.start.linkedAlready', { key: String(key), name: account.name });
  return refuseField('conflict', id === undefined ? 'bank_account_name' : 'bank_account_id', message);
}

function startImport(context: ServiceContext): Handlers['imports.start'] {
  return (caller, input) => {
    const file = context.files.find(input.file_token);
    if (file === undefined) return unknownToken();
    if (RESERVED_KEYS.has(input.stream_key)) return reservedTarget(input.stream_key);
    const refusal = readingRefusal(input) ?? linkRefusal(context, caller, input);
    if (refusal !== null) return refusal;
    const job = enqueue(
      context,
      caller,
      'import',
      {
        path: file.path,
        filename: file.name,
        part: file.part,
        streamKey: input.stream_key,
        streamName: input.stream_name ?? null,
        currency: input.currency ?? null,
        account: input.account ?? null,
        bankAccountId: input.bank_account_id ?? null,
        bankAccountName: input.bank_account_name ?? null,
        linkByRecipe: input.link_by_recipe,
        recipe: input.recipe ?? null,
        table: input.table ?? null,
        answers: input.answers ?? null,
        keptRecipe: input.kept_recipe,
        overrules: input.overrules,
        rememberRecipe: input.remember_recipe ?? null,
        acceptRejected: input.accept_rejected,
        acceptBroken: input.accept_broken,
        acceptUnproved: input.accept_unproved,
        acceptCurrency: input.accept_currency,
        acceptTarget: input.accept_target,
        keepFile: input.keep_file,
        dryRun: input.dry_run,
        actor: caller.actor,
      },
      input.password,
    );
    return answer(job, { location: `/app/jobs/${job.id}` });
  };
}

function startPreview(context: ServiceContext): Handlers['imports.preview'] {
  return (caller, input) => {
    const file = context.files.find(input.file_token);
    if (file === undefined) return unknownToken();
    if (input.stream_key !== undefined && RESERVED_KEYS.has(input.stream_key)) return reservedTarget(input.stream_key);
    const refusal = readingRefusal(input) ?? linkRefusal(context, caller, input);
    if (refusal !== null) return refusal;
    const job = enqueue(
      context,
      caller,
      'import_preview',
      {
        path: file.path,
        filename: file.name,
        part: file.part,
        streamKey: input.stream_key ?? null,
        streamName: null,
        currency: input.currency ?? null,
        account: input.account ?? null,
        bankAccountId: input.bank_account_id ?? null,
        bankAccountName: input.bank_account_name ?? null,
        recipe: input.recipe ?? null,
        table: input.table ?? null,
        answers: input.answers ?? null,
        keptRecipe: input.kept_recipe,
        overrules: input.overrules,
        acceptRejected: false,
        acceptBroken: false,
        acceptCurrency: input.accept_currency,
        dryRun: true,
        actor: caller.actor,
      },
      input.password,
    );
    return answer(job, { location: `/app/jobs/${job.id}` });
  };
}

function partsOfArchive({ files }: ServiceContext): Handlers['imports.parts'] {
  return (_caller, input) => {
    const archive = files.find(input.file_token);
    if (archive === undefined) return unknownToken();
    const parts = archive.part === null ? partsAt(archive.path, archive.name) : success([]);
    if (!parts.ok) return refuse('file_unreadable', parts.error);
    const taken = [];
    for (const part of parts.value) {
      const registered = files.register(archive.path, { name: archive.name, part, temporary: archive.temporary });
      if (!registered.ok) return refuse(registered.error.code, registered.error.message);
      const { token, byteLength } = registered.value;
      taken.push({ file_token: token, name: `${archive.name} › ${part.replaceAll(/\p{Cc}/gu, '')}`, byte_length: byteLength });
    }
    return answer({ files: taken });
  };
}

/** The largest PDF whose pages are shown. */
const SHOWN_BYTES = 48 * 1024 * 1024;

function documentOf({ files }: ServiceContext): Handlers['imports.document'] {
  return (_caller, input) => {
    const file = files.find(input.file_token);
    if (file === undefined) return unknownToken();
    const opened = openFile({ path: file.path, filename: file.name, part: file.part });
    if (!opened.ok) return refuse('file_unreadable', opened.error.message);
    try {
      const { head, byteLength } = opened.value;
      if (!beginsAsPdf(head)) return refuse('file_unreadable', phrase('imports.imports.isNoPdfSoIt', { name: file.name }));
      const bytes = byteLength > SHOWN_BYTES ? null : opened.value.bytes();
      if (bytes === null || !bytes.ok) return refuse('file_unreadable', phrase('imports.imports.isTooLargeToShow', { name: file.name }));
      return answer({ name: file.name, content: Buffer.from(bytes.value).toString('base64') });
    } finally {
      opened.value.close();
    }
  };
}

function overview(context: ServiceContext): Handlers['book.overview'] {
  const { database, figures } = context;
  const streamsOf = (caller: Caller, records: ReadonlyMap<number, number>) =>
    listStreams(database, caller.environmentId).map((stream) => {
      const days = streamDays(database, stream.id);
      const last = latestBatch(database, caller.environmentId, stream.id);
      const batch = last === undefined ? null : batchView(last);
      return {
        stream: streamView(stream, records),
        date_range_start: days.first === null ? null : isoFromDay(days.first),
        date_range_end: days.last === null ? null : isoFromDay(days.last),
        last_batch_id: batch?.id ?? null,
        last_filename: batch?.filename ?? null,
        last_import_at: batch?.created_at ?? null,
        last_proof: batch?.proof ?? null,
      };
    });
  return (caller) =>
    whenRead(figures.of('recordCounts', caller.environmentId), (records) =>
      answer({
        name: bookName(database),
        environment: caller.environment,
        is_sample: setting(database, 'is_sample') === 'yes',
        status_explains: setting(database, 'status_explains') === 'yes',
        version: context.version,
        streams: streamsOf(caller, records),
      }),
    );
}

export function importHandlers(
  context: ServiceContext,
): Pick<
  Handlers,
  | 'imports.document'
  | 'imports.parts'
  | 'imports.preview'
  | 'imports.start'
  | 'jobs.get'
  | 'jobs.cancel'
  | 'book.overview'
  | 'book.update'
  | 'events.latest'
> {
  const { database } = context;
  return {
    'imports.document': documentOf(context),
    'imports.parts': partsOfArchive(context),
    'imports.preview': startPreview(context),
    'imports.start': startImport(context),
    'jobs.get': (caller, input) => {
      const found = findJob(database, caller.environmentId, input.id);
      return found === undefined ? missing('job', input.id) : answer(jobView(context, found));
    },
    'jobs.cancel': (caller, input) => {
      if (findJob(database, caller.environmentId, input.id) === undefined) return missing('job', input.id);
      context.queue.cancel(input.id);
      return answer(jobView(context, present(findJob(database, caller.environmentId, input.id), 'job')));
    },
    'book.overview': overview(context),
    'book.update': (caller, input) => {
      database.write((write) => {
        appendAudit(write, {
          environmentId: caller.environmentId,
          atMs: context.clock.nowMs(),
          actor: caller.actor,
          action: 'book.updated',
          detail: { change: input },
        });
        if (input.name !== undefined) setSetting(write, 'book_name', input.name);
        if (input.is_sample !== undefined) setSetting(write, 'is_sample', input.is_sample ? 'yes' : 'no');
        if (input.status_explains !== undefined) setSetting(write, 'status_explains', input.status_explains ? 'yes' : 'no');
      });
      context.changed(['streams', 'reconciliations']);
      return answer({
        name: bookName(database),
        is_sample: setting(database, 'is_sample') === 'yes',
        status_explains: setting(database, 'status_explains') === 'yes',
      });
    },
    'events.latest': () => answer({ revision: context.revision() }),
  };
}

/** Returns the result of an import or a preview; null for any other job and for one that has not ended. */
function resultOf(job: JobRow): ImportResult | null {
  if (job.status !== 'completed' || job.result === null) return null;
  const stored = storedJson('jobs.result', job.result, job.id);
  return stored.import_result ?? stored.preview?.result ?? null;
}

/** Returns why a row was not imported. This is looked up now, since the record that it repeats may have been edited or deleted. */
function reasonOf(read: ReadHandle, streamId: number | null, kept: KeptRow): Pick<ImportRow, 'outcome' | 'code' | 'message' | 'record_id'> {
  if (kept.message !== null) return { outcome: 'rejected', code: kept.code ?? 'rejected', message: kept.message, record_id: null };
  const { key, day, amountMinor, direction } = kept;
  if (key === null) return { outcome: 'skipped', code: 'left_out', message: phrase('imports.rows.leftOut'), record_id: null };
  if (streamId === null || day === null || amountMinor === null || direction === null) {
    return { outcome: 'skipped', code: 'already_there', message: phrase('imports.rows.thereWhenRead'), record_id: null };
  }
  return { outcome: 'skipped', ...whySkipped(read, streamId, { ...kept, day, amountMinor, direction }, key) };
}

function isoOrNull(day: number | null): string | null {
  return day === null ? null : isoFromDay(day);
}

function rowView(read: ReadHandle, streamId: number | null, kept: KeptRow): ImportRow {
  return {
    row: kept.row,
    occurrence: kept.occurrence,
    ...reasonOf(read, streamId, kept),
    date: isoOrNull(kept.day),
    value_date: isoOrNull(kept.valueDay ?? null),
    amount: kept.amountMinor,
    direction: kept.direction,
    currency: namedCurrency(kept.currency),
    decimal_places: kept.decimalPlaces,
    description: kept.description,
    external_id: kept.externalId,
  };
}

/** Lists the rows of a file that were not imported, page by page. */
export function importRowHandlers({ database }: ServiceContext): Pick<Handlers, 'imports.rows'> {
  return {
    'imports.rows': (caller, { id, outcome, limit, offset }) =>
      database.snapshot(() => {
        const job = findJob(database, caller.environmentId, id);
        if (job === undefined || !job.kind.startsWith('import')) return missing('import', id);
        const result = resultOf(job);
        if (result === null) return answer({ data: [], has_more: false, offset, total: 0, listed: 0 });
        const { streamKey } = storedJson('jobs.payload:import', job.payload, job.id);
        const stream = streamKey === null ? undefined : streamByKey(database, caller.environmentId, streamKey);
        const listed = countImportRows(database, id, outcome);
        const rows = keptRows(database, id, outcome, offset, limit);
        return answer({
          data: rows.map((row) => rowView(database, stream?.id ?? null, row)),
          has_more: offset + rows.length < listed,
          offset,
          total: result[outcome],
          listed,
        });
      }),
  };
}
