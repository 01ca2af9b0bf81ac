import type { CorrectedCurrency, Output } from '../../../src-shared/contract/index.ts';
import type { Database, ReadHandle, WriteHandle } from '../../database/database.ts';
import {
  deleteMatch,
  findMatch,
  matchedByBatch,
  matchesOfRecords,
  type PlaceInBatch,
  unpublishedMatchesOf,
} from '../../matches/store/matches.ts';
import { pageRecords } from '../../records/store/record-pages.ts';
import { figuresOfWipe } from '../../records/store/wipe-clearing.ts';
import { openBatchWipe, publishBatchWipe } from '../../records/work/publish-stream-wipe.ts';
import { answer, missing, refuse, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { refusedBatch } from '../../service/period-lock.ts';
import { batchView, recordViews } from '../../service/views.ts';
import { breathe, clearNow, wipeNow } from '../../service/wiping-now.ts';
import { balancesOfBatch } from '../../streams/store/bank-account-balances.ts';
import { streamById, streamByKey, type StreamRow, updateStream } from '../../streams/store/streams.ts';
import { alternativeDescriptionsOf, countKeptByOthers } from '../store/alternative-descriptions.ts';
import {
  batchesSharing,
  countBatchRecords,
  findBatch,
  type ImportBatchRow,
  type NewImportBatch,
  pageBatches,
  publishBatch,
} from '../store/import-batches.ts';
import { CORRECTED_LINES } from '../../../src-shared/contract/imports/import-batches.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, decimalText } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { storedJson } from '../../database/json-columns.ts';
import { asFileSaid, beginsAsPdf, inCurrency, keyWithMoney, type Rescaled } from '../../domain/statement/index.ts';
import { dissolveMatch } from '../../matches/store/dissolved-matches.ts';
import { isStreamBusy } from '../../records/store/column-packs.ts';
import { isDedupeKeyTaken } from '../../records/store/records.ts';
import { noteRecordChange } from '../../runs/store/due-runs.ts';
import { writingRunsOfStream } from '../../runs/store/runs.ts';
import { withStoredReason } from '../../service/match-reasons.ts';
import { findBankAccount, updateBankAccount } from '../../streams/store/bank-accounts.ts';
import {
  balancesInCurrency,
  excludeAll,
  hasOthersInCurrency,
  isAccountOfOthers,
  type MoneyRecord,
  type OtherMoney,
  recordsInCurrency,
  setBalances,
  setMoney,
  type StatedBalance,
} from '../store/batch-currency.ts';
import { keptFile } from '../store/kept-files.ts';
import type { CurrencyTotal } from '../work/figures.ts';
import { textsOf } from '../work/overlap.ts';

/** Records read at a time. */
const LOOKED_AT = 5_000;

/** Returns how many matches the undo of a batch would dissolve. */
async function countDissolved(database: Database, batchId: number): Promise<number> {
  const dissolved = new Set<number>();
  let after: PlaceInBatch | null = { day: Number.MIN_SAFE_INTEGER, id: 0 };
  while (after !== null) {
    const found: ReturnType<typeof matchedByBatch> = matchedByBatch(database, batchId, after, LOOKED_AT);
    for (const id of found.matchIds) dissolved.add(id);
    after = found.last;
    await breathe();
  }
  return dissolved.size;
}

/** Returns the later imports that may have left out lines of a batch: what its undo takes from them too. */
function sharedWith(database: Database, batchId: number): Output<'import_batches.remove'>['shared_with'] {
  return batchesSharing(database, batchId).map(({ id, filename, createdAt, atMost }) => ({
    import_batch_id: id,
    filename,
    imported_at: timestampOf(createdAt),
    at_most: atMost,
  }));
}

async function previewUndo({ database }: ServiceContext, batch: ImportBatchRow) {
  const balances = balancesOfBatch(database, batch.id);
  const kept = countKeptByOthers(database, batch.id);
  const undone: Output<'import_batches.remove'> = {
    import_batch_id: batch.id,
    records: countBatchRecords(database, batch.id) - kept.records,
    records_kept: kept.records + kept.alternatives,
    matches_dissolved: await countDissolved(database, batch.id),
    balances_removed: balances.removed,
    balances_kept: balances.kept,
    file_removed: batch.kept_bytes !== null,
    shared_with: sharedWith(database, batch.id),
    preview: true,
  };
  return answer(undone);
}

/**
 * Undoes an import. One publish step hides the batch and the matches with its records; no separation of a match is remembered for later runs. Then
 * the rows are deleted in short transactions. If the process ends early, the next start deletes the rest.
 */
function removeBatch(context: ServiceContext): Handlers['import_batches.remove'] {
  return async (caller, input) => {
    const { database } = context;
    const batch = findBatch(database, caller.environmentId, input.id);
    if (batch === undefined) return missing(phrase('imports.importBatches.importBatch'), input.id);
    const closed = refusedBatch(database, batch);
    if (closed !== null) return closed;
    if (input.preview) return previewUndo(context, batch);
    const balances = balancesOfBatch(database, batch.id);
    const kept = countKeptByOthers(database, batch.id);
    const shared = sharedWith(database, batch.id);
    const wipe = database.write((write) => openBatchWipe(write, batch, caller.actor));
    const wiped = await wipeNow(context, wipe, (write) => {
      const lock = refusedBatch(write, batch);
      if (lock !== null) return lock;
      const end = publishBatchWipe(write, wipe, balances, context.clock.nowMs());
      return end === 'unprepared' ? null : end === 'gone' ? missing(phrase('imports.importBatches.importBatch'), input.id) : answer(null);
    });
    if (!wiped.ok) return wiped;
    // The batch is invisible from the publish step on, while clearing takes longer.
    context.changed(['imports', 'records', 'streams', 'matches', 'bank_accounts']);
    const { records, matches } = (await clearNow(context, wipe.id, null)) ?? figuresOfWipe(database, wipe.id);
    context.changed(['imports', 'records', 'streams', 'matches']);
    return answer({
      import_batch_id: batch.id,
      records,
      records_kept: kept.records + kept.alternatives,
      matches_dissolved: matches,
      balances_removed: balances.removed,
      balances_kept: balances.kept,
      file_removed: batch.kept_bytes !== null,
      shared_with: shared,
      preview: false,
    });
  };
}

export function importBatchHandlers(
  context: ServiceContext,
): Pick<
  Handlers,
  'import_batches.list' | 'import_batches.get' | 'import_batches.file' | 'import_batches.records' | 'import_batches.remove'
> {
  const { database } = context;
  const newest = (row: { created_at: number; id: number }) => ({ value: row.created_at, id: row.id });
  return {
    'import_batches.list': (caller, input) => {
      const stream = streamByKey(database, caller.environmentId, input.key);
      if (stream === undefined) return missing(phrase('imports.importBatches.dataStream'), input.key);
      const start = pageStart(input, 'import_batches -created_at');
      if (!start.ok) return start;
      const rows = pageBatches(database, caller.environmentId, stream.id, start.value);
      return answer(pageAnswer(rows, start.value, 'import_batches -created_at', newest, (shown) => shown.map(batchView)));
    },
    'import_batches.get': (caller, input) => {
      const found = findBatch(database, caller.environmentId, input.id);
      return found === undefined ? missing(phrase('imports.importBatches.importBatch'), input.id) : answer(batchView(found));
    },
    'import_batches.records': (caller, input) => {
      if (findBatch(database, caller.environmentId, input.id) === undefined)
        return missing(phrase('imports.importBatches.importBatch'), input.id);
      const start = pageStart(input, 'batch_records -created_at');
      if (!start.ok) return start;
      const filter = { environmentId: caller.environmentId, batchId: input.id };
      const rows = database.snapshot(() => pageRecords(database, filter, { ...start.value, sort: 'created_at', descending: true }));
      const today = context.clock.today();
      return answer(
        pageAnswer(rows, start.value, 'batch_records -created_at', newest, (shown) => recordViews(database, shown, null, today)),
      );
    },
    'import_batches.file': (caller, input) => {
      const found = findBatch(database, caller.environmentId, input.id);
      if (found === undefined) return missing(phrase('imports.importBatches.importBatch'), input.id);
      const bytes = keptFile(database, found.id);
      if (bytes === null) return refuse('conflict', phrase('imports.kept.none', { id: found.id }));
      if (bytes === 'changed') return refuse('conflict', phrase('imports.kept.changed', { id: found.id }));
      return answer({
        file_name: found.filename ?? phrase('imports.kept.unnamed', { id: found.id }),
        content_type: beginsAsPdf(bytes) ? 'application/pdf' : 'application/octet-stream',
        encoding: 'base64',
        content: Buffer.from(bytes).toString('base64'),
      });
    },
    'import_batches.remove': removeBatch(context),
  };
}

/** Formats that write amounts as whole minor units. */
const IN_MINOR_UNITS: ReadonlySet<string> = new Set(['bai2', 'nacha']);
const INSTEAD = phrase('imports.currency.instead');

/** All changes of a correction. */
interface CurrencyPlan {
  readonly from: string;
  readonly to: string;
  readonly records: readonly OtherMoney[];
  readonly proposalIds: readonly number[];
  readonly balances: readonly StatedBalance[];
  readonly batch: Pick<NewImportBatch, 'totals' | 'currency' | 'opening_balance' | 'closing_balance' | 'recipe'> & {
    readonly periods: string | null;
  };
  readonly stream: StreamRow | null;
  /** The bank account that changes its currency too; null if none does. */
  readonly bankAccountId: number | null;
}

/** Returns the changes of a correction, or the refusal. Changes nothing itself. */
function planCurrency(read: ReadHandle, batch: ImportBatchRow, to: string) {
  const totals = storedJson('import_batches.totals', batch.totals, batch.id);
  const [total, ...others] = totals;
  if (total === undefined) return refuse('conflict', phrase('imports.currency.noLines', { id: batch.id }));
  const { currency: from } = total;
  if (others.length > 0) {
    const names = totals.map(({ currency }) => currency).join(', ');
    return refuse('conflict', `${phrase('imports.currency.several', { id: batch.id, names })} ${INSTEAD}`);
  }
  if (from === to) return refuse('conflict', phrase('imports.currency.already', { id: batch.id, to }));
  if (isStreamBusy(read, batch.stream_id)) {
    return refuse('conflict', phrase('imports.currency.busy', { key: batch.data_stream_key }));
  }
  const found = recordsInCurrency(read, batch.id, from, CORRECTED_LINES);
  if (found.length > CORRECTED_LINES) {
    return refuse('conflict', `${phrase('imports.currency.tooMany', { id: batch.id, most: CORRECTED_LINES })} ${INSTEAD}`);
  }
  const held = matchesOfRecords(
    read,
    found.map(({ id }) => id),
    null,
  );
  const matched = new Set(held.filter(({ status }) => status === 'matched').map(({ record_id: id }) => id));
  if (matched.size > 0) {
    const names = [...new Set(held.filter(({ status }) => status === 'matched').map((match) => `“${match.reconciliation_name}”`))].join(
      ', ',
    );
    return refuse('record_reconciled', phrase('imports.currency.matched', { lines: matched.size, id: batch.id, names }));
  }
  const joined = new Map(
    alternativeDescriptionsOf(
      read,
      found.map(({ id }) => id),
    ).map(({ record_id: id, filename }) => [id, filename]),
  );
  if (joined.size > 0) {
    const files = [...new Set(joined.values())].map((filename) => filename ?? phrase('imports.currency.anotherFile')).join(', ');
    return refuse('conflict', phrase('imports.currency.joined', { lines: joined.size, id: batch.id, files }));
  }
  const money = otherMoney(read, batch, found, from, to);
  if (!money.ok) return money;
  const rest = rescaledBatch(batch, total, balancesInCurrency(read, batch.id, from), to);
  if (rest === null) return refuse('total_out_of_range', `${phrase('imports.currency.totals', { id: batch.id, to })} ${INSTEAD}`);
  const stream = streamById(read, batch.stream_id);
  const isLast = !hasOthersInCurrency(read, batch.stream_id, from, batch.id);
  const plan: CurrencyPlan = {
    from,
    to,
    records: money.value,
    proposalIds: [...new Set(held.map(({ match_id: id }) => id))],
    ...rest,
    stream: stream !== undefined && stream.currency === from && isLast ? stream : null,
    bankAccountId: accountInCurrency(read, batch, stream, from),
  };
  return answer(plan);
}

function correctionOf(batch: ImportBatchRow, plan: CurrencyPlan, preview: boolean): CorrectedCurrency {
  return {
    import_batch_id: batch.id,
    from: plan.from,
    to: plan.to,
    records: plan.records.length,
    proposals_dropped: plan.proposalIds.length,
    balances: plan.balances.length,
    stream: plan.stream !== null,
    bank_account: plan.bankAccountId !== null,
    preview,
  };
}

/** Returns the account of the stream if only this import put it into the currency; else null. */
function accountInCurrency(read: ReadHandle, batch: ImportBatchRow, stream: StreamRow | undefined, from: string): number | null {
  const id = stream?.bank_account_id ?? null;
  const account = id === null ? undefined : findBankAccount(read, batch.environment_id, id);
  return account === undefined || account.currency !== from || isAccountOfOthers(read, account.id, from, batch.id) ? null : account.id;
}

/** Returns the lines with amounts in the other currency, and with the keys by which they are recognised when the file is imported again. */
function otherMoney(read: ReadHandle, batch: ImportBatchRow, found: readonly MoneyRecord[], from: string, to: string) {
  const isInMinorUnits = IN_MINOR_UNITS.has(batch.format);
  const isOtherScale = decimalPlacesOf(from) !== decimalPlacesOf(to);
  if (
    isOtherScale &&
    !isInMinorUnits &&
    storedJson('import_batches.problems', batch.problems, batch.id).some(({ code }) => code === 'decimal_mark_assumed')
  ) {
    return refuse('conflict', `${phrase('imports.currency.doubtfulAmounts', { id: batch.id, to })} ${INSTEAD}`);
  }
  const changed: OtherMoney[] = [];
  const faults = { decimals: [] as MoneyRecord[], edited: [] as MoneyRecord[], there: [] as MoneyRecord[] };
  for (const record of found) {
    const scaled = inCurrency({ minor: record.amount, decimalPlaces: record.decimal_places }, from, to, isInMinorUnits);
    if (typeof scaled === 'string') {
      faults.decimals.push(record);
      continue;
    }
    const key = keyInCurrency(record, scaled, to);
    if (key === undefined) faults.edited.push(record);
    else if (key !== null && key !== record.dedupe_key && isDedupeKeyTaken(read, batch.stream_id, key)) faults.there.push(record);
    changed.push({ id: record.id, amount: scaled.minor, currency: to, decimal_places: scaled.decimalPlaces, dedupe_key: key ?? null });
  }
  const why = [
    faultWords(faults.decimals, 'imports.currency.otherDecimals', to),
    faultWords(faults.edited, 'imports.currency.edited', to),
    faultWords(faults.there, 'imports.currency.there', to),
  ].find((words) => words !== null);
  return why === undefined || why === null ? answer(changed) : refuse('conflict', `${why} ${INSTEAD}`);
}

function faultWords(
  records: readonly MoneyRecord[],
  sentence: 'imports.currency.otherDecimals' | 'imports.currency.edited' | 'imports.currency.there',
  to: string,
): string | null {
  const [first] = records;
  if (first === undefined) return null;
  const amount = decimalText(first.direction === 1 ? first.amount : -first.amount, first.decimal_places);
  return phrase(sentence, { lines: records.length, amount, day: isoFromDay(first.day), to });
}

/** Returns undefined if the key was not made from the present content of the line. A key that contains no amount stays. */
function keyInCurrency(record: MoneyRecord, scaled: Exclude<Rescaled, string>, to: string): string | null | undefined {
  const key = record.dedupe_key;
  if (key === null || !key.startsWith('f:')) return key;
  const content = {
    day: record.day,
    valueDay: record.value_day,
    amountMinor: record.amount,
    direction: record.direction === 1 ? ('credit' as const) : ('debit' as const),
    currency: record.currency,
    description: record.description,
    metadata: textsOf(storedJson('records.metadata', record.metadata, record.id)),
  };
  const money = { amountMinor: scaled.minor, currency: to };
  const asInFile = asFileSaid(content);
  return keyWithMoney(key, content, money) ?? (asInFile && keyWithMoney(key, asInFile, money)) ?? undefined;
}

/** Returns totals, balances and the other figures of a batch in the other currency; null if they cannot be expressed in it. */
function rescaledBatch(batch: ImportBatchRow, total: CurrencyTotal, balances: readonly StatedBalance[], to: string) {
  const isInMinorUnits = IN_MINOR_UNITS.has(batch.format);
  let isWhole = true;
  const minorOf = (minor: number, decimalPlaces: number, least: number): number => {
    const scaled = inCurrency({ minor, decimalPlaces }, total.currency, to, isInMinorUnits);
    if (typeof scaled === 'string') isWhole = false;
    return typeof scaled === 'string' ? minor : scaled.minor * 10 ** (least - scaled.decimalPlaces);
  };
  const [places, otherPlaces] = [decimalPlacesOf(total.currency), decimalPlacesOf(to)];
  const stated = (minor: number | null): number | null => (minor === null ? null : minorOf(minor, places, otherPlaces));
  const finest = isInMinorUnits ? otherPlaces : Math.max(otherPlaces, total.decimal_places > places ? total.decimal_places : 0);
  const totals: CurrencyTotal[] = [
    {
      currency: to,
      decimal_places: finest,
      credits: minorOf(total.credits, total.decimal_places, finest),
      debits: minorOf(total.debits, total.decimal_places, finest),
    },
  ];
  const periods = storedJson('import_batches.periods', batch.periods, batch.id);
  const recipe = storedJson('import_batches.recipe', batch.recipe, batch.id);
  const rest = {
    balances: balances.map(({ id, amount }) => ({ id, amount: minorOf(amount, places, otherPlaces) })),
    batch: {
      totals: JSON.stringify(totals),
      currency: to,
      opening_balance: stated(batch.opening_balance),
      closing_balance: stated(batch.closing_balance),
      periods:
        periods === null
          ? null
          : JSON.stringify(
              periods.map(({ dayEnds, ...each }) => ({
                ...each,
                openingMinor: stated(each.openingMinor),
                closingMinor: stated(each.closingMinor),
                ...(dayEnds === undefined
                  ? {}
                  : { dayEnds: dayEnds.map((end) => ({ ...end, minor: minorOf(end.minor, places, otherPlaces) })) }),
              })),
            ),
      recipe: recipe === null || recipe.currency !== total.currency ? batch.recipe : JSON.stringify({ ...recipe, currency: to }),
    },
  };
  const sums = totals.flatMap(({ credits, debits }) => [credits, debits]);
  return isWhole && sums.every(Number.isSafeInteger) ? rest : null;
}

/** Drops proposals with these lines, excludes the lines from runs in progress, and lets continuous reconciliations run again. */
function release(write: WriteHandle, batch: ImportBatchRow, plan: CurrencyPlan, atMs: number): void {
  for (const id of plan.proposalIds) {
    const match = findMatch(write, batch.environment_id, id);
    assert(match === undefined || match.status === 'proposed', 'no line of a corrected import is matched');
    if (match !== undefined) dissolveMatch(write, withStoredReason(write, match), atMs, null);
  }
  const recordIds = plan.records.map(({ id }) => id);
  for (const matchId of unpublishedMatchesOf(write, recordIds, null)) deleteMatch(write, matchId);
  excludeAll(write, writingRunsOfStream(write, batch.stream_id), recordIds);
  noteRecordChange(write, batch.stream_id);
}

function apply(write: WriteHandle, batch: ImportBatchRow, plan: CurrencyPlan, caller: Caller, atMs: number): void {
  release(write, batch, plan, atMs);
  setMoney(write, plan.records);
  setBalances(write, plan.balances, plan.to, atMs);
  const { periods, ...facts } = plan.batch;
  publishBatch(write, batch.id, { ...facts, ...(periods === null ? {} : { periods }) });
  if (plan.stream !== null) updateStream(write, plan.stream.id, { currency: plan.to });
  if (plan.bankAccountId !== null) updateBankAccount(write, plan.bankAccountId, { currency: plan.to }, atMs);
  appendAudit(write, {
    environmentId: caller.environmentId,
    atMs,
    actor: caller.actor,
    action: 'import_batch.currency_corrected',
    detail: {
      import_batch_id: batch.id,
      stream: batch.data_stream_key,
      filename: batch.filename,
      from: plan.from,
      to: plan.to,
      records: plan.records.length,
      balances: plan.balances.length,
      proposals_dropped: plan.proposalIds.length,
      stream_currency: plan.stream === null ? null : plan.to,
      bank_account_id: plan.bankAccountId,
    },
  });
}

/** Corrects the currency of all lines of an import in one transaction. */
export function batchCurrencyHandlers(context: ServiceContext): Pick<Handlers, 'import_batches.correct_currency'> {
  const { database, clock } = context;
  return {
    'import_batches.correct_currency': (caller, input) => {
      const planned = (read: ReadHandle) => {
        const batch = findBatch(read, caller.environmentId, input.id);
        if (batch === undefined) return missing(phrase('imports.importBatches.importBatch'), input.id);
        const closed = refusedBatch(read, batch);
        if (closed !== null) return closed;
        const plan = planCurrency(read, batch, input.currency);
        return plan.ok ? answer({ batch, plan: plan.value }) : plan;
      };
      if (input.preview) {
        const looked = database.snapshot(() => planned(database));
        return looked.ok ? answer(correctionOf(looked.value.batch, looked.value.plan, true)) : looked;
      }
      const corrected = database.write((write) => {
        const outcome = planned(write);
        if (outcome.ok) apply(write, outcome.value.batch, outcome.value.plan, caller, clock.nowMs());
        return outcome;
      });
      if (!corrected.ok) return corrected;
      context.changed(['imports', 'records', 'streams', 'matches', 'bank_accounts']);
      return answer(correctionOf(corrected.value.batch, corrected.value.plan, false));
    },
  };
}
