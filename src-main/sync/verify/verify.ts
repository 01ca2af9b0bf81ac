import type { SyncContext } from '../context.ts';
import { recordHash, setHash } from '../identity/hashes.ts';
import { localMatches } from '../outbox/local-matches.ts';
import { localRecords } from '../outbox/local-records.ts';
import { canonicalRecord } from '../outbox/record-content.ts';
import type { Item, RecordContent } from '../model/resources.ts';
import { matchesThere } from '../matches/both-sides.ts';
import { Summing, type Sums } from './sums.ts';

export interface Difference {
  readonly resource: 'records' | 'matches';
  readonly name: string;
  readonly local: Sums;
  readonly remote: Sums;
}

export interface Verified {
  readonly equal: boolean;
  readonly differences: readonly Difference[];
}

const EMPTY = new Summing().end();

function addRecord(sums: Summing, content: RecordContent, context: SyncContext): void {
  sums.add(recordHash(canonicalRecord(content), context.remote.dialect.recordFields), content.amount);
}

function recordsHere(context: SyncContext, { id }: Item): Sums {
  const sums = new Summing();
  for (const page of localRecords(context.database, id)) for (const { content } of page) addRecord(sums, content, context);
  return sums.end();
}

async function recordsThere(context: SyncContext, { key }: Item): Promise<Sums> {
  const sums = new Summing();
  const seen = new Set<string>();
  for await (const page of context.remote.records(key)) {
    for (const record of page) {
      if (seen.has(record.key)) continue;
      seen.add(record.key);
      addRecord(sums, record.content, context);
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
  const matchLinks = context.links('matches');
  // The sets are read anew: a link is what is to be proved.
  for (const { key } of [...matchLinks.all()].map(({ remote_key }) => ({ key: remote_key }))) {
    const link = matchLinks.ofRemote(key);
    if (link !== undefined) matchLinks.drop(link.local_id);
  }
  for (const { hash, records, isStranded, key } of await matchesThere(context, reconciliation, [])) {
    sums.add(isStranded ? `stranded ${key}` : hash, records?.length ?? 0);
  }
  return sums.end();
}

/** Both sides by counts, sums and hashes, stream by stream and reconciliation by reconciliation. */
export async function verifyBook(context: SyncContext): Promise<Verified> {
  const differences: Difference[] = [];
  const differ = (difference: Difference): void => {
    const { local, remote } = difference;
    if (local.count !== remote.count || local.sum !== remote.sum || local.hash !== remote.hash) differences.push(difference);
  };
  const streamsHere = new Map((await context.local.list('streams')).map((item) => [item.key, item]));
  const streamsThere = new Map((await context.remote.side.list('streams')).map((item) => [item.key, item]));
  for (const name of new Set([...streamsHere.keys(), ...streamsThere.keys()])) {
    context.note(`comparing ${name}`);
    const [here, there] = [streamsHere.get(name), streamsThere.get(name)];
    const local = here === undefined ? EMPTY : recordsHere(context, here);
    const remote = there === undefined ? EMPTY : await recordsThere(context, there);
    differ({ resource: 'records', name, local, remote });
  }
  const links = context.links('reconciliations');
  const here = await context.local.list('reconciliations');
  const there = await context.remote.side.list('reconciliations');
  const met = new Set<string>();
  for (const { id, fields } of here) {
    const key = links.ofLocal(id)?.remote_key;
    const remote = key !== undefined && there.some((one) => one.key === key) ? await sumsThere(context, key) : EMPTY;
    if (key !== undefined) met.add(key);
    differ({ resource: 'matches', name: String(fields['name']), local: await sumsHere(context, id), remote });
  }
  for (const { key, fields } of there.filter((one) => !met.has(one.key))) {
    differ({ resource: 'matches', name: String(fields['name']), local: EMPTY, remote: await sumsThere(context, key) });
  }
  return { equal: differences.length === 0, differences };
}
