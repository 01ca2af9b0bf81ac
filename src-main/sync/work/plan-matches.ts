import { phrase } from '../../../src-shared/words/say.ts';
import type { ConflictRecord } from '../store/conflicts.ts';
import { streamKeysOf } from '../store/reads.ts';
import { type HereMatch, matchesHere, matchesThere, type ThereMatch } from './both-sides.ts';
import { type Choice, GONE, matchDetail, type Met, recordDetail, recordName, recordOf, recordWords } from './conflict-book.ts';
import type { SyncContext } from './context.ts';
import { yielded } from './decide.ts';
import { recordsByIds } from './record-content.ts';
import type { RecordChange, RecordPlan } from './sending.ts';
import { staysThere } from './told.ts';

interface Touched {
  readonly here: ReadonlySet<number>;
  readonly there: ReadonlySet<number>;
}

/** Returns the matched records that will change on each side: a match is taken apart before such a change, and made again after it. */
function touchedBy(plan: RecordPlan): Touched {
  return {
    here: new Set([...plan.changeHere, ...plan.merge].map(({ localId }) => localId)),
    there: new Set([...plan.changeThere, ...plan.merge].map(({ localId }) => localId)),
  };
}

const holdsAny = (records: readonly number[], ids: ReadonlySet<number>): boolean => ids.size > 0 && records.some((id) => ids.has(id));

function words(context: SyncContext, ids: readonly number[] | null): string {
  const shown = (ids ?? []).slice(0, 10);
  return recordsByIds(context.database, shown)
    .map(({ content }) => recordWords(content))
    .join('; ');
}

/** Settles new matches that would hold a record twice. A person decides which match stays; undecided ones stay as they are on both sides. */
function settleOverlaps(
  context: SyncContext,
  plan: MatchPlan,
  fresh: { here: HereMatch[]; there: ThereMatch[] },
  standing: readonly HereMatch[],
): void {
  const holders = new Map<number, HereMatch>();
  for (const match of standing) for (const id of match.records) holders.set(id, match);
  const freshHere = new Set(fresh.here);
  const given = new Set<HereMatch>();
  const blocked = new Set<HereMatch>();
  for (const there of fresh.there) {
    const others = [...new Set((there.records ?? []).flatMap((id) => holders.get(id) ?? []))];
    if (others.length === 0) {
      plan.makeHere.push(there);
      continue;
    }
    const choice = context.conflicts.meet({
      kind: 'match',
      resource: 'matches',
      localId: others[0]?.id ?? null,
      remoteKey: there.key,
      what: phrase('sync.planMatches.theSameLineIsMatched', { name: plan.reconciliation.name }),
      local: others.map((match) => words(context, match.records)).join(' | '),
      remote: words(context, there.records),
      choices: context.remote.dialect.gaps['matches.remove'] === undefined ? ['keep_local', 'take_remote', 'neither'] : ['take_remote'],
      detail: matchDetail({
        reconciliation: plan.reconciliation,
        ours: others.flatMap((match) => conflictRecords(context, match.records)),
        theirs: conflictRecords(context, there.records ?? []),
        adjustments: { here: others.find(({ adjustment }) => adjustment !== null)?.adjustment ?? null, there: there.adjustment },
      }),
    });
    if (choice === 'keep_local') plan.removeThere.push(there);
    else if (choice === 'take_remote') {
      for (const match of others) given.add(match);
      plan.makeHere.push(there);
    } else if (choice === 'neither') {
      for (const match of others) given.add(match);
      plan.removeThere.push(there);
    } else {
      context.tally.add('matches', { decide: 1 });
      for (const match of others) blocked.add(match);
    }
  }
  plan.removeHere.push(...given);
  plan.makeThere.push(...fresh.here.filter((match) => freshHere.has(match) && !given.has(match) && !blocked.has(match)));
}

/** Compares the matches of a reconciliation by their sets of records. */
export async function planMatches(context: SyncContext, reconciliation: ReconciliationPair, records: RecordPlan): Promise<MatchPlan> {
  const links = context.links('matches');
  const touched = touchedBy(records);
  const here = await matchesHere(context, reconciliation.localId);
  const there = await matchesThere(context, reconciliation.remoteKey, here);
  const plan: MatchPlan = { reconciliation, removeHere: [], removeThere: [], againHere: [], againThere: [], makeHere: [], makeThere: [] };
  const byHash = new Map(here.map((match) => [match.hash, match]));
  const agreed = new Set<HereMatch>();
  let known = 0;
  const fresh: { here: HereMatch[]; there: ThereMatch[] } = { here: [], there: [] };
  for (const match of there) {
    const same = match.isStranded ? undefined : byHash.get(match.hash);
    if (same !== undefined) {
      agreed.add(same);
      if (links.ofRemote(match.key) !== undefined) known += 1;
      links.put({ local_id: same.id, remote_key: match.key, local_hash: same.hash, remote_hash: same.hash });
      if (holdsAny(same.records, touched.here)) plan.againHere.push(same);
      if (holdsAny(same.records, touched.there)) plan.againThere.push({ here: same, there: match });
    } else if (links.ofRemote(match.key) !== undefined) plan.removeThere.push(match);
    else if (match.isStranded && !context.preview) {
      staysThere(context, 'matches', `${reconciliation.name}: match ${match.key}`, phrase('sync.planMatches.aLineOfItIs'));
    } else fresh.there.push(match);
  }
  for (const match of here) {
    if (agreed.has(match)) continue;
    if (links.ofLocal(match.id)?.local_hash === match.hash) plan.removeHere.push(match);
    else fresh.here.push(match);
  }
  const { putBack } = context;
  if (putBack !== null) for (const _ of fresh.here) yielded(context, 'matches', 'make_there');
  if (putBack?.takes === true) plan.removeHere.push(...fresh.here.splice(0));
  fresh.there = fresh.there.filter((match) => isRecordThere(context, plan, match, records));
  fresh.here = fresh.here.filter((match) => isRecordHere(context, plan, match, records));
  const leaving = new Set(plan.removeHere);
  settleOverlaps(
    context,
    plan,
    fresh,
    here.filter((match) => !leaving.has(match)),
  );
  context.tally.add('matches', {
    here: here.length - plan.removeHere.length,
    there: there.length - plan.removeThere.length,
    agree: agreed.size,
  });
  context.tally.recognise('matches', 'known', known);
  context.tally.recognise('matches', 'records', agreed.size - known);
  return plan;
}

/** Removes the changes that satisfy `isIt` from a list, and returns them. */
function taken(list: RecordChange[], isIt: (change: RecordChange) => boolean): RecordChange[] {
  const found = list.filter(isIt);
  const rest = list.filter((change) => !isIt(change));
  list.splice(0, list.length, ...rest);
  return found;
}

function metOf(context: SyncContext, { reconciliation }: MatchPlan, change: RecordChange, isMatchedHere: boolean): Met {
  const [row] = recordsByIds(context.database, [change.localId]);
  const content = change.content ?? row?.content;
  const words = content === undefined ? `record ${change.localId}` : recordWords(content);
  const matched = phrase('sync.planMatches.matchedIn', { words, name: reconciliation.name });
  return {
    kind: 'record',
    resource: 'records',
    localId: change.localId,
    remoteKey: change.remoteKey,
    what: phrase('sync.planMatches.lineOf', { stream: change.stream, words }),
    local: isMatchedHere ? matched : GONE,
    remote: isMatchedHere ? GONE : matched,
    detail: {
      ...recordDetail({
        stream: change.stream,
        localId: change.localId,
        ours: isMatchedHere ? (content ?? null) : null,
        theirs: isMatchedHere ? null : (content ?? null),
      }),
      words: isMatchedHere ? phrase('sync.planMatches.matchedHereDeletedThere') : phrase('sync.planMatches.deletedHereMatchedThere'),
      reconciliation_id: reconciliation.localId,
    },
  };
}

/**
 * Returns the choices for those records of a match that the other side deleted. It contains null if one is undecided; the other choices are then
 * kept.
 */
function asked(context: SyncContext, plan: MatchPlan, gone: readonly RecordChange[], isMatchedHere: boolean): ReadonlySet<Choice | null> {
  const all = gone.map((change) => metOf(context, plan, change, isMatchedHere));
  const choices = all.map((met) => context.conflicts.meet(met));
  if (choices.includes(null)) for (const [place, met] of all.entries()) if (choices[place] !== null) context.conflicts.keep(met);
  return new Set(choices);
}

/** Whether a new remote match can be made here. It cannot while a record of it that was deleted here waits for a decision. */
function isRecordThere(context: SyncContext, plan: MatchPlan, match: ThereMatch, records: RecordPlan): boolean {
  const members = new Set(match.members);
  const gone = taken(records.removeThere, ({ remoteKey }) => members.has(remoteKey));
  const choices = asked(context, plan, gone, false);
  if (choices.has(null)) return false;
  if (choices.has('keep_local')) {
    records.removeThere.push(...gone);
    plan.removeThere.push(match);
    return false;
  }
  records.bringHere.push(...gone);
  return true;
}

/** Whether a new local match can be made there; the mirror of `isRecordThere`. */
function isRecordHere(context: SyncContext, plan: MatchPlan, match: HereMatch, records: RecordPlan): boolean {
  const members = new Set(match.records);
  const gone = taken(records.removeHere, ({ localId }) => members.has(localId));
  const choices = asked(context, plan, gone, true);
  if (choices.has(null)) return false;
  if (choices.has('take_remote')) {
    records.removeHere.push(...gone);
    plan.removeHere.push(match);
    return false;
  }
  records.bringThere.push(...gone);
  return true;
}

export interface ReconciliationPair {
  readonly localId: number;
  readonly remoteKey: string;
  readonly name: string;
}

/** The actions for the matches of one reconciliation. `again` holds matches that are only taken apart and made again; they count as unchanged. */
export interface MatchPlan {
  readonly reconciliation: ReconciliationPair;
  readonly removeHere: HereMatch[];
  readonly removeThere: ThereMatch[];
  readonly againHere: HereMatch[];
  readonly againThere: { readonly here: HereMatch; readonly there: ThereMatch }[];
  readonly makeHere: ThereMatch[];
  readonly makeThere: HereMatch[];
}

/** Returns the name of a match: its reconciliation, its first record, and the number of others. */
export function setName({ database }: SyncContext, reconciliation: string, records: readonly number[]): string {
  const first = records.length === 0 ? undefined : recordsByIds(database, records.slice(0, 1))[0];
  if (first === undefined) return reconciliation;
  const more = records.length === 1 ? '' : ` and ${records.length - 1} more`;
  return `${reconciliation}: ${recordName(first.content)}${more}`;
}

/** A conflict keeps at most this many records. */
const SHOWN = 100;

export function conflictRecords({ database }: SyncContext, ids: readonly number[]): ConflictRecord[] {
  const records = recordsByIds(database, ids.slice(0, SHOWN));
  const keys = streamKeysOf(
    database,
    records.map(({ streamId }) => streamId),
  );
  return records.map(({ id, streamId, content }) => recordOf(keys.get(streamId) ?? '', id, content));
}
