import type { WordKey } from '../../src-shared/words/catalogue.ts';
import { phrase } from '../../src-shared/words/say.ts';

/** The keys of what one entry says, such as `Line edited`, and of what several together say, such as `3 lines were edited`. */
type Wording = readonly [entry: Extract<WordKey, `changes.entry.${string}`>, counted: Extract<WordKey, `changes.counted.${string}`>];

/** What was done in each audited change, by the action of the audit entry. */
const CHANGE_WORDS: Readonly<Record<string, Wording>> = {
  'record.created': ['changes.entry.recordCreated', 'changes.counted.recordCreated'],
  'record.updated': ['changes.entry.recordUpdated', 'changes.counted.recordUpdated'],
  'record.deleted': ['changes.entry.recordDeleted', 'changes.counted.recordDeleted'],
  'record.marked_overdue': ['changes.entry.recordMarkedOverdue', 'changes.counted.recordMarkedOverdue'],
  'record.cleared_overdue': ['changes.entry.recordClearedOverdue', 'changes.counted.recordClearedOverdue'],
  'record.split': ['changes.entry.recordSplit', 'changes.counted.recordSplit'],
  'bulk_request.accepted': ['changes.entry.bulkRequestAccepted', 'changes.counted.bulkRequestAccepted'],
  'bulk_request.cancelled': ['changes.entry.bulkRequestCancelled', 'changes.counted.bulkRequestCancelled'],
  'bulk_request.failed': ['changes.entry.bulkRequestFailed', 'changes.counted.bulkRequestFailed'],
  'import_batch.created': ['changes.entry.importBatchCreated', 'changes.counted.importBatchCreated'],
  'import_batch.undone': ['changes.entry.importBatchUndone', 'changes.counted.importBatchUndone'],
  'import_batch.restated': ['changes.entry.importBatchRestated', 'changes.counted.importBatchRestated'],
  'import_batch.currency_corrected': ['changes.entry.importBatchCurrencyCorrected', 'changes.counted.importBatchCurrencyCorrected'],
  'import_batch.lines_added': ['changes.entry.importBatchLinesAdded', 'changes.counted.importBatchLinesAdded'],
  'import_batch.forgotten': ['changes.entry.importBatchForgotten', 'changes.counted.importBatchForgotten'],
  'import_recipe.created': ['changes.entry.importRecipeCreated', 'changes.counted.importRecipeCreated'],
  'import_recipe.replaced': ['changes.entry.importRecipeReplaced', 'changes.counted.importRecipeReplaced'],
  'import_recipe.renamed': ['changes.entry.importRecipeRenamed', 'changes.counted.importRecipeRenamed'],
  'import_recipe.restored': ['changes.entry.importRecipeRestored', 'changes.counted.importRecipeRestored'],
  'import_recipe.deleted': ['changes.entry.importRecipeDeleted', 'changes.counted.importRecipeDeleted'],
  'stream.created': ['changes.entry.streamCreated', 'changes.counted.streamCreated'],
  'stream.updated': ['changes.entry.streamUpdated', 'changes.counted.streamUpdated'],
  'stream.deleted': ['changes.entry.streamDeleted', 'changes.counted.streamDeleted'],
  'stream.reset': ['changes.entry.streamReset', 'changes.counted.streamReset'],
  'property_definition.created': ['changes.entry.propertyDefinitionCreated', 'changes.counted.propertyDefinitionCreated'],
  'property_definition.updated': ['changes.entry.propertyDefinitionUpdated', 'changes.counted.propertyDefinitionUpdated'],
  'property_definition.deleted': ['changes.entry.propertyDefinitionDeleted', 'changes.counted.propertyDefinitionDeleted'],
  'bank_account.created': ['changes.entry.bankAccountCreated', 'changes.counted.bankAccountCreated'],
  'bank_account.updated': ['changes.entry.bankAccountUpdated', 'changes.counted.bankAccountUpdated'],
  'bank_account.deleted': ['changes.entry.bankAccountDeleted', 'changes.counted.bankAccountDeleted'],
  'bank_account.restored': ['changes.entry.bankAccountRestored', 'changes.counted.bankAccountRestored'],
  'bank_account_balances.put': ['changes.entry.bankAccountBalancesPut', 'changes.counted.bankAccountBalancesPut'],
  'bank_account_balances.deleted': ['changes.entry.bankAccountBalancesDeleted', 'changes.counted.bankAccountBalancesDeleted'],
  'reconciliation.created': ['changes.entry.reconciliationCreated', 'changes.counted.reconciliationCreated'],
  'reconciliation.updated': ['changes.entry.reconciliationUpdated', 'changes.counted.reconciliationUpdated'],
  'reconciliation.deleted': ['changes.entry.reconciliationDeleted', 'changes.counted.reconciliationDeleted'],
  'rule.created': ['changes.entry.ruleCreated', 'changes.counted.ruleCreated'],
  'rule.updated': ['changes.entry.ruleUpdated', 'changes.counted.ruleUpdated'],
  'rule.deleted': ['changes.entry.ruleDeleted', 'changes.counted.ruleDeleted'],
  'rule.restored': ['changes.entry.ruleRestored', 'changes.counted.ruleRestored'],
  'rule.activated': ['changes.entry.ruleActivated', 'changes.counted.ruleActivated'],
  'rule.dismissed': ['changes.entry.ruleDismissed', 'changes.counted.ruleDismissed'],
  'rules.reordered': ['changes.entry.rulesReordered', 'changes.counted.rulesReordered'],
  'rules.replaced': ['changes.entry.rulesReplaced', 'changes.counted.rulesReplaced'],
  'rules.preset_taken': ['changes.entry.rulesPresetTaken', 'changes.counted.rulesPresetTaken'],
  'rules.proposed': ['changes.entry.rulesProposed', 'changes.counted.rulesProposed'],
  'run.completed': ['changes.entry.runCompleted', 'changes.counted.runCompleted'],
  'run.undone': ['changes.entry.runUndone', 'changes.counted.runUndone'],
  'match.created': ['changes.entry.matchCreated', 'changes.counted.matchCreated'],
  'match.confirmed': ['changes.entry.matchConfirmed', 'changes.counted.matchConfirmed'],
  'match.removed': ['changes.entry.matchRemoved', 'changes.counted.matchRemoved'],
  'match.rejected': ['changes.entry.matchRejected', 'changes.counted.matchRejected'],
  'match.restored': ['changes.entry.matchRestored', 'changes.counted.matchRestored'],
  'match.undone': ['changes.entry.matchUndone', 'changes.counted.matchUndone'],
  'match.kept': ['changes.entry.matchKept', 'changes.counted.matchKept'],
  'matches.confirmed_in_bulk': ['changes.entry.matchesConfirmedInBulk', 'changes.counted.matchesConfirmedInBulk'],
  'matches.unconfirmed_in_bulk': ['changes.entry.matchesUnconfirmedInBulk', 'changes.counted.matchesUnconfirmedInBulk'],
  'matches.rejected_in_bulk': ['changes.entry.matchesRejectedInBulk', 'changes.counted.matchesRejectedInBulk'],
  'matches.restored_in_bulk': ['changes.entry.matchesRestoredInBulk', 'changes.counted.matchesRestoredInBulk'],
  'matches.dissolved': ['changes.entry.matchesDissolved', 'changes.counted.matchesDissolved'],
  'separation.cleared': ['changes.entry.separationCleared', 'changes.counted.separationCleared'],
  'separation.restored': ['changes.entry.separationRestored', 'changes.counted.separationRestored'],
  'exception.created': ['changes.entry.exceptionCreated', 'changes.counted.exceptionCreated'],
  'exception.updated': ['changes.entry.exceptionUpdated', 'changes.counted.exceptionUpdated'],
  'exception.deleted': ['changes.entry.exceptionDeleted', 'changes.counted.exceptionDeleted'],
  'open_items.noted': ['changes.entry.openItemsNoted', 'changes.counted.openItemsNoted'],
  'open_item.noted': ['changes.entry.openItemNoted', 'changes.counted.openItemNoted'],
  'period.created': ['changes.entry.periodCreated', 'changes.counted.periodCreated'],
  'period.updated': ['changes.entry.periodUpdated', 'changes.counted.periodUpdated'],
  'period.deleted': ['changes.entry.periodDeleted', 'changes.counted.periodDeleted'],
  'period.prepared': ['changes.entry.periodPrepared', 'changes.counted.periodPrepared'],
  'period.reviewed': ['changes.entry.periodReviewed', 'changes.counted.periodReviewed'],
  'period.closed': ['changes.entry.periodClosed', 'changes.counted.periodClosed'],
  'period.reopened': ['changes.entry.periodReopened', 'changes.counted.periodReopened'],
  'story.created': ['changes.entry.storyCreated', 'changes.counted.storyCreated'],
  'story.updated': ['changes.entry.storyUpdated', 'changes.counted.storyUpdated'],
  'story.deleted': ['changes.entry.storyDeleted', 'changes.counted.storyDeleted'],
  'api_key.issued': ['changes.entry.apiKeyIssued', 'changes.counted.apiKeyIssued'],
  'api_key.revoked': ['changes.entry.apiKeyRevoked', 'changes.counted.apiKeyRevoked'],
  'local_port.updated': ['changes.entry.localPortUpdated', 'changes.counted.localPortUpdated'],
  'connection.created': ['changes.entry.connectionCreated', 'changes.counted.connectionCreated'],
  'connection.updated': ['changes.entry.connectionUpdated', 'changes.counted.connectionUpdated'],
  'connection.deleted': ['changes.entry.connectionDeleted', 'changes.counted.connectionDeleted'],
  'connection.restored': ['changes.entry.connectionRestored', 'changes.counted.connectionRestored'],
  'table_run.started': ['changes.entry.tableRunStarted', 'changes.counted.tableRunStarted'],
  'table_run.cancelled': ['changes.entry.tableRunCancelled', 'changes.counted.tableRunCancelled'],
  'view.created': ['changes.entry.viewCreated', 'changes.counted.viewCreated'],
  'view.updated': ['changes.entry.viewUpdated', 'changes.counted.viewUpdated'],
  'view.deleted': ['changes.entry.viewDeleted', 'changes.counted.viewDeleted'],
  'view.restored': ['changes.entry.viewRestored', 'changes.counted.viewRestored'],
  'notation.updated': ['changes.entry.notationUpdated', 'changes.counted.notationUpdated'],
  'book.updated': ['changes.entry.bookUpdated', 'changes.counted.bookUpdated'],
  'book.accepted': ['changes.entry.bookAccepted', 'changes.counted.bookAccepted'],
  'book.started_anew': ['changes.entry.bookStartedAnew', 'changes.counted.bookStartedAnew'],
  'book.moved': ['changes.entry.bookMoved', 'changes.counted.bookMoved'],
  'book.restored': ['changes.entry.bookRestored', 'changes.counted.bookRestored'],
};

const OTHER: Wording = ['changes.entry.other', 'changes.counted.other'];

/**
 * Words for audit actions that undoing a sync never takes from a person: the records of sync itself, and entries that accompany another entry of the
 * same change.
 */
const ACCOMPANYING: Readonly<Record<string, Wording[0]>> = {
  'sync_remote.added': 'changes.entry.syncRemoteAdded',
  'sync_remote.updated': 'changes.entry.syncRemoteUpdated',
  'sync_remote.answered': 'changes.entry.syncRemoteAnswered',
  'sync_remote.removed': 'changes.entry.syncRemoteRemoved',
  'sync.undone': 'changes.entry.syncUndone',
  'book.backed_up': 'changes.entry.bookBackedUp',
  'run.started': 'changes.entry.runStarted',
  'run.taken_over': 'changes.entry.runTakenOver',
  'import_batch.cleared': 'changes.entry.importBatchCleared',
  'stream.cleared': 'changes.entry.streamCleared',
};

/** All actions that have words. */
export const WORDED_ACTIONS: readonly string[] = [...Object.keys(CHANGE_WORDS), ...Object.keys(ACCOMPANYING)];

/** Whether an action is a change of its own, which undoing a sync would take from whoever made it. */
export function isOwnChange(action: string): boolean {
  return ACCOMPANYING[action] === undefined;
}

/** Returns a sentence without its full stop, such as `3 lines were edited`. */
export function changeWords(action: string, count: number): string {
  return phrase((CHANGE_WORDS[action] ?? OTHER)[1], { count });
}

/** Returns what one entry of the log says was done, such as `Line edited`. */
export function entryWords(action: string): string {
  return phrase(ACCOMPANYING[action] ?? (CHANGE_WORDS[action] ?? OTHER)[0]);
}
