import type { ServiceContext } from '../service/context.ts';
import { figureHandlers } from './operations/figures.ts';
import { openItemHandlers } from './operations/open-items.ts';
import { periodHandlers } from './operations/periods.ts';
import { reportHandlers } from './operations/reports.ts';
import { signOffHandlers } from './operations/sign-offs.ts';

/** Returns the handlers of this room's operations, by the names that the contract gives them. */
export const closeOperations = (context: ServiceContext) => ({
  ...figureHandlers(context),
  ...openItemHandlers(context),
  ...periodHandlers(context),
  ...reportHandlers(context),
  ...signOffHandlers(context),
});
