import { answeredOnce } from './core/idempotency.ts';
import { backupHandlers } from './settings/backups.ts';
import { bankAccountBalanceHandlers } from './streams/bank-account-balances.ts';
import { bankAccountHandlers } from './streams/bank-accounts.ts';
import { batchCurrencyHandlers } from './imports/batch-currency.ts';
import { bulkRequestHandlers } from './bulk/bulk-requests.ts';
import { apiKeyHandlers } from './settings/api-key-operations.ts';
import { confirmationHandlers } from './matches/confirmations.ts';
import type { ServiceContext } from './core/context.ts';
import { coverageHandlers } from './streams/coverage.ts';
import { evidenceHandlers } from './rules/evidence.ts';
import type { Handlers } from './core/handler.ts';
import { exceptionHandlers } from './records/exceptions.ts';
import { homeHandlers } from './home/home.ts';
import { importBatchHandlers } from './imports/import-batches.ts';
import { importedFileHandlers } from './imports/imported-files.ts';
import { importRecipeHandlers } from './imports/import-recipes.ts';
import { importRowHandlers } from './imports/import-rows.ts';
import { importHandlers } from './imports/imports.ts';
import { instanceHandlers } from './settings/instance.ts';
import { localPortHandlers } from './settings/local-port.ts';
import { matchHandlers } from './matches/matches.ts';
import { openItemHandlers } from './periods/open-items.ts';
import { periodHandlers } from './periods/periods.ts';
import { reportHandlers } from './periods/reports.ts';
import { signOffHandlers } from './periods/sign-offs.ts';
import { proposalHandlers } from './reconciliations/proposals.ts';
import { propertyDefinitionHandlers } from './streams/property-definitions.ts';
import { overdueHandlers } from './records/overdue.ts';
import { reconciliationHandlers } from './reconciliations/reconciliations.ts';
import { recordHandlers } from './records/records.ts';
import { rulePreviewHandlers } from './rules/rule-preview.ts';
import { backtestHandlers } from './rules/backtests.ts';
import { ruleHandlers } from './rules/rules.ts';
import { runHandlers } from './reconciliations/runs.ts';
import { separationHandlers } from './matches/separations.ts';
import { storyHandlers } from './reconciliations/stories.ts';
import { streamOperationHandlers } from './streams/stream-operations.ts';
import { streamHandlers } from './streams/streams.ts';
import { sumSuggestionHandlers } from './matches/sum-suggestions.ts';
import { syncConflictHandlers } from './sync/sync-conflicts.ts';
import { syncUnsureHandlers } from './sync/sync-unsure.ts';
import { syncUndoHandlers } from './sync/sync-undo.ts';
import { syncHistoryHandlers } from './sync/sync-history.ts';
import { syncWhyHandlers } from './sync/sync-why.ts';
import { syncRemoteHandlers } from './sync/sync-remotes.ts';
import { syncHandlers } from './sync/syncs.ts';
import { wouldBeMatchHandlers } from './matches/would-be-matches.ts';

/** Every operation of the contract with its handler. */
export function createHandlers(context: ServiceContext): Handlers {
  const batches = importBatchHandlers(context);
  return answeredOnce(context, {
    ...streamHandlers(context),
    ...streamOperationHandlers(context),
    ...recordHandlers(context),
    ...bulkRequestHandlers(context),
    ...overdueHandlers(context),
    ...exceptionHandlers(context),
    ...batches,
    ...importedFileHandlers(context, batches['import_batches.remove']),
    ...batchCurrencyHandlers(context),
    ...coverageHandlers(context),
    ...reconciliationHandlers(context),
    ...homeHandlers(context),
    ...ruleHandlers(context),
    ...rulePreviewHandlers(context),
    ...backtestHandlers(context),
    ...proposalHandlers(context),
    ...runHandlers(context),
    ...periodHandlers(context),
    ...signOffHandlers(context),
    ...reportHandlers(context),
    ...openItemHandlers(context),
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
    ...instanceHandlers(context),
    ...backupHandlers(context.keeper),
    ...syncRemoteHandlers(context),
    ...syncHandlers(context),
    ...syncConflictHandlers(context),
    ...syncUnsureHandlers(context),
    ...syncHistoryHandlers(context),
    ...syncUndoHandlers(context),
    ...syncWhyHandlers(context),
    ...bankAccountHandlers(context),
    ...bankAccountBalanceHandlers(context),
    ...storyHandlers(context),
    ...propertyDefinitionHandlers(context),
  });
}
