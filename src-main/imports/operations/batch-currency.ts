import { assert } from '../../../src-shared/values/assert.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { updateBankAccount } from '../../streams/store/bank-accounts.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { dissolveMatch } from '../../matches/store/dissolved-matches.ts';
import { noteRecordChange } from '../../runs/store/due-runs.ts';
import { deleteMatch, findMatch, unpublishedMatchesOf } from '../../matches/store/matches.ts';
import { writingRunsOfStream } from '../../runs/store/runs.ts';
import { updateStream } from '../../streams/store/streams.ts';
import { answer, missing } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { refusedBatch } from '../../service/period-lock.ts';
import { withStoredReason } from '../../service/match-reasons.ts';
import { excludeAll, setBalances, setMoney } from '../store/batch-currency.ts';
import { findBatch, type ImportBatchRow, publishBatch } from '../store/import-batches.ts';
import { correctionOf, type CurrencyPlan, planCurrency } from './batch-currency-plan.ts';

/** Proposals that hold the lines go, runs under way leave these alone, and continuous reconciliations look again. */
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

/** Another currency for the lines of an import, all of them in one transaction or none. */
export function batchCurrencyHandlers(context: ServiceContext): Pick<Handlers, 'import_batches.correct_currency'> {
  const { database, clock } = context;
  return {
    'import_batches.correct_currency': (caller, input) => {
      const planned = (read: ReadHandle) => {
        const batch = findBatch(read, caller.environmentId, input.id);
        if (batch === undefined) return missing('import batch', input.id);
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
