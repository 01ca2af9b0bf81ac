import { ADJUSTMENTS_KEY } from '../../../src-shared/contract/streams/streams.ts';
import type { SyncContext } from './context.ts';
import { setHash } from './hashes.ts';
import { type LocalMatch, localMatches } from './local-matches.ts';
import type { RemoteMatch } from './remote.ts';
import type { DifferenceSaid } from './resources.ts';

export interface HereMatch extends LocalMatch {
  readonly hash: string;
}

export interface ThereMatch {
  readonly key: string;
  /** The local ids of the records; null if they need not be known. */
  readonly records: readonly number[] | null;
  /** The remote ids of the records without the adjustment; empty if they need not be known. */
  readonly members: readonly string[];
  readonly hash: string;
  readonly adjustment: string | null;
  readonly reason: DifferenceSaid | null;
  /** Whether the book lacks one of its records. */
  readonly isStranded: boolean;
}

/** The number of simultaneous requests. */
const AT_ONCE = 4;

export async function matchesHere(context: SyncContext, reconciliationId: number): Promise<HereMatch[]> {
  const matches = await localMatches(context, reconciliationId);
  return matches.map((match) => ({ ...match, hash: setHash(match.records, match.adjustment !== null) }));
}

async function withMembers(context: SyncContext, { key, adjustmentRecord, reason }: RemoteMatch): Promise<ThereMatch> {
  const links = context.links('records');
  const members = await context.remote.members(key);
  const isAdjustment = (member: { key: string; stream: string }): boolean =>
    member.stream === ADJUSTMENTS_KEY || member.key === adjustmentRecord;
  const adjustment = members.find(isAdjustment);
  const records = members.filter((member) => !isAdjustment(member)).map((member) => links.ofRemote(member.key)?.local_id ?? 0);
  const known = records.filter((id) => id > 0);
  return {
    key,
    records: known,
    members: members.filter((member) => !isAdjustment(member)).map((member) => member.key),
    hash: setHash(known, adjustment !== undefined),
    adjustment: adjustment === undefined ? null : (adjustment.description ?? ''),
    reason,
    isStranded: known.length < records.length,
  };
}

/** Returns the remote's matches that count as matched. A linked match needs no request for its records, because a match never changes them. */
export async function matchesThere(context: SyncContext, reconciliationKey: string, here: readonly HereMatch[]): Promise<ThereMatch[]> {
  const links = context.links('matches');
  const hashesHere = new Map(here.map((match) => [match.hash, match]));
  const all: ThereMatch[] = [];
  for await (const page of context.remote.matches(reconciliationKey)) {
    const fetched: RemoteMatch[] = [];
    for (const match of page) {
      const hash = links.ofRemote(match.key)?.local_hash;
      if (hash === undefined) fetched.push(match);
      else
        all.push({
          key: match.key,
          records: hashesHere.get(hash)?.records ?? null,
          members: [],
          hash,
          adjustment: null,
          reason: null,
          isStranded: false,
        });
    }
    for (let at = 0; at < fetched.length; at += AT_ONCE) {
      context.signal.throwIfAborted();
      all.push(...(await Promise.all(fetched.slice(at, at + AT_ONCE).map((match) => withMembers(context, match)))));
    }
  }
  return all;
}
