import { agentStatusHandler } from '../../reconciliations/operations/agent-status.ts';
import { enqueueProposals } from '../../runs/operations/runs.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';

/** Returns the handlers of rule proposals. A run that matches nothing proposes rules, so progress, cancellation and recovery are those of runs. */
export function proposalHandlers(context: ServiceContext): Pick<Handlers, 'proposals.create' | 'proposals.agent_status'> {
  return {
    'proposals.create': (caller, { id }) => enqueueProposals(context, caller, id),
    'proposals.agent_status': agentStatusHandler(context),
  };
}
