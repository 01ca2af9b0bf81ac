import type { DatabaseEngine } from '../../src-shared/contract/databases/connections.ts';
import { openDuckdb } from './duckdb.ts';
import type { Engine } from './engine.ts';
import { openPostgres } from './postgres.ts';
import { openSpark } from './spark.ts';

/** Where lines are, and how they are reached. */
export interface Place {
  readonly engine: DatabaseEngine;
  /** A file of DuckDB, or empty for Parquet and CSV files alone; else the address of a server. */
  readonly address: string;
  readonly password: string | null;
  /** The name of the database that a run makes in Spark. */
  readonly room: string;
}

interface OpenOptions {
  readonly memoryMegabytes: number;
  readonly scratch?: string | undefined;
}

/** Megabytes of memory that DuckDB takes at most, unless a person says otherwise. */
export const MEMORY_MEGABYTES = 4_000;

/** Opens the engine of a place. */
export function openPlace({ engine, address, password, room }: Place, options: OpenOptions): Promise<Engine> {
  switch (engine) {
    case 'duckdb':
      return openDuckdb(address, options);
    case 'postgres':
      return openPostgres(address, password);
    case 'spark':
      return openSpark(address, room, password ?? undefined);
  }
}
