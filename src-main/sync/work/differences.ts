import { matchesHere, matchesThere } from './both-sides.ts';
import { recordName } from './conflict-words.ts';
import type { SyncContext } from './context.ts';
import { localRecords } from './local-records.ts';
import { setName } from './match-set-name.ts';
import { hashThere, verifyHash, type VerifiedRow } from './verify.ts';

/** One object in which both sides differ. */
export interface LineDifference {
  readonly side: 'here' | 'there' | 'both';
  readonly localId: number | null;
  readonly remoteKey: string | null;
  readonly name: string;
}

interface Own {
  readonly id: number;
  readonly hash: string;
  readonly name: string;
}

async function recordDifferences(context: SyncContext, { localId, remoteKey }: VerifiedRow): Promise<LineDifference[]> {
  const links = context.links('records');
  const here = new Map<number, Own>();
  for (const page of localId === null ? [] : localRecords(context.database, localId)) {
    for (const { id, content } of page) here.set(id, { id, hash: verifyHash(content, context), name: recordName(content) });
  }
  const found: LineDifference[] = [];
  const seen = new Set<string>();
  for await (const page of remoteKey === null ? [] : context.remote.records(remoteKey)) {
    for (const item of page) {
      const { key, content } = item;
      if (seen.has(key)) continue;
      seen.add(key);
      const own = here.get(links.ofRemote(key)?.local_id ?? 0);
      const name = recordName(content);
      if (own === undefined) found.push({ side: 'there', localId: null, remoteKey: key, name });
      else if (own.hash !== hashThere(item, context)) found.push({ side: 'both', localId: own.id, remoteKey: key, name: own.name });
      if (own !== undefined) here.delete(own.id);
    }
  }
  const rest = [...here.values()].map(({ id, name }) => ({ side: 'here' as const, localId: id, remoteKey: null, name }));
  return [...found, ...rest];
}

async function matchDifferences(context: SyncContext, { localId, remoteKey, name }: VerifiedRow): Promise<LineDifference[]> {
  const here = localId === null ? [] : await matchesHere(context, localId);
  const there = remoteKey === null ? [] : await matchesThere(context, remoteKey, []);
  const hashesHere = new Set(here.map(({ hash }) => hash));
  const hashesThere = new Set(there.filter(({ isStranded }) => !isStranded).map(({ hash }) => hash));
  const named = (records: readonly number[] | null): string => setName(context, name, records ?? []);
  const onlyHere = here
    .filter(({ hash }) => !hashesThere.has(hash))
    .map(({ id, records }) => ({ side: 'here' as const, localId: id, remoteKey: null, name: named(records) }));
  const onlyThere = there
    .filter(({ hash, isStranded }) => isStranded || !hashesHere.has(hash))
    .map(({ key, records }) => ({ side: 'there' as const, localId: null, remoteKey: key, name: named(records) }));
  return [...onlyHere, ...onlyThere];
}

/** Returns the objects of a differing row that are on one side only, or differ. */
export function differencesOf(context: SyncContext, row: VerifiedRow): Promise<LineDifference[]> {
  return row.resource === 'records' ? recordDifferences(context, row) : matchDifferences(context, row);
}
