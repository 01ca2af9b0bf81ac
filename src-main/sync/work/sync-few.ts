import type { SyncContext } from './context.ts';
import { cannotMove, COUNTED_AS, staysThere } from './told.ts';
import { nameOf } from './conflict-words.ts';
import { agreedOn } from './agreed.ts';
import { hashOfValue } from './hashes.ts';
import { carriedOut, decide, type Decision, mergedUnless, overruled } from './decide.ts';
import { intentsOf, SEND_AGAIN } from '../store/intents.ts';
import type { Few, Item } from './resources.ts';
import { forgetChildrenHere, forgetChildrenThere } from './children.ts';
import { changeHere, makeHere } from './pull-few.ts';
import { changeThere, makeThere } from './push-few.ts';
import { mergeBoth, mergedOf } from './merge-few.ts';
import { carryLines, isFileWaiting } from './imported-lines.ts';
import { hashOfItem, metOf, type Pair, pairsOf } from './pairs.ts';
import { tallyPair, tallyUncertain } from './tally-few.ts';
import { isLeaving, toHere, translated } from './references.ts';
import { noteDeleted } from './deleted.ts';

/** What is to be removed, once all else is done. */
export interface Removal {
  readonly resource: Few;
  readonly pair: Pair;
  readonly side: 'here' | 'there';
}

const PROPOSED = 'It is proposed, and nobody has accepted it: it goes once it is in use.';

async function listedHere(context: SyncContext, resource: Few): Promise<readonly Item[]> {
  const { items, proposed } = await context.local.listed(resource);
  for (const item of proposed) cannotMove(context, resource, nameOf(resource, item), PROPOSED, item.id);
  context.tally.add(COUNTED_AS[resource], { here: proposed.length });
  return items;
}

/** What the remote cannot list is as it was when both agreed. */
function unlisted(context: SyncContext, resource: Few, here: readonly Item[]): Pair[] {
  const links = context.links(resource);
  const byId = new Map(here.map((item) => [item.id, item]));
  const linked = [...links.all()].map((link) => ({ ours: byId.get(link.local_id) ?? null, theirs: null, link }));
  const rest = here.filter(({ id }) => links.ofLocal(id) === undefined).map((ours) => ({ ours, theirs: null, link: undefined }));
  return [...linked, ...rest];
}

async function listedThere(context: SyncContext, resource: Few): Promise<Item[]> {
  const { items, proposed } = await context.remote.side.listed(resource);
  for (const item of proposed) staysThere(context, resource, nameOf(resource, item), PROPOSED);
  context.tally.add(COUNTED_AS[resource], { there: proposed.length });
  return items.flatMap((item) => {
    const known = translated(resource, item, toHere(context));
    if (known !== null) return [known];
    staysThere(context, resource, nameOf(resource, item), 'What it belongs to is not in the book.');
    return [];
  });
}

/** What is to be done with a pair; a conflict that was decided is carried out, one that was not stays as it is. */
function decided(context: SyncContext, resource: Few, pair: Pair, isListed: boolean): Decision {
  const local = hashOfItem(pair.ours);
  if (!isListed) {
    const known = pair.link === undefined ? null : pair.link.remote_hash;
    return decide({ local, remote: known, link: pair.link });
  }
  const decision = decide({ local, remote: hashOfItem(pair.theirs), link: pair.link });
  const { conflicts } = context;
  const closedChoice = conflicts.closedChoice(resource, pair.ours?.id ?? null, pair.theirs?.key ?? null);
  if (decision !== 'conflict') return overruled(decision, closedChoice);
  const met = metOf(resource, pair);
  const merged = mergedOf(context, resource, pair);
  if (merged !== null) {
    const choice = closedChoice ?? conflicts.chosen(met);
    if (choice !== null) return mergedUnless(choice);
    const hash = hashOfValue(merged);
    return hash === local ? 'change_there' : hash === hashOfItem(pair.theirs) ? 'change_here' : 'merge';
  }
  const choice = conflicts.meet(met);
  return choice === null ? 'conflict' : carriedOut(choice, { here: pair.ours !== null, there: pair.theirs !== null });
}

/** Links what both sides have alike. */
function agree(context: SyncContext, resource: Few, { ours, theirs, link }: Pair): void {
  const links = context.links(resource);
  if (ours === null || theirs === null) return;
  if (link !== undefined && link.local_id !== ours.id) links.drop(link.local_id);
  const [local, remote] = [hashOfItem(ours) ?? '', hashOfItem(theirs) ?? ''];
  const agreed = local === remote && resource !== 'imports' ? agreedOn(resource, ours.fields) : null;
  links.put({ local_id: ours.id, remote_key: theirs.key, local_hash: local, remote_hash: remote, agreed });
}

/** Two that are the same object beyond doubt, of which nobody knows yet which is right: what belongs to them is synced all the same. */
function linkUndecided(context: SyncContext, resource: Few, { ours, theirs, link }: Pair): void {
  if (ours === null || theirs === null || link !== undefined) return;
  context.links(resource).put({ local_id: ours.id, remote_key: theirs.key, local_hash: '', remote_hash: '' });
}

/** Two sides that were put together anew, although neither changed: the link moves to the new object. One that knows no fields learns them. */
function isRelinked({ ours, theirs, link }: Pair): boolean {
  if (link === undefined || ours === null || theirs === null) return false;
  const isMoved = link.local_id !== ours.id || link.remote_key !== theirs.key;
  return isMoved || (link.agreed === null && hashOfItem(ours) === hashOfItem(theirs));
}

function marksLeaving(context: SyncContext, { resource, pair, side }: Removal): void {
  const leaving = context.leaving[side];
  const item = side === 'here' ? pair.ours : pair.theirs;
  if (item !== null) leaving.add(`${resource} ${side === 'here' && resource !== 'streams' ? String(item.id) : item.key}`);
  // Children there are told in local references.
  if (side === 'there' && pair.link !== undefined && resource !== 'streams') leaving.add(`${resource} ${pair.link.local_id}`);
}

/** What a person said is the same: each keeps its name, and both agree from now on. */
function linkSame({ same, links }: SyncContext, resource: Few, here: readonly Item[], there: readonly Item[]): void {
  for (const { resource: of, local_id: id, remote_key: key } of same) {
    const ours = here.find((item) => item.id === id);
    const theirs = there.find((item) => item.key === key);
    if (of !== resource || ours === undefined || theirs === undefined) continue;
    links(resource).put({ local_id: id, remote_key: key, local_hash: hashOfItem(ours) ?? '', remote_hash: hashOfItem(theirs) ?? '' });
  }
}

/** What a person found there after its answer was lost: it stands there as it was sent. */
function linkFound(context: SyncContext, resource: Few, here: readonly Item[], there: readonly Item[] | null): void {
  const { database, remoteId } = context;
  const links = context.links(resource);
  for (const intent of remoteId === null ? [] : intentsOf(database, remoteId)) {
    const { resource: of, local_id: id, choice: key, body_hash: hash } = intent;
    if (of !== resource || key === null || key === SEND_AGAIN || !here.some((item) => item.id === id)) continue;
    if (links.ofRemote(key) !== undefined || there?.some((item) => item.key === key) === false) continue;
    links.put({ local_id: id, remote_key: key, local_hash: hash, remote_hash: hash });
  }
}

/** Makes an object on a side; of one that was deleted there and is kept, what belongs to it is new there, too. */
export async function makeAgain(context: SyncContext, resource: Few, pair: Pair, side: 'here' | 'there'): Promise<void> {
  const { ours, theirs, link } = pair;
  if (side === 'there') {
    if (link !== undefined && ours !== null) forgetChildrenHere(context, resource, ours.id);
    return makeThere(context, resource, pair);
  }
  if (link !== undefined && theirs !== null) await forgetChildrenThere(context, resource, theirs.key);
  return makeHere(context, resource, pair);
}

const NONE: ReadonlySet<string> = new Set();
/** After these the lines of a file are told to the other side. */
/** A file whose lines were told by an earlier sync. */
const isCarried = (decision: Decision, { link }: Pair): boolean => decision === 'same' && link !== undefined && link.agreed !== null;
const LINKS: ReadonlySet<Decision> = new Set<Decision>(['agree', 'same', 'make_here', 'make_there']);

/** Compares all of one resource, makes and changes what is to be, and answers what is to be removed later. */
export async function syncFew(context: SyncContext, resource: Few): Promise<Removal[]> {
  const { remote, leaving } = context;
  const isListed = remote.dialect.gaps[`${resource}.list`] === undefined;
  const here = await listedHere(context, resource);
  const there = isListed ? await listedThere(context, resource) : [];
  linkSame(context, resource, here, there);
  linkFound(context, resource, here, isListed ? there : null);
  const unnamed = resource === 'streams' ? await remote.unnamedStreams(there, context.links(resource).all()) : NONE;
  const pairs = isListed ? pairsOf(resource, here, there, context.links(resource)) : unlisted(context, resource, here);
  if (isListed) tallyUncertain(context, resource, pairs);
  else context.tally.of(COUNTED_AS[resource]).isListed = false;
  const removals: Removal[] = [];
  const later: (() => Promise<void>)[] = [];
  for (const pair of pairs) {
    const isGoing =
      (pair.ours !== null && isLeaving(leaving.here, resource, pair.ours)) ||
      (pair.theirs !== null && isLeaving(leaving.there, resource, pair.theirs));
    if (isGoing) continue;
    const isNamed = isListed && !(pair.theirs === null && unnamed.has(pair.link?.remote_key ?? ''));
    const decision = decided(context, resource, pair, isNamed);
    if (resource === 'imports' && isListed && (await isFileWaiting(context, pair))) continue;
    tallyPair(context, resource, pair, decision);
    if (decision === 'agree' || (decision === 'same' && isRelinked(pair))) agree(context, resource, pair);
    else if (decision === 'conflict') linkUndecided(context, resource, pair);
    else if (decision === 'forget' && pair.link !== undefined) noteDeleted(context.links, resource, pair.link.local_id);
    else if (decision === 'make_here') later.push(() => makeAgain(context, resource, pair, 'here'));
    else if (decision === 'change_here') later.push(() => changeHere(context, resource, pair));
    else if (decision === 'make_there') later.push(() => makeAgain(context, resource, pair, 'there'));
    else if (decision === 'change_there') later.push(() => changeThere(context, resource, pair));
    else if (decision === 'merge') later.push(() => mergeBoth(context, resource, pair));
    if (resource === 'imports' && LINKS.has(decision) && !isCarried(decision, pair)) later.push(() => carryLines(context, pair));
    if (decision === 'remove_here') removals.push({ resource, pair, side: 'here' });
    else if (decision === 'remove_there') removals.push({ resource, pair, side: 'there' });
  }
  for (const removal of removals) marksLeaving(context, removal);
  context.links(resource).save();
  for (const act of later) await act();
  return removals;
}
