import type { ServiceContext } from '../service/context.ts';
import { bankAccountBalanceHandlers, bankAccountHandlers } from './operations/bank-accounts.ts';
import { coverageHandlers } from './operations/coverage.ts';
import { propertyDefinitionHandlers, streamHandlers, streamOperationHandlers } from './operations/streams.ts';
import { storyHandlers } from './operations/stories.ts';

/** Returns the handlers of this room's operations, by the names that the contract gives them. */
export const streamsOperations = (context: ServiceContext) => ({
  ...bankAccountBalanceHandlers(context),
  ...bankAccountHandlers(context),
  ...coverageHandlers(context),
  ...propertyDefinitionHandlers(context),
  ...storyHandlers(context),
  ...streamOperationHandlers(context),
  ...streamHandlers(context),
});
