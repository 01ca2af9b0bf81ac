import type { Row } from './database.ts';

export type RecordRow = Row<'records'>;

export type RecordWithStream = RecordRow & { readonly data_stream_key: string };

export type ReconciliationRow = Row<'reconciliations'>;

export type Side = 'a' | 'b';

/** A match without its members. */
export type MatchRow = Omit<Row<'matches'>, 'side_a_count' | 'a_record_id' | 'b_record_id' | 'members'>;
