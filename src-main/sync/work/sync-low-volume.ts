import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { intentsOf, SEND_AGAIN } from '../store/links.ts';
import { hasChosenReference } from '../store/reads.ts';
import { agreedOn, isLeaving, mergedFields, toHere, toThere, translated } from './agreed-history.ts';
import type { Answer } from './answers.ts';
import { forgetChildrenHere, forgetChildrenThere } from './children.ts';
import { differingWords, lowVolumeDetail, nameOf } from './conflict-book.ts';
import type { SyncContext } from './context.ts';
import { carriedOut, decide, type Decision, mergedUnless, overruled, yielded } from './decide.ts';
import { noteDeleted } from './deleted.ts';
import { hashOfValue } from './hashes.ts';
import { hashOfItem, knownBy, type Link, metOf, type Pair, pairsOf } from './links.ts';
import { changeHere, conflictOf, giveHere, makeHere } from './pull-low-volume.ts';
import type { Fields, Item, LowVolume } from './resources.ts';
import { isUnsure, sendOnce } from './sending.ts';
import type { RecognisedBy, Uncertain } from './sync-result.ts';
import { cannotMove, COUNTED_AS, moved, staysThere, tellRefusal, tellUnsure } from './told.ts';

const LOST = phrase('sync.syncLowVolume.itsAnswerWasLost');

function sentConflict(resource: LowVolume, item: Item, remoteKey: string | null) {
  const local = differingWords(item.fields, null);
  return {
    kind: 'closed_period' as const,
    resource,
    localId: item.id,
    remoteKey,
    what: nameOf(resource, item),
    local,
    remote: remoteKey === null ? phrase('sync.sending.notThere') : phrase('sync.syncLowVolume.otherwiseThere'),
    detail: { ...lowVolumeDetail(resource, item, null), words: phrase('sync.syncLowVolume.changedHereThePeriodIsClosed') },
  };
}

/** Returns the reason for which an object stays here; null if it can be sent. */
function gapOf({ remote }: SyncContext, resource: LowVolume, act: 'create' | 'update', item: Item): string | null {
  const { dialect } = remote;
  const gap = dialect.gaps[`${resource}.${act}`];
  if (gap !== undefined) return gap;
  const method = item.fields['method'] ?? item.extra['method'];
  if (resource === 'rules' && dialect.kind !== 'tieout' && method === 'evidence')
    return phrase('sync.syncLowVolume.theOtherSideHasNoRules');
  return null;
}

type Made = { readonly key: string; readonly id: number };

/** Finds the object that a request with a lost answer has created at the remote. */
async function lookFor(context: SyncContext, resource: LowVolume, item: Item): Promise<Made | undefined> {
  const words = knownBy(resource, { ...item.extra, ...item.fields });
  const listed = await context.remote.side.list(resource);
  return listed.find((one) => {
    const known = translated(resource, one, toHere(context));
    return (
      known !== null &&
      context.links(resource).ofRemote(one.key) === undefined &&
      knownBy(resource, { ...known.extra, ...known.fields }) === words
    );
  });
}

/** Creates an object at the remote. A preview only finds out whether the outcome is unsure, and otherwise returns null. */
async function made(context: SyncContext, resource: LowVolume, ours: Item, whole: Fields): Promise<Answer<Made> | 'unsure' | null> {
  const { remote, preview } = context;
  const isListed = remote.dialect.gaps[`${resource}.list`] === undefined;
  const send = (key?: string) => remote.side.make(resource, whole, key);
  // Putting a balance twice has the same effect as once.
  if (resource === 'balances') return preview ? null : send();
  const { currency } = ours.fields;
  const name = nameOf(resource, ours);
  const sending = {
    resource,
    localId: ours.id,
    words: typeof currency === 'string' ? `${name}, ${currency}` : name,
    body: whole,
    send,
    look: isListed ? () => lookFor(context, resource, ours) : null,
  };
  if (!preview) return sendOnce(context, sending);
  return isUnsure(context, sending) ? 'unsure' : null;
}

/** Creates a local object at the remote. */
async function makeThere(context: SyncContext, resource: LowVolume, pair: Pair): Promise<void> {
  const ours = present(pair.ours, 'what is sent');
  const name = nameOf(resource, ours);
  const reason = gapOf(context, resource, 'create', ours);
  const there = reason === null ? translated(resource, ours, toThere(context)) : null;
  if (there === null) return cannotMove(context, resource, name, reason ?? phrase('sync.syncLowVolume.whatItBelongs'), ours.id);
  const answer = await made(context, resource, ours, { ...there.extra, ...there.fields });
  if (answer === 'unsure') {
    tellUnsure(context, resource, name, LOST, ours.id);
    context.tally.add(COUNTED_AS[resource], { decide: 1 });
    return;
  }
  if (answer !== null) {
    if (!answer.ok)
      return tellRefusal(context, answer.error, { resource, name, here: false, conflict: sentConflict(resource, ours, null) });
    linkTo(context, resource, ours, answer.value.key);
  }
  moved(context, 'sent', { resource, act: 'made', name, localId: ours.id });
}

function linkTo(context: SyncContext, resource: LowVolume, ours: Item, remoteKey: string): void {
  const hash = hashOfItem(ours) ?? '';
  const links = context.links(resource);
  // The fields of an import are complete only after its lines have moved, so nothing is agreed by field yet.
  const agreed = resource === 'imports' ? null : agreedOn(resource, ours.fields);
  links.put({ local_id: ours.id, remote_key: remoteKey, local_hash: hash, remote_hash: hash, agreed });
  links.save();
}

/** Changes a linked object at the remote to the book's content. */
async function changeThere(context: SyncContext, resource: LowVolume, pair: Pair): Promise<void> {
  const ours = present(pair.ours, 'what is sent');
  const remoteKey = present(pair.theirs?.key ?? pair.link?.remote_key, 'what is changed there');
  const name = nameOf(resource, ours);
  const reason = gapOf(context, resource, 'update', ours);
  const there = reason === null ? translated(resource, ours, toThere(context)) : null;
  if (there === null) return cannotMove(context, resource, name, reason ?? phrase('sync.syncLowVolume.whatItBelongs'), ours.id);
  if (!context.preview) {
    const theirs = pair.theirs?.fields ?? {};
    const names = Object.keys(ours.fields).filter((field) => JSON.stringify(ours.fields[field]) !== JSON.stringify(theirs[field]));
    const changes = Object.fromEntries(names.map((field) => [field, there.fields[field]]));
    const answer = await context.remote.side.change(resource, remoteKey, { changes, whole: { ...there.extra, ...there.fields } });
    if (!answer.ok)
      return tellRefusal(context, answer.error, { resource, name, here: false, conflict: sentConflict(resource, ours, remoteKey) });
    linkTo(context, resource, ours, remoteKey);
  }
  moved(context, 'sent', { resource, act: 'changed', name, localId: ours.id });
}

const BY: Readonly<Record<LowVolume, RecognisedBy>> = {
  accounts: 'name_and_currency',
  streams: 'key',
  properties: 'key',
  reconciliations: 'name',
  rules: 'conditions',
  stories: 'name',
  balances: 'day_and_type',
  imports: 'file',
};

/** Counts one pair for the plan. A conflict with a deleted object counts on the other side only, where the object stays until a person decides. */
function tallyPair({ tally }: SyncContext, resource: LowVolume, { ours, theirs, link }: Pair, decision: Decision): void {
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

/** Whether one name contains all words of the other. */
function isAlike(one: string, other: string): boolean {
  const [left, right] = [wordsIn(one), wordsIn(other)];
  const [fewer, more] = left.size < right.size ? [left, right] : [right, left];
  return fewer.size > 0 && [...fewer].every((word) => more.has(word));
}

const aboutAccount = ({ fields }: Item): string => String(fields['currency'] ?? '');
const aboutReconciliation = ({ fields }: Item): string =>
  ['side_a', 'side_b'].map((side) => ((fields[side] ?? []) as readonly string[]).join(', ')).join(' / ');

/** Notes pairs that a person may identify: accounts of one currency with similar names, and reconciliations of the same streams. */
function tallyUncertain({ tally }: SyncContext, resource: LowVolume, pairs: readonly Pair[]): void {
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

/** Reconciliations of the same streams are likely the same, whatever their names. */
function isNameAlike(resource: LowVolume, ours: Item, theirs: Item): boolean {
  return resource === 'reconciliations' || isAlike(nameOf(resource, ours), nameOf(resource, theirs));
}

/** The default values of a stream. */
const UNSAID: Fields = { read_by: 'booking_date', batch_lines: 'entry' };

const isUnsaid = ({ key, fields }: Item, field: string): boolean => {
  const value = fields[field] ?? null;
  return value === null || value === UNSAID[field] || (field === 'name' && value === key);
};

/**
 * Merges two streams that meet for the first time: a value that no person chose yields to the other side's. An import names a stream by its key and
 * takes the reference field from its first file. Returns null if people chose different values on both sides.
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
const isFirstMeeting = (resource: LowVolume, { link }: Pair): boolean =>
  resource === 'streams' && (link === undefined || (link.local_hash === '' && link.remote_hash === ''));

/** Returns the merged edits of both sides; null if both edited the same field, or the agreed fields are unknown. */
function mergedOf(context: SyncContext, resource: LowVolume, pair: Pair): Fields | null {
  const { ours, theirs, link } = pair;
  if (ours === null || theirs === null) return null;
  if (isFirstMeeting(resource, pair)) return firstMet(context, ours, theirs);
  return mergedFields(resource, { agreed: link?.agreed ?? null, ours: ours.fields, theirs: theirs.fields });
}

/**
 * Gives both sides the merged edits. The link changes only with the second half, so if a sync ends in between, the next one sends the rest. Edits
 * that a side refuses in combination, as can happen with a rule, become a conflict.
 */
async function mergeBoth(context: SyncContext, resource: LowVolume, pair: Pair): Promise<void> {
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

const WAITS_HERE = phrase('sync.syncLowVolume.someOfItsLines');
const WAITS_THERE = phrase('sync.syncLowVolume.linesMayBeHere');

/**
 * Whether some lines of a file wait for a decision about alternative descriptions. Until then the file stays where it is, with the balances that it
 * states.
 */
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
 * Tells each side which of its lines came from a file that the other one imported. Only then is the link complete, so if a sync ends before, the next
 * one repeats this.
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
    return cannotMove(context, 'imports', name, phrase('sync.syncLowVolume.itsLinesDoNotCount', { refused }), link.local_id);
  }
  const agreed = link.local_hash === link.remote_hash ? agreedOn('imports', fields) : null;
  links('imports').put({ ...link, agreed });
  links('imports').save();
}

/** An object to be removed at the end of the sync. */
export interface Removal {
  readonly resource: LowVolume;
  readonly pair: Pair;
  readonly side: 'here' | 'there';
}

const PROPOSED = phrase('sync.syncLowVolume.itIsProposedAndNobody');

async function listedHere(context: SyncContext, resource: LowVolume): Promise<readonly Item[]> {
  const { items, proposed } = await context.local.listed(resource);
  for (const item of proposed) cannotMove(context, resource, nameOf(resource, item), PROPOSED, item.id);
  context.tally.add(COUNTED_AS[resource], { here: proposed.length });
  return items;
}

/** Returns the pairs of a resource that the remote cannot list; its objects count as unchanged since both sides agreed. */
function unlisted(context: SyncContext, resource: LowVolume, here: readonly Item[]): Pair[] {
  const links = context.links(resource);
  const byId = new Map(here.map((item) => [item.id, item]));
  const linked = [...links.all()].map((link) => ({ ours: byId.get(link.local_id) ?? null, theirs: null, link }));
  const rest = here.filter(({ id }) => links.ofLocal(id) === undefined).map((ours) => ({ ours, theirs: null, link: undefined }));
  return [...linked, ...rest];
}

async function listedThere(context: SyncContext, resource: LowVolume): Promise<Item[]> {
  const { items, proposed } = await context.remote.side.listed(resource);
  for (const item of proposed) staysThere(context, resource, nameOf(resource, item), PROPOSED);
  context.tally.add(COUNTED_AS[resource], { there: proposed.length });
  return items.flatMap((item) => {
    const known = translated(resource, item, toHere(context));
    if (known !== null) return [known];
    staysThere(context, resource, nameOf(resource, item), phrase('sync.syncLowVolume.ownerIsNotInTheBook'));
    return [];
  });
}

/** Does what `yielded` does, except for imports: an import only states where lines came from, so it is sent in any case. */
function yieldedLowVolume(context: SyncContext, resource: LowVolume, decision: Decision): Decision {
  return resource === 'imports' ? decision : yielded(context, COUNTED_AS[resource], decision);
}

/** Returns the action for a pair. A decided conflict is carried out, an undecided one stays. */
function decided(context: SyncContext, resource: LowVolume, pair: Pair, isListed: boolean): Decision {
  const local = hashOfItem(pair.ours);
  if (!isListed) {
    const known = pair.link === undefined ? null : pair.link.remote_hash;
    return decide({ local, remote: known, link: pair.link });
  }
  const decision = decide({ local, remote: hashOfItem(pair.theirs), link: pair.link });
  const { conflicts } = context;
  const closedChoice = conflicts.closedChoice(resource, pair.ours?.id ?? null, pair.theirs?.key ?? null);
  if (decision !== 'conflict') return overruled(yieldedLowVolume(context, resource, decision), closedChoice);
  const met = metOf(resource, pair);
  const merged = mergedOf(context, resource, pair);
  if (merged !== null) {
    const choice = closedChoice ?? conflicts.chosen(met);
    if (choice !== null) return mergedUnless(choice);
    const hash = hashOfValue(merged);
    const merging = hash === local ? 'change_there' : hash === hashOfItem(pair.theirs) ? 'change_here' : 'merge';
    return yieldedLowVolume(context, resource, merging);
  }
  const choice = conflicts.meet(met);
  return choice === null ? 'conflict' : carriedOut(choice, { here: pair.ours !== null, there: pair.theirs !== null });
}

/** Links a pair with equal content. */
function agree(context: SyncContext, resource: LowVolume, { ours, theirs, link }: Pair): void {
  const links = context.links(resource);
  if (ours === null || theirs === null) return;
  if (link !== undefined && link.local_id !== ours.id) links.drop(link.local_id);
  const [local, remote] = [hashOfItem(ours) ?? '', hashOfItem(theirs) ?? ''];
  const agreed = local === remote && resource !== 'imports' ? agreedOn(resource, ours.fields) : null;
  links.put({ local_id: ours.id, remote_key: theirs.key, local_hash: local, remote_hash: remote, agreed });
}

/** Links two objects that are certainly the same while a conflict about their content is undecided, so that their children are synced. */
function linkUndecided(context: SyncContext, resource: LowVolume, { ours, theirs, link }: Pair): void {
  if (ours === null || theirs === null || link !== undefined) return;
  context.links(resource).put({ local_id: ours.id, remote_key: theirs.key, local_hash: '', remote_hash: '' });
}

/** Whether an unchanged pair needs a new link, because it contains a new object or the link lacks the agreed fields. */
function isRelinked({ ours, theirs, link }: Pair): boolean {
  if (link === undefined || ours === null || theirs === null) return false;
  const isMoved = link.local_id !== ours.id || link.remote_key !== theirs.key;
  return isMoved || (link.agreed === null && hashOfItem(ours) === hashOfItem(theirs));
}

function marksLeaving(context: SyncContext, { resource, pair, side }: Removal): void {
  const leaving = context.leaving[side];
  const item = side === 'here' ? pair.ours : pair.theirs;
  if (item !== null) leaving.add(`${resource} ${side === 'here' && resource !== 'streams' ? String(item.id) : item.key}`);
  // Remote children carry local references here.
  if (side === 'there' && pair.link !== undefined && resource !== 'streams') leaving.add(`${resource} ${pair.link.local_id}`);
}

/** Links the objects that a person identified. Each side keeps its name, and both count as agreed. */
function linkSame({ same, links }: SyncContext, resource: LowVolume, here: readonly Item[], there: readonly Item[]): void {
  for (const { resource: of, local_id: id, remote_key: key } of same) {
    const ours = here.find((item) => item.id === id);
    const theirs = there.find((item) => item.key === key);
    if (of !== resource || ours === undefined || theirs === undefined) continue;
    links(resource).put({ local_id: id, remote_key: key, local_hash: hashOfItem(ours) ?? '', remote_hash: hashOfItem(theirs) ?? '' });
  }
}

/** Links objects that a person found at the remote after the answer was lost. They count as agreed in the form in which they were sent. */
function linkFound(context: SyncContext, resource: LowVolume, here: readonly Item[], there: readonly Item[] | null): void {
  const { database, remoteId } = context;
  const links = context.links(resource);
  for (const intent of remoteId === null ? [] : intentsOf(database, remoteId)) {
    const { resource: of, local_id: id, choice: key, body_hash: hash } = intent;
    if (of !== resource || key === null || key === SEND_AGAIN || !here.some((item) => item.id === id)) continue;
    if (links.ofRemote(key) !== undefined || there?.some((item) => item.key === key) === false) continue;
    links.put({ local_id: id, remote_key: key, local_hash: hash, remote_hash: hash });
  }
}

/** Creates an object on a side. If it had been deleted there, its children are new there too. */
export async function makeAgain(context: SyncContext, resource: LowVolume, pair: Pair, side: 'here' | 'there'): Promise<void> {
  const { ours, theirs, link } = pair;
  if (side === 'there') {
    if (link !== undefined && ours !== null) forgetChildrenHere(context, resource, ours.id);
    return makeThere(context, resource, pair);
  }
  if (link !== undefined && theirs !== null) await forgetChildrenThere(context, resource, theirs.key);
  return makeHere(context, resource, pair);
}

const NONE: ReadonlySet<string> = new Set();
/** Whether an earlier sync told the other side the lines of a file. */
const isCarried = (decision: Decision, { link }: Pair): boolean => decision === 'same' && link !== undefined && link.agreed !== null;
/** Decisions after which the lines of a file are sent to the other side. */
const LINKS: ReadonlySet<Decision> = new Set<Decision>(['agree', 'same', 'make_here', 'make_there']);

/** Compares all objects of one resource, creates and changes objects, and returns the removals for the end of the sync. */
export async function syncLowVolume(context: SyncContext, resource: LowVolume): Promise<Removal[]> {
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
