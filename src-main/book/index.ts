import type { ServiceContext } from '../service/context.ts';
import { apiKeyHandlers } from './operations/api-keys.ts';
import { backupHandlers, bookHandlers } from './operations/backups.ts';
import { historyHandlers, instanceHandlers } from './operations/history.ts';
import { homeHandlers } from './operations/home.ts';
import { localPortHandlers } from './operations/local-port.ts';
import { notationHandlers } from './operations/notation.ts';
import { viewHandlers } from './operations/views.ts';

/** Returns the handlers of this room's operations, by the names that the contract gives them. */
export const bookOperations = (context: ServiceContext) => ({
  ...apiKeyHandlers(context),
  ...backupHandlers(context.keeper),
  ...bookHandlers(context.keeper),
  ...historyHandlers(context),
  ...homeHandlers(context),
  ...instanceHandlers(context),
  ...localPortHandlers(context),
  ...notationHandlers(context),
  ...viewHandlers(context),
});
