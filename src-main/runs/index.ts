import type { ServiceContext } from '../service/context.ts';
import { runHandlers } from './operations/runs.ts';

/** Returns the handlers of this room's operations, by the names that the contract gives them. */
export const runsOperations = (context: ServiceContext) => ({
  ...runHandlers(context),
});
