import { createHash } from 'node:crypto';
import { matchesThere } from './both-sides.ts';
import type { SyncContext } from './context.ts';
import { recordHash, setHash } from './hashes.ts';
import { localMatches } from './local-matches.ts';
import { localRecords } from './local-records.ts';
import { canonicalRecord } from './record-content.ts';
import type { Item, RecordContent, RecordItem } from './resources.ts';

interface Sums {
  readonly count: number;
  /** Signed minor units for records, the number of records for matches. A text if it exceeds a safe integer. */
  readonly sum: number | string;
  readonly hash: string;
}

/** Counts, sums and hashes objects independent of their order. Adds the hashes of objects up, so it keeps none. */
class Summing {
  #count = 0;
  #sum = 0n;
  #hash = 0n;

  add(hash: string, amount: number): void {
    this.#count += 1;
    this.#sum += BigInt(amount);
    const digest = createHash('sha256').update(hash).digest('hex');
    this.#hash = (this.#hash + BigInt(`0x${digest}`)) & ((1n << 256n) - 1n);
  }

  end(): Sums {
    const sum = Number(this.#sum);
    return {
      count: this.#count,
      sum: Number.isSafeInteger(sum) ? sum : this.#sum.toString(),
      hash: this.#hash.toString(16).padStart(64, '0'),
    };
  }
}

/** A stream or a reconciliation on both sides. */
export interface VerifiedRow {
  readonly resource: 'records' | 'matches';
  readonly name: string;
  readonly local: Sums;
  readonly remote: Sums;
  readonly equal: boolean;
  /** A stream's id here and key there, or the two ids of a reconciliation; null where a side does not have it. */
  readonly localId: number | null;
  readonly remoteKey: string | null;
}

type Difference = Pick<VerifiedRow, 'resource' | 'name' | 'local' | 'remote'>;

export interface Verified {
  readonly equal: boolean;
  readonly differences: readonly Difference[];
}

const EMPTY = new Summing().end();

export function verifyHash(content: RecordContent, { remote }: SyncContext): string {
  return recordHash(canonicalRecord(content), remote.dialect.recordFields);
}

/**
 * Returns the hash of a remote record. If a person identified it with a local line under another description, returns the local hash as long as
 * neither changed.
 */
export function hashThere({ key, content }: RecordItem, context: SyncContext): string {
  const hash = verifyHash(content, context);
  const link = context.links('records').ofRemote(key);
  return link !== undefined && link.remote_hash === hash && link.local_hash !== '' ? link.local_hash : hash;
}

function recordsHere(context: SyncContext, { id }: Item): Sums {
  const sums = new Summing();
  for (const page of localRecords(context.database, id)) {
    for (const { content } of page) sums.add(verifyHash(content, context), content.amount);
  }
  return sums.end();
}

async function recordsThere(context: SyncContext, key: string): Promise<Sums> {
  const sums = new Summing();
  const seen = new Set<string>();
  for await (const page of context.remote.records(key)) {
    context.signal.throwIfAborted();
    for (const record of page) {
      if (seen.has(record.key)) continue;
      seen.add(record.key);
      sums.add(hashThere(record, context), record.content.amount);
    }
  }
  return sums.end();
}

async function sumsHere(context: SyncContext, reconciliation: number): Promise<Sums> {
  const sums = new Summing();
  for (const { records, adjustment } of await localMatches(context, reconciliation)) {
    sums.add(setHash(records, adjustment !== null), records.length);
  }
  return sums.end();
}

async function sumsThere(context: SyncContext, reconciliation: string): Promise<Sums> {
  const sums = new Summing();
  for (const { hash, records, isStranded, key } of await matchesThere(context, reconciliation, [])) {
    sums.add(isStranded ? `stranded ${key}` : hash, records?.length ?? 0);
  }
  return sums.end();
}

/** Drops the links of matches in memory, so that the comparison reads the records of every match again. */
function forgetMatchLinks(context: SyncContext): void {
  const links = context.links('matches');
  for (const id of [...links.all()].map(({ local_id }) => local_id)) links.drop(id);
}

type Found = Omit<VerifiedRow, 'equal'>;

function compared(found: Found): VerifiedRow {
  const { local, remote } = found;
  return { ...found, equal: local.count === remote.count && local.sum === remote.sum && local.hash === remote.hash };
}

async function streamRows(context: SyncContext): Promise<VerifiedRow[]> {
  const streamsHere = new Map((await context.local.list('streams')).map((item) => [item.key, item]));
  const named = await context.remote.side.list('streams');
  const unnamed = await context.remote.unnamedStreams(named, context.links('streams').all());
  const streamsThere = new Set([...named.map(({ key }) => key), ...unnamed]);
  const rows: VerifiedRow[] = [];
  for (const name of new Set([...streamsHere.keys(), ...streamsThere])) {
    context.note(`comparing ${name}`);
    context.progress.at('records', name);
    const [here, isThere] = [streamsHere.get(name), streamsThere.has(name)];
    const local = here === undefined ? EMPTY : recordsHere(context, here);
    const remote = isThere ? await recordsThere(context, name) : EMPTY;
    rows.push(compared({ resource: 'records', name, local, remote, localId: here?.id ?? null, remoteKey: isThere ? name : null }));
  }
  return rows;
}

async function matchRows(context: SyncContext): Promise<VerifiedRow[]> {
  const links = context.links('reconciliations');
  const here = await context.local.list('reconciliations');
  const there = await context.remote.side.list('reconciliations');
  const met = new Set<string>();
  const rows: VerifiedRow[] = [];
  for (const { id, fields } of here) {
    const linked = links.ofLocal(id)?.remote_key;
    const key = linked !== undefined && there.some((one) => one.key === linked) ? linked : null;
    if (linked !== undefined) met.add(linked);
    const name = String(fields['name']);
    context.progress.at('matches', name);
    const remote = key === null ? EMPTY : await sumsThere(context, key);
    rows.push(compared({ resource: 'matches', name, local: await sumsHere(context, id), remote, localId: id, remoteKey: key }));
  }
  for (const { key, fields } of there.filter((one) => !met.has(one.key))) {
    const remote = await sumsThere(context, key);
    rows.push(compared({ resource: 'matches', name: String(fields['name']), local: EMPTY, remote, localId: null, remoteKey: key }));
  }
  return rows;
}

/** Compares both sides by counts, sums and hashes, for each stream and each reconciliation. */
export async function verifyRows(context: SyncContext): Promise<VerifiedRow[]> {
  forgetMatchLinks(context);
  return [...(await streamRows(context)), ...(await matchRows(context))];
}

export function verifiedOf(rows: readonly VerifiedRow[]): Verified {
  const differences = rows.filter(({ equal }) => !equal).map(({ resource, name, local, remote }) => ({ resource, name, local, remote }));
  return { equal: differences.length === 0, differences };
}
