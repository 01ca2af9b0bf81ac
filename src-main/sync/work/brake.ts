import { countedNoun } from '../../../src-shared/values/english.ts';
import { extentOfAccount, extentOfBook, extentOfReconciliation, extentOfStream, streamIdOfKey } from '../store/extent.ts';
import type { SyncContext } from './context.ts';
import { nameOf, recordName } from './conflict-words.ts';
import { becomesOf } from './removals.ts';
import type { Removal } from './sync-low-volume.ts';
import { matchesHere } from './both-sides.ts';
import type { MatchPlan } from './match-plan.ts';
import { setName } from './match-set-name.ts';
import { SyncStop } from './answers.ts';
import { DELETIONS_WAIT, type Deletion, type Deletions, deletionWords, isMany, TAKEN, type Taken } from './deletions.ts';
import { recordsByIds } from './local-records.ts';
import type { RecordChange, RecordPlan } from './record-plan.ts';

/** Everything that a sync found to delete, before it deletes anything. */
export interface Leaving {
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

const WHERE: Readonly<Record<Side, string>> = { here: 'here', there: 'at the remote' };

/** Returns the reasons for which a person must allow the deletions, a sentence each; empty if none must. */
function whyOf(context: SyncContext, all: readonly Found[]): string[] {
  const why: string[] = [];
  const book = extentOfBook(context.database, context.environmentId);
  for (const one of all) {
    const isWhole = one.of === null && isMany(one.count - 1, 0);
    if (isWhole || (one.of !== null && isMany(one.count, one.of))) why.push(`${deletionWords(one)} would go ${WHERE[one.side]}.`);
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
      const words = resource === 'matched' ? `${count} of ${of} matched lines` : `${count} of ${countedNoun(of, resource)}`;
      const verb = resource === 'matched' ? 'would lose their match' : 'would go';
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
  const ways = [...(here === 0 ? [] : [`${here} here`]), ...(there === 0 ? [] : [`${there} at the remote`])].join(' and ');
  const more = list.length > LISTED ? `, and ${list.length - LISTED} more` : '';
  const words = list.slice(0, LISTED).map((one) => deletionWords(one));
  const what = `${words.join('; ')}${more}`;
  return new SyncStop(DELETIONS_WAIT, `${countedDeletions(count)} your word: ${ways} (${what}). Nothing of them was deleted.`);
}

const countedDeletions = (count: number): string => (count === 1 ? '1 deletion wants' : `${count} deletions want`);

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
