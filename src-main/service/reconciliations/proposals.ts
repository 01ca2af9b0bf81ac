import type { ServiceContext } from '../core/context.ts';
import type { Handlers } from '../core/handler.ts';
import { agentStatusHandler } from './agent-status.ts';
import { enqueueProposals } from './runs.ts';

/** Rules are proposed by a run that matches nothing, so progress, cancel and what is left after a stop are those of runs. */
export function proposalHandlers(context: ServiceContext): Pick<Handlers, 'proposals.create' | 'proposals.agent_status'> {
  return {
    'proposals.create': (caller, { id }) => enqueueProposals(context, caller, id),
    'proposals.agent_status': agentStatusHandler(context),
  };
}
