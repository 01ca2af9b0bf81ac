import type { ServiceContext } from '../service/context.ts';
import { connectionHandlers } from './operations/connections.ts';
import { tableRunHandlers } from './operations/table-runs.ts';

/** Returns the handlers of this room's operations, by the names that the contract gives them. */
export const databasesOperations = (context: ServiceContext) => ({
  ...connectionHandlers(context),
  ...tableRunHandlers(context),
});
