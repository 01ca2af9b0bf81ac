import type { ErrorCode } from './errors.ts';

/**
 * Texts for the documentation: when an operation answers with a code, and what the caller can do about it. They are separate from the table of codes,
 * because the window shows neither.
 */
interface ErrorWords {
  readonly when: string;
  readonly remedy: string;
}

const FIX_FIELDS = 'Read `errors`: each names the field (`path`), its fault (`code`) and the limit (`message`).';
const POLL = 'Wait until it has ended, then ask again.';

export const ERROR_WORDS: Readonly<Record<ErrorCode, ErrorWords>> = {
  malformed_json: { when: 'The body cannot be parsed.', remedy: 'Send valid JSON in UTF-8.' },
  malformed_header: {
    when: 'The headers, or one of them, cannot be read: malformed, too large or of the wrong length.',
    remedy: 'Send the header in the form that the sentence names.',
  },
  invalid_on_conflict: {
    when: '`on_conflict` of a bulk request is neither skip nor error.',
    remedy: 'Send skip or error, or leave it out.',
  },
  precondition_failed: {
    when: 'The request has a header If-Match, and what the address answers now has another ETag.',
    remedy: 'Read the address again, look at what changed, and send the request with the new ETag.',
  },
  unauthorized: {
    when: 'X-API-KEY is missing, unknown or revoked; all three are answered alike.',
    remedy: 'Send a key that Tieout issued.',
  },
  permission_denied: {
    when: 'The key may only read and the operation changes something, or the Host is a foreign name.',
    remedy: 'Use a key with the permission read_write, at the address that Tieout printed.',
  },
  origin_not_allowed: { when: 'A web page asks whose origin is not on the list.', remedy: 'Add the origin in the settings.' },
  not_found: {
    when: 'Nothing is at the address, or it belongs to another environment.',
    remedy: 'Look at the id or key in the address, and at the environment of the key.',
  },
  method_not_allowed: { when: 'The address exists, though not for this method.', remedy: 'Use a method of the header Allow.' },
  request_timeout: { when: 'The request did not arrive within its time.', remedy: 'Send it again, whole.' },
  conflict: {
    when: 'The thing is in a state in which this cannot be done.',
    remedy: 'Read the thing again; the sentence names its state.',
  },
  changed_since: {
    when: 'An undo, or doing again, would write over what somebody else has written since.',
    remedy: 'Read the sentence: it says what is there now. Then send if_changed with one of the codes in `errors`.',
  },
  record_reconciled: {
    when: 'The record is in a match, so that it can be neither changed, deleted nor overdue.',
    remedy: 'Delete the match first.',
  },
  async_required: { when: 'A stream has more than 10,000 records.', remedy: 'Ask with async=true and poll the operation.' },
  stream_in_use: {
    when: 'A reconciliation uses the stream.',
    remedy: 'Take the stream out of the reconciliation, or delete the reconciliation.',
  },
  bank_account_in_use: {
    when: 'A stream is linked to the bank account.',
    remedy: 'Link the stream to another account first, or say by streams_to where it goes.',
  },
  stream_has_matches: {
    when: 'A stream shall leave a reconciliation in which its records are matched.',
    remedy: 'Delete those matches first.',
  },
  rule_not_proposed: {
    when: 'A rule is activated or dismissed that is not proposed.',
    remedy: 'Change or delete the active rule instead.',
  },
  run_in_progress: { when: 'A run of the reconciliation is pending or running.', remedy: POLL },
  reserved_key: { when: 'The key belongs to a stream that Tieout keeps itself.', remedy: 'Use another key.' },
  period_closed: {
    when: 'What shall be changed belongs to a closed period: records up to its last day, matches of such records alone, its balances and sides.',
    remedy: 'Reopen the period, with a reason; the sentence names period and reconciliation.',
  },
  period_overlaps: { when: 'A period shares days with another one of its reconciliation.', remedy: 'Choose days that follow it.' },
  period_gap: {
    when: 'Days would lie between two periods of a reconciliation.',
    remedy: 'Choose days right after the last period, or right before the first one.',
  },
  period_stale: { when: 'Something beneath the period changed since it was prepared.', remedy: 'Look at `changes`, and prepare it again.' },
  reviewer_is_preparer: { when: 'The preparer of a period shall review it.', remedy: 'Somebody else reviews it.' },
  unexplained_difference: {
    when: 'A period shall be closed while a step of its close is not done: a difference is unexplained, a balance is not known, a file is missing, a proposal is not decided or an open item is not explained.',
    remedy: 'Do what `undone` names, or send unexplained_reason.',
  },
  sync_in_progress: { when: 'A sync of the book is under way.', remedy: 'Wait for its end, or cancel it.' },
  book_read_only: {
    when: 'The book is damaged, or its disk can only be read: it can be looked at, and nothing in it can be changed.',
    remedy: 'Restore a backup, in the window or with tieout restore.',
  },
  book_damaged: {
    when: 'What was asked for stands in a part of the file that is damaged.',
    remedy: 'Restore a backup, in the window or with tieout restore.',
  },
  database_unusable: {
    when: 'A database does not answer, does not let the user in, or cannot do what is asked.',
    remedy: 'The sentence says what is wrong; nothing was changed, there or here.',
  },
  remote_unusable: {
    when: 'The remote does not answer, does not take the key, or is no reconciliation service.',
    remedy: 'The sentence says what is wrong; nothing was changed.',
  },
  no_printer: {
    when: 'A report is wanted as PDF, and nothing on the machine of the book printed it.',
    remedy: 'Ask for it as html and print that from any browser; or install Chrome, Chromium or Edge there.',
  },
  book_unavailable: {
    when: 'A backup is being restored, or there is no book that can be opened.',
    remedy: 'Ask again in a while; the sentence tells where that does not help.',
  },
  restore_asks: {
    when: 'The backup is of another book than the one that is here, or does not have signatures of it: `errors` names each, by the field that allows it.',
    remedy: 'Look at what `errors` names; to restore all the same, send `another_book` and the number of signatures as `lose_sign_offs`.',
  },
  backup_unsound: {
    when: 'The backup to be restored is damaged, changed, or of another program.',
    remedy: 'Restore another one.',
  },
  backup_failed: {
    when: 'A backup could not be written, or what was written is not what the book holds.',
    remedy: 'Follow the sentence; the book is as it was.',
  },
  port_in_use: { when: 'Another program listens on the port.', remedy: 'Choose another port.' },
  payload_too_large: { when: 'The body is larger than 32 MiB.', remedy: 'Send it in parts.' },
  unsupported_media_type: { when: 'A body is not declared as JSON.', remedy: 'Send Content-Type: application/json.' },
  validation_failed: { when: 'A field is missing, of the wrong type or beyond a limit.', remedy: FIX_FIELDS },
  unknown_field: { when: 'A field or query parameter is not one of the operation.', remedy: 'Leave it out, or correct its name.' },
  read_only_field: { when: 'A field is sent that Tieout alone sets.', remedy: 'Leave it out.' },
  key_taken: { when: 'Something else has this key or external_id already.', remedy: 'Use another one, or change what is there.' },
  unknown_reference: { when: 'An id or key in the body or the query names nothing of this environment.', remedy: FIX_FIELDS },
  records_not_matchable: {
    when: 'Records are not found, not of the streams of the reconciliation, or matched in it already.',
    remedy: 'Read `errors`: each such record is named.',
  },
  mixed_currencies: { when: 'A match by hand has records of more than one currency.', remedy: 'Match records of one currency.' },
  stream_not_in_reconciliation: {
    when: 'The stream is on neither side of the reconciliation.',
    remedy: 'Name a reconciliation that has the stream.',
  },
  exception_open: {
    when: 'An exception of the stream and the reconciliation is open or investigated.',
    remedy: 'Use that one, or close it first.',
  },
  invalid_rule: { when: 'A rule has the right form and still cannot mean anything.', remedy: FIX_FIELDS },
  too_many_candidates: {
    when: 'A rule would compare more pairs than a preview or back-test takes.',
    remedy: 'Add a condition that leaves fewer pairs, such as an equal amount.',
  },
  preview_too_long: {
    when: 'A preview or back-test did not end in its time.',
    remedy: 'Narrow the rule or the period, or start a dry run.',
  },
  invalid_story: { when: 'The links of a story are no chain.', remedy: FIX_FIELDS },
  total_out_of_range: { when: 'A total is beyond 2^53-1, which JSON numbers cannot hold.', remedy: 'Ask for less at a time.' },
  idempotency_mismatch: { when: 'The Idempotency-Key was used with another body.', remedy: 'Use a new key for a new request.' },
  port_not_usable: { when: 'The system does not let programs listen on the port.', remedy: 'Choose a port from 1024 on.' },
  address_not_here: { when: 'This machine does not have the address.', remedy: 'Choose one of its own addresses.' },
  sentence_missing: {
    when: 'Other machines shall be let in without the sentence that allows it.',
    remedy: 'Send the sentence, word by word.',
  },
  file_unreadable: { when: 'The chosen file cannot be read.', remedy: 'Choose it again.' },
  rate_limited: { when: 'The key sent more requests than its limit.', remedy: 'Wait as many seconds as Retry-After says.' },
  preview_unavailable: { when: 'Too many previews and back-tests wait already, or it was stopped.', remedy: 'Ask again in a moment.' },
  internal_error: {
    when: 'Tieout failed, which is a bug.',
    remedy: 'Nothing was changed by halves. Look into the log under `request_id`.',
  },
  storage_full: { when: 'The disk is full.', remedy: 'Nothing was changed. Free some space and ask again.' },
};
