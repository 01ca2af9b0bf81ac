import type { SyncContext } from '../context.ts';
import { cannotMove, moved, tellRefusal, tellUnsure } from '../told.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { nameOf } from '../conflicts/conflict-words.ts';
import { fewDetail } from '../conflicts/conflict-detail.ts';
import { hashOfItem, type Pair } from '../few/pairs.ts';
import { toHere, toThere, translated } from '../few/references.ts';
import { knownBy } from '../identity/recognise.ts';
import type { Few, Item } from '../model/resources.ts';
import { sendOnce } from './sending.ts';

const LOST =
  'The answer of the remote was lost, and it cannot be asked whether the object is there: look there, and make it there or here by hand.';

function conflictOf(resource: Few, item: Item, remoteKey: string | null) {
  const local = JSON.stringify(item.fields);
  return {
    kind: 'closed_period' as const,
    resource,
    localId: item.id,
    remoteKey,
    what: nameOf(resource, item),
    local,
    remote: remoteKey === null ? 'not there' : 'otherwise there',
    detail: { ...fewDetail(resource, item, null), words: 'Changed here, the period is closed there' },
  };
}

/** The reason for which an object stays here; null when it may go. */
function gapOf({ remote }: SyncContext, resource: Few, act: 'create' | 'update', item: Item): string | null {
  const { dialect } = remote;
  const gap = dialect.gaps[`${resource}.${act}`];
  if (gap !== undefined) return gap;
  const method = item.fields['method'] ?? item.extra['method'];
  if (resource === 'rules' && dialect.kind !== 'tieout' && method === 'evidence') return 'The remote has no rules of evidence.';
  return null;
}

/** The same object there, which a request whose answer got lost has made. */
async function lookFor(context: SyncContext, resource: Few, item: Item): Promise<{ key: string; id: number } | undefined> {
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

/** Makes there what only the book has. */
export async function makeThere(context: SyncContext, resource: Few, pair: Pair): Promise<void> {
  const ours = present(pair.ours, 'what is sent');
  const name = nameOf(resource, ours);
  const reason = gapOf(context, resource, 'create', ours);
  const there = reason === null ? translated(resource, ours, toThere(context)) : null;
  if (there === null) return cannotMove(context, resource, name, reason ?? 'What it belongs to is not at the remote.', ours.id);
  if (!context.preview) {
    const whole = { ...there.extra, ...there.fields };
    const isListed = context.remote.dialect.gaps[`${resource}.list`] === undefined;
    const made = await sendOnce(context, {
      resource,
      localId: ours.id,
      body: whole,
      send: (key) => context.remote.side.make(resource, whole, key),
      look: isListed ? () => lookFor(context, resource, ours) : null,
    });
    if (made === 'unsure') {
      tellUnsure(context, resource, name, LOST, ours.id);
      return;
    }
    if (!made.ok) return tellRefusal(context, made.error, { resource, name, here: false, conflict: conflictOf(resource, ours, null) });
    linkTo(context, resource, ours, made.value.key);
  }
  moved(context, 'sent', { resource, act: 'made', name, localId: ours.id });
}

function linkTo(context: SyncContext, resource: Few, ours: Item, remoteKey: string): void {
  const hash = hashOfItem(ours) ?? '';
  const links = context.links(resource);
  links.put({ local_id: ours.id, remote_key: remoteKey, local_hash: hash, remote_hash: hash });
  links.save();
}

/** Gives an object there what the book says now. */
export async function changeThere(context: SyncContext, resource: Few, pair: Pair): Promise<void> {
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
