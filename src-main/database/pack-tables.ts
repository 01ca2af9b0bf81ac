import type { Generated } from 'kysely';

interface ColumnPackRow {
  id: Generated<number>;
  stream_id: number;
  first_id: number;
  last_id: number;
  ready: number;
  format: number;
  records: number;
  changes: number;
  reference_field: string | null;
  body: string;
  checksum: number;
}

/** The records of streams once more, as compressed columns. */
export interface PackTables {
  column_packs: ColumnPackRow;
  column_parts: { pack_id: number; name: string; chunk: number; checksum: number; body: Uint8Array };
  column_changes: { pack_id: number; record_id: number };
  column_state: { id: number; through: number; is_stale: number };
}
