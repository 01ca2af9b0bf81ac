import { intentsOf, SEND_AGAIN } from '../store/intents.ts';
import { hasChosenReference } from '../store/reads.ts';
import { agreedOn, mergedFields } from './agreed.ts';
import { forgetChildrenHere, forgetChildrenThere } from './children.ts';
import { nameOf } from './conflict-words.ts';
import type { SyncContext } from './context.ts';
import { carriedOut, decide, type Decision, mergedUnless, overruled, yielded } from './decide.ts';
import { noteDeleted } from './deleted.ts';
import { hashOfValue } from './hashes.ts';
import type { Link } from './links.ts';
import { hashOfItem, metOf, type Pair, pairsOf } from './pairs.ts';
import { changeHere, conflictOf, giveHere, makeHere } from './pull-few.ts';
import { changeThere, makeThere } from './push-few.ts';
import { isLeaving, toHere, translated } from './references.ts';
import type { Few, Fields, Item } from './resources.ts';
import type { RecognisedBy, Uncertain } from './tally.ts';
import { cannotMove, COUNTED_AS, moved, staysThere, tellRefusal } from './told.ts';

const BY: Readonly<Record<Few, RecognisedBy>> = {
  accounts: 'name_and_currency',
  streams: 'key',
  properties: 'key',
  reconciliations: 'name',
  rules: 'conditions',
  stories: 'name',
  balances: 'day_and_type',
  imports: 'file',
};

/** Counts one pair for the plan. A conflict with a side that is gone is there on one side alone, and stays until somebody decides. */
function tallyPair({ tally }: SyncContext, resource: Few, { ours, theirs, link }: Pair, decision: Decision): void {
  if (resource === 'properties') return;
  const counted = COUNTED_AS[resource];
  const isOnBoth = ours !== null && theirs !== null;
  tally.add(counted, {
    here: ours !== null && decision !== 'remove_here' ? 1 : 0,
    there: theirs !== null && decision !== 'remove_there' ? 1 : 0,
    agree: isOnBoth && decision !== 'conflict' ? 1 : 0,
    decide: isOnBoth && decision === 'conflict' ? 1 : 0,
  });
  if (isOnBoth) tally.recognise(counted, link === undefined ? BY[resource] : 'known');
}

const wordsIn = (name: string): Set<string> =>
  new Set(
    name
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  );

/** Whether all words of one name are among those of the other. */
function isAlike(one: string, other: string): boolean {
  const [left, right] = [wordsIn(one), wordsIn(other)];
  const [fewer, more] = left.size < right.size ? [left, right] : [right, left];
  return fewer.size > 0 && [...fewer].every((word) => more.has(word));
}

const aboutAccount = ({ fields }: Item): string => String(fields['currency'] ?? '');
const aboutReconciliation = ({ fields }: Item): string =>
  ['side_a', 'side_b'].map((side) => ((fields[side] ?? []) as readonly string[]).join(', ')).join(' / ');

/** Accounts of one currency, and reconciliations of the same streams, whose names are alike: a person may know that they are one. */
function tallyUncertain({ tally }: SyncContext, resource: Few, pairs: readonly Pair[]): void {
  if (resource !== 'accounts' && resource !== 'reconciliations') return;
  const about = resource === 'accounts' ? aboutAccount : aboutReconciliation;
  const free = pairs.filter(({ link, ours, theirs }) => link === undefined && (ours === null || theirs === null));
  for (const { ours } of free) {
    if (ours === null) continue;
    const alike = free.filter(({ theirs }) => theirs !== null && about(theirs) === about(ours) && isNameAlike(resource, ours, theirs));
    const theirs = alike.length === 1 ? alike[0]?.theirs : undefined;
    if (theirs === undefined || theirs === null) continue;
    const uncertain: Uncertain = {
      resource,
      local_id: ours.id,
      local_name: nameOf(resource, ours),
      local_words: about(ours),
      remote_key: theirs.key,
      remote_name: nameOf(resource, theirs),
      remote_words: about(theirs),
    };
    tally.uncertain.push(uncertain);
  }
}

/** Reconciliations of the same streams are likely the same whatever they are called. */
function isNameAlike(resource: Few, ours: Item, theirs: Item): boolean {
  return resource === 'reconciliations' || isAlike(nameOf(resource, ours), nameOf(resource, theirs));
}

/** What a stream says where nobody has said anything. */
const UNSAID: Fields = { read_by: 'booking_date', batch_lines: 'entry' };

const isUnsaid = ({ key, fields }: Item, field: string): boolean => {
  const value = fields[field] ?? null;
  return value === null || value === UNSAID[field] || (field === 'name' && value === key);
};

/**
 * Two streams that meet for the first time: what nobody chose on one side yields to the other. A stream that an import made is named by its key, and has the reference
 * that its first file happens to have. Null where both sides were given different words by people.
 */
function firstMet({ database, environmentId }: SyncContext, ours: Item, theirs: Item): Fields | null {
  const merged: Record<string, unknown> = {};
  for (const field of Object.keys(ours.fields)) {
    const [here, there] = [ours.fields[field] ?? null, theirs.fields[field] ?? null];
    const isFromFile = field === 'reference_field' && !hasChosenReference(database, environmentId, ours.key);
    if (here === there || isUnsaid(theirs, field)) merged[field] = here;
    else if (isUnsaid(ours, field) || isFromFile) merged[field] = there;
    else return null;
  }
  return merged;
}

/** Whether both sides have never agreed on the stream. */
const isFirstMeeting = (resource: Few, { link }: Pair): boolean =>
  resource === 'streams' && (link === undefined || (link.local_hash === '' && link.remote_hash === ''));

/** The edits of both sides in one; null where they are of the same field, or nobody knows of which. */
function mergedOf(context: SyncContext, resource: Few, pair: Pair): Fields | null {
  const { ours, theirs, link } = pair;
  if (ours === null || theirs === null) return null;
  if (isFirstMeeting(resource, pair)) return firstMet(context, ours, theirs);
  return mergedFields(resource, { agreed: link?.agreed ?? null, ours: ours.fields, theirs: theirs.fields });
}

/**
 * Gives an object that both sides edited in different fields both edits. The link changes with the second half alone, so after a sync that ends between the two the
 * next one sends what is left. Two edits that do not go together, as those of a rule may not, are a conflict.
 */
async function mergeBoth(context: SyncContext, resource: Few, pair: Pair): Promise<void> {
  const { ours, theirs } = pair;
  const fields = mergedOf(context, resource, pair);
  if (ours === null || theirs === null || fields === null) return;
  const name = nameOf(resource, { ...ours, fields });
  if (!context.preview) {
    const answer = await giveHere(context, resource, ours, { ...theirs, fields });
    if (!answer.ok) {
      if (answer.error.code !== 'period_closed') context.conflicts.show(metOf(resource, pair));
      else tellRefusal(context, answer.error, { resource, name, here: true, conflict: conflictOf(resource, pair) });
      return;
    }
  }
  moved(context, 'received', { resource, act: 'changed', name, localId: ours.id });
  await changeThere(context, resource, { ...pair, ours: { ...ours, fields } });
}

const WAITS_HERE = 'Some of its lines may be lines there in other words: it goes once a person has decided.';
const WAITS_THERE = 'Some of its lines may be lines here in other words: it comes once a person has decided.';

/** Whether a person is to say first what some lines of a file are: until then it stays where it is, with all that it states. */
async function isFileWaiting(context: SyncContext, { ours, theirs }: Pair): Promise<boolean> {
  const { waiting, local, remote } = context;
  if (ours !== null && theirs === null && waiting.here.size > 0) {
    if (!(await local.linesOfFile(ours.key)).some((id) => waiting.here.has(id))) return false;
    cannotMove(context, 'imports', nameOf('imports', ours), WAITS_HERE, ours.id);
    return true;
  }
  if (ours === null && theirs !== null && waiting.there.size > 0) {
    if (!(await remote.side.linesOfFile(theirs.key)).some((id) => waiting.there.has(String(id)))) return false;
    staysThere(context, 'imports', nameOf('imports', theirs), WAITS_THERE);
    return true;
  }
  return false;
}

function linkOf({ links }: SyncContext, { ours, theirs, link }: Pair): Link | undefined {
  const all = links('imports');
  return (ours === null ? undefined : all.ofLocal(ours.id)) ?? (theirs === null ? undefined : all.ofRemote(theirs.key)) ?? link;
}

/**
 * Tells each side which of its lines came by a file that the other one imported. The link knows the file's fields only from then on, so a sync that ends before
 * does it once more.
 */
async function carryLines(context: SyncContext, pair: Pair): Promise<void> {
  const { local, remote, links, preview } = context;
  const link = linkOf(context, pair);
  const fields = (pair.ours ?? pair.theirs)?.fields;
  if (preview || link === undefined || fields === undefined) return;
  const records = links('records');
  const [idHere, idThere] = [String(link.local_id), link.remote_key];
  const ours = pair.ours === null ? [] : (await local.linesOfFile(idHere)).flatMap((id) => records.ofLocal(id)?.remote_key ?? []);
  const theirs =
    pair.theirs === null ? [] : (await remote.side.linesOfFile(idThere)).flatMap((id) => records.ofRemote(String(id))?.local_id ?? []);
  const refused = (await remote.side.addLinesOfFile(idThere, ours)) ?? (await local.addLinesOfFile(idHere, theirs.map(String)));
  if (refused !== null) {
    const name = nameOf('imports', pair.ours ?? pair.theirs ?? { fields, extra: {}, key: idThere });
    return cannotMove(context, 'imports', name, `Its lines do not count as those of the file: ${refused}`, link.local_id);
  }
  const agreed = link.local_hash === link.remote_hash ? agreedOn('imports', fields) : null;
  links('imports').put({ ...link, agreed });
  links('imports').save();
}

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

/** A file says where lines came from, and takes nothing along: it goes there in any case. */
function yieldedFew(context: SyncContext, resource: Few, decision: Decision): Decision {
  return resource === 'imports' ? decision : yielded(context, COUNTED_AS[resource], decision);
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
  if (decision !== 'conflict') return overruled(yieldedFew(context, resource, decision), closedChoice);
  const met = metOf(resource, pair);
  const merged = mergedOf(context, resource, pair);
  if (merged !== null) {
    const choice = closedChoice ?? conflicts.chosen(met);
    if (choice !== null) return mergedUnless(choice);
    const hash = hashOfValue(merged);
    const merging = hash === local ? 'change_there' : hash === hashOfItem(pair.theirs) ? 'change_here' : 'merge';
    return yieldedFew(context, resource, merging);
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
