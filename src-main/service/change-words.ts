type Wording = readonly [one: string, many: string, done: string];

/** Past-tense descriptions of the audited changes, by the action of the audit entry. */
const CHANGE_WORDS: Readonly<Record<string, Wording>> = {
  'record.created': ['line', 'lines', 'added by hand'],
  'record.updated': ['line', 'lines', 'edited'],
  'record.deleted': ['line', 'lines', 'deleted'],
  'record.marked_overdue': ['line', 'lines', 'marked as overdue'],
  'record.cleared_overdue': ['line', 'lines', 'no longer marked as overdue'],
  'record.split': ['line', 'lines', 'split in two'],
  'bulk_request.accepted': ['batch of lines', 'batches of lines', 'sent by a program'],
  'bulk_request.cancelled': ['batch of lines from a program', 'batches of lines from a program', 'cancelled'],
  'bulk_request.failed': ['batch of lines from a program', 'batches of lines from a program', 'broken off'],
  'import_batch.created': ['file', 'files', 'imported'],
  'import_batch.undone': ['import', 'imports', 'undone'],
  'import_batch.restated': ['imported file', 'imported files', 'given other balances'],
  'import_batch.currency_corrected': ['imported file', 'imported files', 'given another currency'],
  'import_batch.lines_added': ['imported file', 'imported files', 'given further lines'],
  'import_batch.forgotten': ['imported file', 'imported files', 'forgotten'],
  'import_recipe.created': ['import profile', 'import profiles', 'kept'],
  'import_recipe.replaced': ['import profile', 'import profiles', 'replaced'],
  'import_recipe.renamed': ['import profile', 'import profiles', 'renamed'],
  'import_recipe.restored': ['import profile', 'import profiles', 'brought back'],
  'import_recipe.deleted': ['import profile', 'import profiles', 'deleted'],
  'stream.created': ['account', 'accounts', 'added'],
  'stream.updated': ['account', 'accounts', 'edited'],
  'stream.deleted': ['account', 'accounts', 'deleted with all lines'],
  'stream.reset': ['account', 'accounts', 'emptied'],
  'property_definition.created': ['property of lines', 'properties of lines', 'added'],
  'property_definition.updated': ['property of lines', 'properties of lines', 'edited'],
  'property_definition.deleted': ['property of lines', 'properties of lines', 'deleted'],
  'bank_account.created': ['bank account', 'bank accounts', 'added'],
  'bank_account.updated': ['bank account', 'bank accounts', 'edited'],
  'bank_account.deleted': ['bank account', 'bank accounts', 'deleted'],
  'bank_account.restored': ['bank account', 'bank accounts', 'brought back'],
  'bank_account_balances.put': ['balance of a bank account', 'balances of bank accounts', 'entered'],
  'bank_account_balances.deleted': ['balance of a bank account', 'balances of bank accounts', 'deleted'],
  'reconciliation.created': ['reconciliation', 'reconciliations', 'added'],
  'reconciliation.updated': ['reconciliation', 'reconciliations', 'edited'],
  'reconciliation.deleted': ['reconciliation', 'reconciliations', 'deleted'],
  'rule.created': ['rule', 'rules', 'added'],
  'rule.updated': ['rule', 'rules', 'edited'],
  'rule.deleted': ['rule', 'rules', 'deleted'],
  'rule.restored': ['rule', 'rules', 'brought back'],
  'rule.activated': ['proposed rule', 'proposed rules', 'accepted'],
  'rule.dismissed': ['proposed rule', 'proposed rules', 'dismissed'],
  'rules.reordered': ['list of rules', 'lists of rules', 'put in another order'],
  'rules.replaced': ['list of rules', 'lists of rules', 'replaced'],
  'rules.preset_taken': ['list of rules', 'lists of rules', 'filled with ready-made rules'],
  'rules.proposed': ['search for rules', 'searches for rules', 'made'],
  'run.completed': ['run of the rules', 'runs of the rules', 'made'],
  'run.undone': ['run of the rules', 'runs of the rules', 'taken back'],
  'match.created': ['match', 'matches', 'made by hand'],
  'match.confirmed': ['match', 'matches', 'confirmed'],
  'match.removed': ['match', 'matches', 'taken apart'],
  'match.rejected': ['proposed match', 'proposed matches', 'rejected'],
  'match.restored': ['match', 'matches', 'brought back'],
  'match.undone': ['decision about a match', 'decisions about matches', 'undone'],
  'match.kept': ['match', 'matches', 'looked at and kept'],
  'matches.confirmed_in_bulk': ['group of matches', 'groups of matches', 'confirmed together'],
  'matches.unconfirmed_in_bulk': ['group of matches', 'groups of matches', 'no longer confirmed'],
  'matches.rejected_in_bulk': ['group of proposed matches', 'groups of proposed matches', 'rejected together'],
  'matches.restored_in_bulk': ['group of proposed matches', 'groups of proposed matches', 'brought back'],
  'matches.dissolved': ['group of matches', 'groups of matches', 'dissolved because their lines were deleted'],
  'separation.cleared': ['separation', 'separations', 'lifted, so that the lines may match again'],
  'separation.restored': ['separation', 'separations', 'put back, so that the lines do not match'],
  'exception.created': ['exception', 'exceptions', 'opened'],
  'exception.updated': ['exception', 'exceptions', 'edited'],
  'exception.deleted': ['exception', 'exceptions', 'deleted'],
  'open_items.noted': ['note on many open items', 'notes on many open items', 'written'],
  'open_item.noted': ['note on an open item', 'notes on open items', 'written'],
  'period.created': ['period', 'periods', 'added'],
  'period.updated': ['period', 'periods', 'edited'],
  'period.deleted': ['period', 'periods', 'deleted'],
  'period.prepared': ['period', 'periods', 'signed by the preparer'],
  'period.reviewed': ['period', 'periods', 'signed by the reviewer'],
  'period.closed': ['period', 'periods', 'closed'],
  'period.reopened': ['period', 'periods', 'reopened'],
  'story.created': ['story', 'stories', 'added'],
  'story.updated': ['story', 'stories', 'edited'],
  'story.deleted': ['story', 'stories', 'deleted'],
  'api_key.issued': ['key of the local address', 'keys of the local address', 'made'],
  'api_key.revoked': ['key of the local address', 'keys of the local address', 'revoked'],
  'local_port.updated': ['setting of the local address', 'settings of the local address', 'changed'],
  'view.created': ['view', 'views', 'kept'],
  'view.updated': ['view', 'views', 'edited'],
  'view.deleted': ['view', 'views', 'deleted'],
  'view.restored': ['view', 'views', 'brought back'],
  'notation.updated': ['setting of dates and numbers', 'settings of dates and numbers', 'changed'],
  'book.updated': ['setting of the book', 'settings of the book', 'changed'],
  'book.accepted': ['state of the book', 'states of the book', 'accepted as it was found'],
  'book.started_anew': ['book', 'books', 'begun anew'],
  'book.restored': ['backup', 'backups', 'restored'],
};

/**
 * Words for audit actions that undoing a sync never takes from a person: the records of sync itself, and entries that accompany another entry of the
 * same change.
 */
const ACCOMPANYING: Readonly<Record<string, string>> = {
  'sync_remote.added': 'Connection added',
  'sync_remote.updated': 'Connection edited',
  'sync_remote.answered': 'Question of a connection answered',
  'sync_remote.removed': 'Connection removed',
  'sync.undone': 'Sync undone',
  'book.backed_up': 'Backup made',
  'run.started': 'Run of the rules started',
  'run.taken_over': 'Run of the rules taken over from an earlier one',
  'import_batch.cleared': 'Lines of an undone import cleared away',
  'stream.cleared': 'Lines of an account cleared away',
};

/** All actions that have words. */
export const WORDED_ACTIONS: readonly string[] = [...Object.keys(CHANGE_WORDS), ...Object.keys(ACCOMPANYING)];

/** Whether an action is a change of its own, which undoing a sync would take from whoever made it. */
export function isOwnChange(action: string): boolean {
  return ACCOMPANYING[action] === undefined;
}

/** Returns a sentence without its full stop, such as `3 lines were edited`. */
export function changeWords(action: string, count: number): string {
  const [one, many, done] = CHANGE_WORDS[action] ?? ['other change', 'other changes', 'made'];
  return count === 1 ? `1 ${one} was ${done}` : `${count} ${many} were ${done}`;
}

/** Returns what one entry of the log says was done, such as `Line edited`. */
export function entryWords(action: string): string {
  const [one, , done] = CHANGE_WORDS[action] ?? ['other change', '', 'made'];
  return ACCOMPANYING[action] ?? `${one.charAt(0).toUpperCase()}${one.slice(1)} ${done}`;
}
