import { answeredOnce } from './answered-once.ts';
import { backupHandlers } from './backups.ts';
import { bankAccountBalanceHandlers } from './bank-account-balances.ts';
import { bankAccountHandlers } from './bank-accounts.ts';
import { batchCurrencyHandlers } from './batch-currency.ts';
import { bulkRequestHandlers } from './bulk-requests.ts';
import { apiKeyHandlers } from './api-key-operations.ts';
import { confirmationHandlers } from './confirmations.ts';
import type { ServiceContext } from './context.ts';
import { coverageHandlers } from './coverage.ts';
import { evidenceHandlers } from './evidence.ts';
import type { Handlers } from './handler.ts';
import { exceptionHandlers } from './exceptions.ts';
import { importBatchHandlers } from './import-batches.ts';
import { importRecipeHandlers } from './import-recipes.ts';
import { importRowHandlers } from './import-rows.ts';
import { importHandlers } from './imports.ts';
import { localPortHandlers } from './local-port.ts';
import { matchHandlers } from './matches.ts';
import { proposalHandlers } from './proposals.ts';
import { propertyDefinitionHandlers } from './property-definitions.ts';
import { overdueHandlers } from './overdue.ts';
import { reconciliationHandlers } from './reconciliations.ts';
import { recordHandlers } from './records.ts';
import { rulePreviewHandlers } from './rule-preview.ts';
import { backtestHandlers } from './backtests.ts';
import { ruleHandlers } from './rules.ts';
import { runHandlers } from './runs.ts';
import { separationHandlers } from './separations.ts';
import { storyHandlers } from './stories.ts';
import { streamOperationHandlers } from './stream-operations.ts';
import { streamHandlers } from './streams.ts';
import { sumSuggestionHandlers } from './sum-suggestions.ts';
import { wouldBeMatchHandlers } from './would-be-matches.ts';

/** Every operation of the contract with its handler. */
export function createHandlers(context: ServiceContext): Handlers {
  return answeredOnce(context, {
    ...streamHandlers(context),
    ...streamOperationHandlers(context),
    ...recordHandlers(context),
    ...bulkRequestHandlers(context),
    ...overdueHandlers(context),
    ...exceptionHandlers(context),
    ...importBatchHandlers(context),
    ...batchCurrencyHandlers(context),
    ...coverageHandlers(context),
    ...reconciliationHandlers(context),
    ...ruleHandlers(context),
    ...rulePreviewHandlers(context),
    ...backtestHandlers(context),
    ...proposalHandlers(context),
    ...runHandlers(context),
    ...wouldBeMatchHandlers(context),
    ...matchHandlers(context),
    ...confirmationHandlers(context),
    ...evidenceHandlers(context),
    ...separationHandlers(context),
    ...sumSuggestionHandlers(context),
    ...importRecipeHandlers(context),
    ...importRowHandlers(context),
    ...importHandlers(context),
    ...apiKeyHandlers(context),
    ...localPortHandlers(context),
    ...backupHandlers(context.keeper),
    ...bankAccountHandlers(context),
    ...bankAccountBalanceHandlers(context),
    ...storyHandlers(context),
    ...propertyDefinitionHandlers(context),
  });
}
