import { present } from '../../../src-shared/values/assert.ts';
import { countedNoun } from '../../../src-shared/values/english.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { extentOfAccount, extentOfBook, extentOfReconciliation, extentOfStream, streamIdOfKey } from '../store/links.ts';
import { type Answer, SyncStop } from './answers.ts';
import { matchesHere } from './both-sides.ts';
import { childrenGoing } from './children.ts';
import { GONE, nameOf, recordName, whatOf } from './conflict-book.ts';
import type { SyncContext } from './context.ts';
import { carriedOut } from './decide.ts';
import { noteDeleted } from './deleted.ts';
import { type Deletion, type Deletions, DELETIONS_WAIT, deletionWords, isMany, TAKEN, type Taken } from './deletions.ts';
import { recordHash } from './hashes.ts';
import { metOf, type Pair } from './links.ts';
import { type MatchPlan, setName } from './plan-matches.ts';
import { canonicalRecord, localRecords, recordsByIds } from './record-content.ts';
import type { LowVolume } from './resources.ts';
import type { RecordChange, RecordPlan } from './sending.ts';
import { makeAgain, type Removal } from './sync-low-volume.ts';
import { cannotMove, moved, tellRefusal } from './told.ts';

const ORDER = ['balances', 'imports', 'stories', 'rules', 'reconciliations', 'properties', 'streams', 'accounts'];

/** Decides about the removal of an object. If the side that still has it added or changed something in it, a person decides. */
async function becomesOf(context: SyncContext, { resource, pair, side }: Removal): Promise<'remove' | 'stay' | 'make_here' | 'make_there'> {
  if (await isUntouched(context, resource, pair, side)) return 'remove';
  const item = present(pair.ours ?? pair.theirs, 'what is to be removed');
  const grown = phrase('sync.removals.withWhatWasAddedOrChanged', { whatOf: whatOf(resource, item) });
  const met = {
    ...metOf(resource, pair),
    kind: 'record' as const,
    local: side === 'here' ? grown : GONE,
    remote: side === 'there' ? grown : GONE,
  };
  const choice = context.conflicts.meet(met);
  if (choice === null) return 'stay';
  const way = carriedOut(choice, { here: pair.ours !== null, there: pair.theirs !== null });
  return way === 'make_here' || way === 'make_there' ? way : 'remove';
}

async function isLetGo(context: SyncContext, removal: Removal): Promise<boolean> {
  const { resource, pair } = removal;
  const way = await becomesOf(context, removal);
  if (way === 'remove') return true;
  if (way === 'stay') return false;
  if (pair.link !== undefined) context.links(resource).drop(pair.link.local_id);
  if (way === 'make_here') await makeAgain(context, resource, pair, 'here');
  if (way === 'make_there') await makeAgain(context, resource, pair, 'there');
  return false;
}

const LOOK_MS = 20;
const LOOKS = 1_000;

/** Removes an object. A continuous run can hold a reconciliation for a moment; waits for its end. */
async function removed(context: SyncContext, side: SyncContext['local'], resource: LowVolume, key: string): Promise<Answer<null>> {
  for (let looks = 1; ; looks += 1) {
    context.signal.throwIfAborted();
    const answer = await side.remove(resource, key, context.wait);
    if (answer.ok || answer.error.code !== 'run_in_progress' || looks >= LOOKS) return answer;
    await context.wait(LOOK_MS);
  }
}

/** Removes what the other side removed; objects that refer to others go first. */
export async function removeLeaving(context: SyncContext, removals: readonly Removal[]): Promise<void> {
  const { local, remote, preview } = context;
  for (const removal of removals.toSorted((one, other) => ORDER.indexOf(one.resource) - ORDER.indexOf(other.resource))) {
    const { resource, pair, side } = removal;
    const item = side === 'here' ? pair.ours : pair.theirs;
    if (item === null && side === 'here') continue;
    const name = nameOf(resource, item ?? { fields: {}, extra: {}, key: pair.link?.remote_key ?? '' });
    const target = side === 'here' ? local : remote.side;
    const gap = target.dialect.gaps[`${resource}.remove`];
    if (gap !== undefined) {
      cannotMove(context, resource, name, gap, pair.ours?.id ?? null);
      continue;
    }
    if (item === null || !(await isLetGo(context, removal))) continue;
    if (!preview) {
      const noteChildren = await childrenGoing(context, resource, {
        side,
        localId: pair.ours?.id ?? null,
        remoteKey: pair.theirs?.key ?? null,
      });
      const answer = await removed(context, target, resource, item.key);
      if (!answer.ok) {
        tellRefusal(context, answer.error, { resource, name, here: side === 'here', conflict: metOf(resource, pair) });
        continue;
      }
      noteChildren();
      if (pair.link !== undefined) noteDeleted(context.links, resource, pair.link.local_id);
      context.links(resource).save();
    }
    const localId = side === 'here' ? null : (pair.ours?.id ?? null);
    moved(context, side === 'here' ? 'received' : 'sent', { resource, act: 'removed', name, localId });
  }
}

/** Whether everything in a stream or a reconciliation is as both sides agreed, on the side that still has it. */
async function isUntouched(context: SyncContext, resource: LowVolume, pair: Pair, side: 'here' | 'there'): Promise<boolean> {
  if (resource === 'streams') return side === 'here' ? isStreamUntouchedHere(context, pair) : isStreamUntouchedThere(context, pair);
  if (resource === 'reconciliations') return isReconciliationUntouched(context, pair, side);
  return true;
}

function isStreamUntouchedHere(context: SyncContext, { ours }: Pair): boolean {
  const links = context.links('records');
  const fields = context.remote.dialect.recordFields;
  for (const page of localRecords(context.database, ours?.id ?? 0)) {
    for (const { id, content } of page) {
      if (links.ofLocal(id)?.local_hash !== recordHash(canonicalRecord(content), fields)) return false;
    }
  }
  return true;
}

async function isStreamUntouchedThere(context: SyncContext, { theirs }: Pair): Promise<boolean> {
  const links = context.links('records');
  const fields = context.remote.dialect.recordFields;
  for await (const page of context.remote.records(theirs?.key ?? '')) {
    for (const { key, content } of page) {
      if (links.ofRemote(key)?.remote_hash !== recordHash(canonicalRecord(content), fields)) return false;
    }
  }
  return true;
}

async function isReconciliationUntouched(context: SyncContext, { ours, theirs }: Pair, side: 'here' | 'there'): Promise<boolean> {
  const rules = await (side === 'here' ? context.local : context.remote.side).list('rules');
  const own = rules.filter(({ extra }) => extra['reconciliation'] === (side === 'here' ? ours?.key : theirs?.key));
  const ruleLinks = context.links('rules');
  if (own.some(({ id, key }) => (side === 'here' ? ruleLinks.ofLocal(id) : ruleLinks.ofRemote(key)) === undefined)) return false;
  const matchLinks = context.links('matches');
  if (side === 'there') {
    for await (const page of context.remote.matches(theirs?.key ?? '')) {
      if (page.some(({ key }) => matchLinks.ofRemote(key) === undefined)) return false;
    }
    return true;
  }
  const { localMatches } = await import('./local-matches.ts');
  const matches = await localMatches(context, Number(ours?.key));
  return matches.every(({ id }) => matchLinks.ofLocal(id) !== undefined);
}

/** Everything that a sync found to delete, before it deletes anything. */
interface Leaving {
  readonly removals: readonly Removal[];
  readonly records: RecordPlan;
  readonly plans: readonly MatchPlan[];
}

type Side = Deletion['side'];

const EXAMPLES = 5;

/** A deletion, with the number of records that lose their match. */
interface Found extends Deletion {
  readonly matched: number;
}

const takenOf = (counts: Readonly<Record<string, number>>): Taken =>
  Object.fromEntries(TAKEN.flatMap((each) => ((counts[each] ?? 0) === 0 ? [] : [[each, counts[each]]])));

const sumOf = (takes: Taken): number => TAKEN.reduce((sum, each) => sum + (takes[each] ?? 0), 0);

/** Returns how much the remote has of a stream or a reconciliation. */
async function extentThere(context: SyncContext, { resource, pair }: Removal): Promise<Record<string, number>> {
  const key = pair.theirs?.key ?? '';
  const counts = { records: 0, matches: 0, rules: 0 };
  if (resource === 'streams') for await (const page of context.remote.records(key)) counts.records += page.length;
  if (resource === 'reconciliations') {
    for await (const page of context.remote.matches(key)) counts.matches += page.length;
    const rules = await context.remote.side.list('rules');
    counts.rules = rules.filter(({ extra }) => extra['reconciliation'] === key).length;
  }
  return counts;
}

function extentHere({ database }: SyncContext, { resource, pair }: Removal): Readonly<Record<string, number>> {
  const id = pair.ours?.id ?? 0;
  if (resource === 'streams') return extentOfStream(database, id);
  if (resource === 'reconciliations') return extentOfReconciliation(database, id);
  return resource === 'accounts' ? extentOfAccount(database, id) : {};
}

/** Returns the deletion of a whole object; null if its side cannot delete it, or if a person decides about it. */
async function wholeOne(context: SyncContext, removal: Removal): Promise<Found | null> {
  const { resource, side, pair } = removal;
  const item = side === 'here' ? pair.ours : pair.theirs;
  const target = side === 'here' ? context.local : context.remote.side;
  if (item === null || target.dialect.gaps[`${resource}.remove`] !== undefined) return null;
  if ((await becomesOf(context, removal)) !== 'remove') return null;
  const counts = side === 'here' ? extentHere(context, removal) : await extentThere(context, removal);
  const stated = item.fields['balances'];
  const takes = takenOf(Array.isArray(stated) ? { ...counts, balances: stated.length } : counts);
  const name = nameOf(resource, item);
  return { side, resource, name, count: 1 + sumOf(takes), of: null, takes, examples: [], matched: counts['matched'] ?? 0 };
}

function recordsOf(context: SyncContext, side: Side, stream: string, changes: readonly RecordChange[]): Found {
  const { database, environmentId } = context;
  const id = streamIdOfKey(database, environmentId, stream);
  const here = id === null ? 0 : (extentOfStream(database, id)['records'] ?? 0);
  const examples = changes.slice(0, EXAMPLES).map(({ localId, content, remoteKey }) => {
    const known = content ?? recordsByIds(database, [localId])[0]?.content;
    return known === undefined ? remoteKey : recordName(known);
  });
  const count = changes.length;
  // The book no longer has the records to be deleted at the remote, so the total there is that much higher.
  const of = side === 'here' ? here : here + count;
  return { side, resource: 'records', name: stream, count, of, takes: {}, examples, matched: 0 };
}

async function matchesOf(context: SyncContext, side: Side, plan: MatchPlan): Promise<Found> {
  const { name, localId } = plan.reconciliation;
  const matches = side === 'here' ? plan.removeHere : plan.removeThere;
  const here = (await matchesHere(context, localId)).length;
  const of = side === 'here' ? here : here + matches.length;
  const examples = matches.slice(0, EXAMPLES).map(({ records }) => setName(context, name, records ?? []));
  const matched = matches.reduce((sum, { records }) => sum + (records?.length ?? 0), 0);
  return { side, resource: 'matches', name, count: matches.length, of, takes: {}, examples, matched };
}

async function found(context: SyncContext, { removals, records, plans }: Leaving): Promise<Found[]> {
  const all: Found[] = [];
  for (const removal of removals) {
    const one = await wholeOne(context, removal);
    if (one !== null) all.push(one);
  }
  const { gaps } = context.remote.dialect;
  for (const [side, changes] of [
    ['here', records.removeHere],
    ['there', gaps['records.remove'] === undefined ? records.removeThere : []],
  ] as const) {
    for (const [stream, own] of Map.groupBy(changes, (change) => change.stream)) all.push(recordsOf(context, side, stream, own));
  }
  for (const plan of plans) {
    if (plan.removeHere.length > 0) all.push(await matchesOf(context, 'here', plan));
    if (plan.removeThere.length > 0 && gaps['matches.remove'] === undefined) all.push(await matchesOf(context, 'there', plan));
  }
  return all;
}

const WHERE: Readonly<Record<Side, string>> = { here: 'here', there: phrase('sync.removals.atTheOtherSide') };

/** Returns the reasons for which a person must allow the deletions, a sentence each; empty if none must. */
function whyOf(context: SyncContext, all: readonly Found[]): string[] {
  const why: string[] = [];
  const book = extentOfBook(context.database, context.environmentId);
  for (const one of all) {
    const isWhole = one.of === null && isMany(one.count - 1, 0);
    if (isWhole || (one.of !== null && isMany(one.count, one.of)))
      why.push(phrase('sync.removals.wouldGo', { deletion: deletionWords(one), where: WHERE[one.side] }));
  }
  for (const side of ['here', 'there'] as const) {
    const counts = new Map<string, number>();
    const add = (resource: string, count: number): void => void counts.set(resource, (counts.get(resource) ?? 0) + count);
    for (const { resource, count, of, takes, matched } of all.filter((one) => one.side === side)) {
      add(resource, of === null ? 1 : count);
      for (const each of TAKEN) add(each, takes[each] ?? 0);
      add('matched', matched);
    }
    for (const [resource, count] of counts) {
      const of = (book[resource] ?? 0) + (side === 'here' ? 0 : count);
      if (!isMany(count, of)) continue;
      const words =
        resource === 'matched' ? phrase('sync.removals.ofMatchedLines', { count, of }) : `${count} of ${countedNoun(of, resource)}`;
      const verb = resource === 'matched' ? phrase('sync.removals.wouldLoseTheirMatch') : phrase('sync.removals.wouldBeDeleted');
      why.push(`${words} ${verb} ${WHERE[side]}.`);
    }
  }
  return [...new Set(why)];
}

function deletionsOf(context: SyncContext, all: readonly Found[]): Deletions {
  const countOn = (side: Side): number => all.reduce((sum, one) => sum + (one.side === side ? one.count : 0), 0);
  const why = all.length === 0 ? [] : whyOf(context, all);
  const [here, there] = [countOn('here'), countOn('there')];
  const list = all
    .map(({ side, resource, name, count, of, takes, examples }) => ({ side, resource, name, count, of, takes, examples }))
    .toSorted((one, other) => other.count - one.count);
  return { count: here + there, here, there, wants_word: why.length > 0, why, list };
}

const LISTED = 5;

/** Returns the stop of a sync that would delete more than it may without permission. */
export function deletionsWait({ count, here, there, list }: Deletions): SyncStop {
  const ways = [...(here === 0 ? [] : [`${here} here`]), ...(there === 0 ? [] : [phrase('sync.removals.onTheOtherSide', { there })])].join(
    ' and ',
  );
  const more = list.length > LISTED ? `, and ${list.length - LISTED} more` : '';
  const words = list.slice(0, LISTED).map((one) => deletionWords(one));
  const what = `${words.join('; ')}${more}`;
  return new SyncStop(DELETIONS_WAIT, phrase('sync.removals.yourWordNothingOfThem', { count, ways, what }));
}

/**
 * Lists the deletions on both sides, and ends the sync if they need permission and a person has not allowed that many. Call it between comparison and
 * deletion.
 */
export async function brake(context: SyncContext, leaving: Leaving): Promise<void> {
  const { result, preview, accepted } = context;
  const all = await found(context, leaving);
  // A repair without deletions keeps those that the sync before it counted.
  if (context.scope !== null && all.length === 0) return;
  result.deletions = deletionsOf(context, all);
  if (preview) return;
  const { count, here, wants_word: wantsWord } = result.deletions;
  if (wantsWord && accepted < count) throw deletionsWait(result.deletions);
  if (here > 0) await context.backUpFirst();
}
