import { enqueueProposals } from '../../runs/operations/runs.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import type { AgentStatus, AgentStep } from '../../../src-shared/contract/rules/proposals.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { newestSearch, searchNotes } from '../store/proposals.ts';
import type { RunRow } from '../../runs/store/runs.ts';
import { isOpen } from '../../records/store/line-totals.ts';
import { listRules } from '../store/rules.ts';
import { whenRead } from '../../close/work/figures.ts';
import { answer, missing, timestampOf, timestampOrNull } from '../../service/answers.ts';
import { liveRunView } from '../../service/views.ts';
import type { ReconciliationTotals } from '../../reconciliations/store/figures.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';

function completedWords(rules: number, nothing: string | null): string {
  if (rules === 0) return nothing ?? phrase('rules.proposals.noRuleWasProposed');
  return rules === 1 ? phrase('rules.proposals.oneRuleWasProposed') : phrase('rules.proposals.rulesWereProposedForReview', { rules });
}

/** Returns the step that ended a search; none while it is in progress. */
function endOf(context: ServiceContext, row: RunRow): AgentStep[] {
  const { status, error_message: why, completed_at: endedAt, proposals } = liveRunView(context, row);
  // If the disk was full, the end of the run could not be stored and has no time.
  const at = endedAt ?? timestampOf(context.clock.nowMs());
  if (status === 'failed') return [{ step: 'failed', message: why ?? phrase('rules.proposals.searchFailedNothingOfIt'), at }];
  if (status === 'cancelled') return [{ step: 'cancelled', message: why ?? phrase('rules.proposals.theSearchWasCancelledNothing'), at }];
  return status === 'completed'
    ? [{ step: 'completed', message: completedWords(proposals?.rules ?? 0, proposals?.nothing ?? null), at }]
    : [];
}

function stepsOf(context: ServiceContext, row: RunRow): AgentStep[] {
  const asked =
    row.kind === 'continuous' ? phrase('rules.proposals.aSearchForRulesBegan') : phrase('rules.proposals.searchForRulesWasAsked');
  const { steps } = searchNotes(row);
  return [
    { step: 'asked', message: asked, at: timestampOf(row.created_at) },
    ...steps.map(({ step, message, atMs }): AgentStep => ({ step, message, at: timestampOf(atMs) })),
    ...endOf(context, row),
  ];
}

function statusOf(context: ServiceContext, row: RunRow | undefined): AgentStatus['status'] {
  const status = row === undefined ? 'completed' : liveRunView(context, row).status;
  if (status === 'pending' || status === 'running') return 'running';
  return status === 'failed' ? 'failed' : 'idle';
}

/** Returns the reasoning of a search; for one of an earlier version, only why it found nothing. */
function reasoningOf(row: RunRow | undefined): string | null {
  if (row === undefined) return null;
  const { reasoning, nothing, rules } = searchNotes(row);
  return (
    reasoning ??
    nothing ??
    phrase('rules.proposals.lookedAtRecordsOfBoth', { total_records: row.total_records, completed: completedWords(rules, nothing) })
  );
}

/** Returns the number of open lines of both sides. */
function openIn({ lines }: ReconciliationTotals): number {
  return lines.filter(isOpen).reduce((sum, { records }) => sum + records, 0);
}

/** Returns the state of the search for rules. The steps of the last one survive a restart, because they are in its run. */
function agentStatusHandler(context: ServiceContext): Handlers['proposals.agent_status'] {
  const { database, figures } = context;
  return (caller, { id }) => {
    if (findReconciliation(database, caller.environmentId, id) === undefined) return missing('reconciliation', id);
    return whenRead(figures.of('reconciliationTotals', id), (totals) => {
      const newest = newestSearch(database, id, 'any');
      return answer({
        status: statusOf(context, newest),
        last_run_at: timestampOrNull(newestSearch(database, id, 'ended')?.completed_at ?? null),
        progress: newest === undefined ? [] : stepsOf(context, newest),
        reasoning: reasoningOf(newestSearch(database, id, 'completed')),
        rules_count: listRules(database, id).filter(({ status }) => status === 'active').length,
        unmatched_count: openIn(totals),
      });
    });
  };
}

/** Returns the handlers of rule proposals. A run that matches nothing proposes rules, so progress, cancellation and recovery are those of runs. */
export function proposalHandlers(context: ServiceContext): Pick<Handlers, 'proposals.create' | 'proposals.agent_status'> {
  return {
    'proposals.create': (caller, { id }) => enqueueProposals(context, caller, id),
    'proposals.agent_status': agentStatusHandler(context),
  };
}
