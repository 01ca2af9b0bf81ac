import type { ServiceContext } from '../service/context.ts';
import { bulkRequestHandlers } from './operations/bulk-requests.ts';
import { exceptionHandlers, overdueHandlers } from './operations/exceptions.ts';
import { recordHandlers } from './operations/records.ts';

/** Returns the handlers of this room's operations, by the names that the contract gives them. */
export const recordsOperations = (context: ServiceContext) => ({
  ...bulkRequestHandlers(context),
  ...exceptionHandlers(context),
  ...overdueHandlers(context),
  ...recordHandlers(context),
});
