import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './free-port.ts';

/** Folders of PostgreSQL's programs, by version, as Debian has them. */
const PROGRAMS = '/usr/lib/postgresql';

function programs(): string | null {
  if (!existsSync(PROGRAMS)) return null;
  const found = readdirSync(PROGRAMS)
    .map((version) => path.join(PROGRAMS, version, 'bin'))
    .filter((folder) => existsSync(path.join(folder, 'initdb')));
  return found.at(-1) ?? null;
}

/** The server refuses to run as root, and runs as its own user there. Null if there is no such user. */
function account(): { readonly uid?: number; readonly gid?: number } | null {
  if (process.getuid?.() !== 0) return {};
  const id = (which: string): number => Number(spawnSync('id', [which, 'postgres'], { encoding: 'utf8' }).stdout);
  const [uid, gid] = [id('-u'), id('-g')];
  return uid > 0 && gid > 0 ? { uid, gid } : null;
}

/** Whether a PostgreSQL server can be started on this machine. */
export const HAS_POSTGRES = programs() !== null && account() !== null;

export interface PostgresServer {
  /** The address of a database for a user, `owner` by default. */
  readonly url: (user?: string, password?: string, database?: string) => string;
  readonly run: (sql: string) => void;
  readonly stop: () => void;
}

const PASSWORD = 'of-the-owner';

/** Starts a server of its own with an empty database, whose users need passwords. */
export async function startPostgres(): Promise<PostgresServer> {
  const bin = programs() ?? '';
  const user = account() ?? {};
  const folder = mkdtempSync(path.join(tmpdir(), 'tieout-postgres-'));
  chmodSync(tmpdir(), 0o711);
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const port = await freePort();
  const data = path.join(folder, 'data');
  const env = { ...process.env, PGPASSWORD: PASSWORD, LC_ALL: 'C.UTF-8' };
  const program = (name: string, ...args: readonly string[]): void =>
    void execFileSync(path.join(bin, name), args, { ...user, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const secret = path.join(folder, 'password');
  writeFileSync(secret, `${PASSWORD}\n`, { mode: 0o644 });
  program('initdb', '-D', data, '-U', 'owner', '-E', 'UTF8', '-A', 'scram-sha-256', `--pwfile=${secret}`, '-N');
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c full_page_writes=off -c max_connections=20`;
  program('pg_ctl', '-D', data, '-w', '-l', path.join(folder, 'log'), '-o', settings, 'start');
  return {
    url: (name = 'owner', password = PASSWORD, database = 'postgres') => `postgres://${name}:${password}@127.0.0.1:${port}/${database}`,
    run: (sql) =>
      program('psql', '-h', '127.0.0.1', '-p', String(port), '-U', 'owner', '-d', 'postgres', '-v', 'ON_ERROR_STOP=1', '-c', sql),
    stop: () => {
      program('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
