import type { ServiceContext } from '../service/context.ts';
import { syncConflictHandlers, syncUnsureHandlers, syncWhyHandlers } from './operations/sync-conflicts.ts';
import { syncHandlers, syncHistoryHandlers } from './operations/sync-history.ts';
import { syncRemoteHandlers } from './operations/sync-remotes.ts';
import { syncUndoHandlers } from './operations/sync-undo.ts';

/** Returns the handlers of this room's operations, by the names that the contract gives them. */
export const syncOperations = (context: ServiceContext) => ({
  ...syncConflictHandlers(context),
  ...syncHistoryHandlers(context),
  ...syncRemoteHandlers(context),
  ...syncUndoHandlers(context),
  ...syncUnsureHandlers(context),
  ...syncWhyHandlers(context),
  ...syncHandlers(context),
});
