import type { Generated } from 'kysely';

/** Rows of sync as SQLite holds them; see migrations/first-book/sync.ts. */
export interface SyncTables {
  sync_remotes: {
    id: Generated<number>;
    environment_id: number;
    base_url: string;
    kind: 'specification' | 'live' | 'tieout';
    seed: string;
    created_at: number;
    last_synced_at: number | null;
  };
  sync_links: { remote_id: number; resource: string; local_id: number; remote_key: string; local_hash: string; remote_hash: string };
  sync_intents: {
    id: Generated<number>;
    remote_id: number;
    resource: string;
    local_id: number;
    idempotency_key: string;
    body_hash: string;
    sent_at: number;
  };
  sync_conflicts: {
    id: number;
    remote_id: number;
    kind: 'match' | 'rule' | 'name' | 'balance' | 'record' | 'closed_period';
    resource: string;
    local_id: number | null;
    remote_key: string | null;
    what: string;
    local: string;
    remote: string;
    /** JSON. */
    choices: string;
    choice: string | null;
    seen_at: number;
  };
  /** `result` is JSON. */
  sync_runs: { id: Generated<number>; remote_id: number; started_at: number; ended_at: number | null; result: string | null };
}
