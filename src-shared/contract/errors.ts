/** The codes of expected failures, with HTTP status and title. Codes are part of the contract. */
export const ERRORS = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  malformed_header: { status: 400, title: 'A header cannot be read' },
  invalid_on_conflict: { status: 400, title: 'on_conflict is not known' },
  unauthorized: { status: 401, title: 'The API key is missing or not valid' },
  permission_denied: { status: 403, title: 'The key lacks the permission' },
  origin_not_allowed: { status: 403, title: 'Pages of this origin are not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  request_timeout: { status: 408, title: 'The request did not arrive in time' },
  conflict: { status: 409, title: 'The state does not allow this' },
  changed_since: { status: 409, title: 'It was changed since' },
  record_reconciled: { status: 409, title: 'The record is reconciled' },
  async_required: { status: 409, title: 'Only an asynchronous operation can do this' },
  stream_in_use: { status: 409, title: 'The stream is in use' },
  bank_account_in_use: { status: 409, title: 'The bank account is in use' },
  stream_has_matches: { status: 409, title: 'The stream has matches' },
  rule_not_proposed: { status: 409, title: 'The rule is active already' },
  run_in_progress: { status: 409, title: 'A run is in progress' },
  reserved_key: { status: 409, title: 'The key is reserved' },
  period_closed: { status: 409, title: 'The period is closed' },
  period_overlaps: { status: 409, title: 'The period overlaps another one' },
  period_gap: { status: 409, title: 'The periods would have a gap' },
  period_stale: { status: 409, title: 'The period has changed since it was signed' },
  reviewer_is_preparer: { status: 409, title: 'The reviewer is the preparer' },
  unexplained_difference: { status: 409, title: 'A difference is unexplained' },
  sync_in_progress: { status: 409, title: 'A sync is under way' },
  book_read_only: { status: 409, title: 'The book can only be read' },
  restore_asks: { status: 409, title: 'The restore wants a word of a person' },
  port_in_use: { status: 409, title: 'The port is in use' },
  precondition_failed: { status: 412, title: 'The resource has changed' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  validation_failed: { status: 422, title: 'The input is not valid' },
  unknown_field: { status: 422, title: 'A field is not known' },
  read_only_field: { status: 422, title: 'A field is read-only' },
  key_taken: { status: 422, title: 'The key is taken' },
  unknown_reference: { status: 422, title: 'Something referred to does not exist' },
  records_not_matchable: { status: 422, title: 'Some records cannot be matched' },
  mixed_currencies: { status: 422, title: 'The records have more than one currency' },
  stream_not_in_reconciliation: { status: 422, title: 'The stream is not in the reconciliation' },
  exception_open: { status: 422, title: 'An exception is open already' },
  invalid_rule: { status: 422, title: 'The rule cannot mean anything' },
  too_many_candidates: { status: 422, title: 'The rule would compare too many pairs' },
  preview_too_long: { status: 422, title: 'The preview took too long' },
  invalid_story: { status: 422, title: 'The links are no chain' },
  total_out_of_range: { status: 422, title: 'A total is out of range' },
  idempotency_mismatch: { status: 422, title: 'The idempotency key was used with another body' },
  port_not_usable: { status: 422, title: 'The port may not be used' },
  address_not_here: { status: 422, title: 'This machine does not have the address' },
  sentence_missing: { status: 422, title: 'The sentence that allows other machines is missing' },
  file_unreadable: { status: 422, title: 'The file cannot be read' },
  backup_unsound: { status: 422, title: 'The backup is not sound' },
  rate_limited: { status: 429, title: 'Too many requests' },
  preview_unavailable: { status: 429, title: 'No preview can be made at the moment' },
  internal_error: { status: 500, title: 'Tieout failed' },
  book_damaged: { status: 500, title: 'The book is damaged' },
  backup_failed: { status: 500, title: 'The backup could not be made' },
  database_unusable: { status: 502, title: 'The database cannot be used' },
  remote_unusable: { status: 502, title: 'The remote cannot be used' },
  no_printer: { status: 503, title: 'Nothing here can print' },
  book_unavailable: { status: 503, title: 'The book is not open' },
  storage_full: { status: 507, title: 'The disk is full' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** A fault in the input. `path` is dotted, such as `filters.rules.0.key`; empty for the request itself. */
export interface FieldError {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** An expected failure. `message` is one sentence that says what was wrong, where, and what to do. */
export interface Failure<C extends ErrorCode = ErrorCode> {
  readonly code: C;
  readonly message: string;
  readonly errors?: readonly FieldError[];
}

/** Failures that dispatch and the transports raise by themselves; no operation declares them. */
export const COMMON_ERRORS = [
  'malformed_json',
  'malformed_header',
  'unauthorized',
  'permission_denied',
  'origin_not_allowed',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'precondition_failed',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'unknown_field',
  'read_only_field',
  'rate_limited',
  'internal_error',
  'storage_full',
  'book_read_only',
  'book_damaged',
  'book_unavailable',
] as const satisfies readonly ErrorCode[];
export type CommonErrorCode = (typeof COMMON_ERRORS)[number];
