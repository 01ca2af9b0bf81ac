import type { ServiceContext } from '../service/context.ts';
import { bankAccountBalanceHandlers } from './operations/bank-account-balances.ts';
import { bankAccountHandlers } from './operations/bank-accounts.ts';
import { coverageHandlers } from './operations/coverage.ts';
import { propertyDefinitionHandlers } from './operations/property-definitions.ts';
import { storyHandlers } from './operations/stories.ts';
import { streamOperationHandlers } from './operations/stream-operations.ts';
import { streamHandlers } from './operations/streams.ts';

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
