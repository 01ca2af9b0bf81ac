import type { Generated } from 'kysely';

/** Rows of sync as SQLite holds them; see migrations/first-book/sync.ts. */
export interface SyncTables {
  sync_remotes: {
    id: Generated<number>;
    environment_id: number;
    name: string;
    base_url: string;
    kind: 'specification' | 'live' | 'tieout';
    seed: string;
    created_at: number;
    last_synced_at: number | null;
    every_minutes: Generated<number | null>;
    when_online: Generated<0 | 1>;
    /** JSON: the last comparison of both sides. */
    verified: Generated<string | null>;
    /** Null where the remote tells no identity, or was never synced with. */
    instance_id: Generated<string | null>;
    remote_environment: Generated<string | null>;
    /** How far its history had come when both sides agreed last. */
    agreed_entries: Generated<number | null>;
    agreed_head: Generated<string | null>;
    /** Which copy of this book synced with it last. */
    own_instance: Generated<string | null>;
    /** Empty but for a remote at the address of another one. */
    key_suffix: Generated<string>;
    /** JSON: what a sync stopped with, and what a person said of it. */
    question: Generated<string | null>;
    answer: Generated<string | null>;
  };
  sync_links: {
    remote_id: number;
    resource: string;
    local_id: number;
    remote_key: string;
    local_hash: string;
    remote_hash: string;
    agreed: string | null;
  };
  sync_intents: {
    id: Generated<number>;
    remote_id: number;
    resource: string;
    local_id: number;
    idempotency_key: string;
    body_hash: string;
    sent_at: number;
    /** In words, by which a person finds it. */
    sent_as: string;
    is_unsure: Generated<0 | 1>;
    /** `send_again`, or the id under which it is there. */
    choice: Generated<string | null>;
    decided_at: Generated<number | null>;
  };
  sync_conflicts: {
    id: number;
    remote_id: number;
    kind: 'match' | 'rule' | 'name' | 'balance' | 'record' | 'closed_period' | 'overlap';
    resource: string;
    local_id: number | null;
    remote_key: string | null;
    what: string;
    local: string;
    remote: string;
    /** JSON. */
    choices: string;
    choice: string | null;
    decided_at: number | null;
    /** JSON: both sides as they were seen. */
    detail: string;
    seen_at: number;
  };
  /** `result` and `verified` are JSON; `backup` is the name of the one made before. */
  sync_runs: {
    id: Generated<number>;
    remote_id: number;
    what: 'sync' | 'repair';
    started_by: 'by_hand' | 'schedule' | 'network' | 'command';
    started_at: number;
    ended_at: number | null;
    backup: string | null;
    result: string | null;
    verified: string | null;
    undone_at: Generated<number | null>;
  };
  /** What one sync moved: `count` lines from `place` on, as JSON. `counted` is what they count under. */
  sync_undone: {
    remote_id: number;
    resource: string;
    local_id: number | null;
    remote_key: string;
    remote_hash: string;
    what: 'made' | 'gone' | 'changed';
  };
  sync_moves: { run_id: number; way: 'sent' | 'received'; counted: string; place: number; count: number; lines: string };
  /** What one sync did not move, in the order of `place`. `resource` is the kind of the object, `counted` what it counts under. */
  sync_lines: {
    run_id: number;
    counted: string;
    place: number;
    act: 'stays' | 'refused' | 'unsure';
    resource: string;
    local_id: number | null;
    name: string;
    reason: string;
  };
}
