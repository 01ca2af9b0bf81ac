import type { ServiceContext } from '../service/context.ts';
import { reconciliationHandlers } from './operations/reconciliations.ts';

/** Returns the handlers of this room's operations, by the names that the contract gives them. */
export const reconciliationsOperations = (context: ServiceContext) => ({
  ...reconciliationHandlers(context),
});
