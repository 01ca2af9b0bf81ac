import type { SyncContext } from './context.ts';
import { cannotMove, COUNTED_AS, moved, tellRefusal, tellUnsure } from './told.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { nameOf } from './conflict-words.ts';
import { lowVolumeDetail } from './conflict-detail.ts';
import { hashOfItem, type Pair } from './pairs.ts';
import { agreedOn } from './agreed.ts';
import { toHere, toThere, translated } from './references.ts';
import { knownBy } from './recognise.ts';
import type { LowVolume, Fields, Item } from './resources.ts';
import type { Answer } from './answers.ts';
import { isUnsure, sendOnce } from './sending.ts';

const LOST = 'Its answer was lost, and the remote cannot be asked whether it is there: look there, and say whether it is.';

function conflictOf(resource: LowVolume, item: Item, remoteKey: string | null) {
  const local = JSON.stringify(item.fields);
  return {
    kind: 'closed_period' as const,
    resource,
    localId: item.id,
    remoteKey,
    what: nameOf(resource, item),
    local,
    remote: remoteKey === null ? 'not there' : 'otherwise there',
    detail: { ...lowVolumeDetail(resource, item, null), words: 'Changed here, the period is closed there' },
  };
}

/** Returns the reason for which an object stays here; null if it can be sent. */
function gapOf({ remote }: SyncContext, resource: LowVolume, act: 'create' | 'update', item: Item): string | null {
  const { dialect } = remote;
  const gap = dialect.gaps[`${resource}.${act}`];
  if (gap !== undefined) return gap;
  const method = item.fields['method'] ?? item.extra['method'];
  if (resource === 'rules' && dialect.kind !== 'tieout' && method === 'evidence') return 'The remote has no rules of evidence.';
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
export async function makeThere(context: SyncContext, resource: LowVolume, pair: Pair): Promise<void> {
  const ours = present(pair.ours, 'what is sent');
  const name = nameOf(resource, ours);
  const reason = gapOf(context, resource, 'create', ours);
  const there = reason === null ? translated(resource, ours, toThere(context)) : null;
  if (there === null) return cannotMove(context, resource, name, reason ?? 'What it belongs to is not at the remote.', ours.id);
  const answer = await made(context, resource, ours, { ...there.extra, ...there.fields });
  if (answer === 'unsure') {
    tellUnsure(context, resource, name, LOST, ours.id);
    context.tally.add(COUNTED_AS[resource], { decide: 1 });
    return;
  }
  if (answer !== null) {
    if (!answer.ok) return tellRefusal(context, answer.error, { resource, name, here: false, conflict: conflictOf(resource, ours, null) });
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
export async function changeThere(context: SyncContext, resource: LowVolume, pair: Pair): Promise<void> {
  const ours = present(pair.ours, 'what is sent');
  const remoteKey = present(pair.theirs?.key ?? pair.link?.remote_key, 'what is changed there');
  const name = nameOf(resource, ours);
  const reason = gapOf(context, resource, 'update', ours);
  const there = reason === null ? translated(resource, ours, toThere(context)) : null;
  if (there === null) return cannotMove(context, resource, name, reason ?? 'What it belongs to is not at the remote.', ours.id);
  if (!context.preview) {
    const theirs = pair.theirs?.fields ?? {};
    const names = Object.keys(ours.fields).filter((field) => JSON.stringify(ours.fields[field]) !== JSON.stringify(theirs[field]));
    const changes = Object.fromEntries(names.map((field) => [field, there.fields[field]]));
    const answer = await context.remote.side.change(resource, remoteKey, { changes, whole: { ...there.extra, ...there.fields } });
    if (!answer.ok)
      return tellRefusal(context, answer.error, { resource, name, here: false, conflict: conflictOf(resource, ours, remoteKey) });
    linkTo(context, resource, ours, remoteKey);
  }
  moved(context, 'sent', { resource, act: 'changed', name, localId: ours.id });
}
