import type { ServiceContext } from '../service/context.ts';
import { confirmationHandlers } from './operations/confirmations.ts';
import { lineSuggestionHandlers } from './operations/line-suggestions.ts';
import { matchHandlers, wouldBeMatchHandlers } from './operations/matches.ts';
import { separationHandlers } from './operations/separations.ts';
import { sumSuggestionHandlers } from './operations/sum-suggestions.ts';

/** Returns the handlers of this room's operations, by the names that the contract gives them. */
export const matchesOperations = (context: ServiceContext) => ({
  ...confirmationHandlers(context),
  ...lineSuggestionHandlers(context),
  ...matchHandlers(context),
  ...separationHandlers(context),
  ...sumSuggestionHandlers(context),
  ...wouldBeMatchHandlers(context),
});
