import type { ServiceContext } from '../service/context.ts';
import { evidenceHandlers } from './operations/evidence.ts';
import { proposalHandlers } from './operations/proposals.ts';
import { backtestHandlers, rulePreviewHandlers } from './operations/rule-preview.ts';
import { ruleHandlers } from './operations/rules.ts';

/** Returns the handlers of this room's operations, by the names that the contract gives them. */
export const rulesOperations = (context: ServiceContext) => ({
  ...backtestHandlers(context),
  ...evidenceHandlers(context),
  ...proposalHandlers(context),
  ...rulePreviewHandlers(context),
  ...ruleHandlers(context),
});
