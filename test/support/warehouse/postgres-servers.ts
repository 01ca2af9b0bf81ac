import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { sideColumns } from './tables.ts';
import { quoted } from '../../../src-main/warehouse/engine.ts';

const SERVERS = 3;

/**
 * Starts three servers that hold a part each of the tables `side_a` and `side_b`, and one that has the whole tables, partitioned over the three by `postgres_fdw`, as
 * Citus has them. What is written through it is on the three.
 */
export async function startPostgresServers(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const whole = await startPostgres();
  const parts: PostgresServer[] = [];
  for (let part = 0; part < SERVERS; part += 1) parts.push(await startPostgres());
  const tables = ['side_a', 'side_b'];
  const columns = sideColumns(quoted);
  whole.run('CREATE EXTENSION postgres_fdw');
  for (const table of tables) whole.run(`CREATE TABLE ${table} (${columns}) PARTITION BY HASH (id)`);
  for (const [part, server] of parts.entries()) {
    const { hostname, port, username, password } = new URL(server.url());
    whole.run(
      `CREATE SERVER part_${part} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '${hostname}', port '${port}', dbname 'postgres', async_capable 'true')`,
    );
    whole.run(`CREATE USER MAPPING FOR owner SERVER part_${part} OPTIONS (user '${username}', password '${password}')`);
    for (const table of tables) {
      server.run(`CREATE TABLE ${table} (${columns})`);
      whole.run(
        `CREATE FOREIGN TABLE ${table}_${part} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${SERVERS}, REMAINDER ${part}) SERVER part_${part} OPTIONS (table_name '${table}')`,
      );
    }
  }
  return {
    url: whole.url(),
    stop: () => {
      for (const server of [whole, ...parts]) server.stop();
    },
  };
}
