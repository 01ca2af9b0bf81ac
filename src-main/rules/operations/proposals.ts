import { agentStatusHandler } from '../../reconciliations/operations/agent-status.ts';
import { enqueueProposals } from '../../runs/operations/runs.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';

/** Rules are proposed by a run that matches nothing, so progress, cancel and what is left after a stop are those of runs. */
export function proposalHandlers(context: ServiceContext): Pick<Handlers, 'proposals.create' | 'proposals.agent_status'> {
  return {
    'proposals.create': (caller, { id }) => enqueueProposals(context, caller, id),
    'proposals.agent_status': agentStatusHandler(context),
  };
}
