import type { DatabaseLook, Failure, RuleBody, TablePlan, TableProposal, TableRun } from '../../../src-shared/contract/index.ts';
import type { DatabaseEngine } from '../../../src-shared/contract/databases/connections.ts';
import type { Mapping } from '../../../src-shared/contract/databases/mapping.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import type { EnvironmentName } from '../../service/handler.ts';

/** Where a database is, and what opens it. */
export interface DatabasePlace {
  readonly engine: DatabaseEngine;
  readonly address: string;
  readonly password: string | null;
}

export interface TwoTables {
  readonly a: string;
  readonly b: string;
}

/** What a run does, with its rules. */
export interface TableOrder {
  readonly name: string;
  readonly names: TwoTables;
  readonly mapping: Mapping;
  readonly convention: 'same' | 'opposite';
  readonly bodies: readonly RuleBody[];
}

export interface TableStart {
  readonly connectionId: number;
  readonly environment: EnvironmentName;
  readonly place: DatabasePlace;
  readonly order: TableOrder;
  /** The keys of the accounts that come home. */
  readonly accounts: TwoTables;
}

type Answered<T> = Promise<Result<T, Failure<'database_unusable'>>>;

/** The contract between the service and whatever reaches databases. `gone` is aborted when nobody waits for the answer. */
export interface TableLife {
  readonly look: (place: DatabasePlace, gone?: AbortSignal) => Answered<DatabaseLook>;
  readonly propose: (place: DatabasePlace, names: TwoTables, gone?: AbortSignal) => Answered<Record<'a' | 'b', TableProposal>>;
  readonly plan: (place: DatabasePlace, order: TableOrder, gone?: AbortSignal) => Answered<TablePlan>;
  /** Returns the keys that the accounts of two tables get, none of which is taken. */
  readonly accountsOf: (names: TwoTables, isTaken: (key: string) => boolean) => TwoTables;
  /** Returns null if a run of this connection is under way. */
  readonly start: (start: TableStart) => TableRun | null;
  readonly run: (connectionId: number) => TableRun | null;
  /** Returns null if no run of this connection is under way. */
  readonly cancel: (connectionId: number) => TableRun | null;
}
