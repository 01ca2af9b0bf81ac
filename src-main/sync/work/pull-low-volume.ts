import type { SyncContext } from './context.ts';
import { moved, tellRefusal } from './told.ts';
import { ERRORS } from '../../../src-shared/contract/errors.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { differingWords, lowVolumeDetail, type Met, nameOf, whatOf } from './conflict-book.ts';
import { hashOfItem, type Pair } from './links.ts';
import { agreedOn } from './agreed-history.ts';
import type { Answer, Refusal } from './answers.ts';
import type { LowVolume, Fields, Item } from './resources.ts';

/** Refusals after which a rule is kept all the same. */
const UNUSABLE: ReadonlySet<string> = new Set(['invalid_rule', 'validation_failed', 'unknown_field']);

export function conflictOf(resource: LowVolume, { ours, theirs }: Pair): Met {
  const item = present(theirs, 'what is pulled');
  const local = ours === null ? phrase('sync.pullLowVolume.notInTheBook') : differingWords(ours.fields, item.fields);
  return {
    kind: 'closed_period',
    resource,
    localId: ours?.id ?? null,
    remoteKey: item.key,
    what: whatOf(resource, item),
    local,
    remote: differingWords(item.fields, ours?.fields ?? null),
    detail: { ...lowVolumeDetail(resource, ours, item), words: phrase('sync.pullLowVolume.changedThereThePeriodIsClosed') },
  };
}

function linkTo(context: SyncContext, resource: LowVolume, { id, ours, theirs }: { id: number; ours: Item | null; theirs: Item }): void {
  const hash = hashOfItem(theirs) ?? '';
  // The fields of an import are complete only after its lines have moved, so nothing is agreed by field yet.
  const agreed = resource === 'imports' ? null : agreedOn(resource, theirs.fields);
  // If the service changed the content, the next sync notices; until then both sides count as equal.
  context.links(resource).put({ local_id: ours?.id ?? id, remote_key: theirs.key, local_hash: hash, remote_hash: hash, agreed });
  context.links(resource).save();
}

/** Keeps a refused rule paused. Returns its local id, or null if it was not kept. */
function keepIfRule(
  context: SyncContext,
  resource: LowVolume,
  { ours, theirs }: { ours: Item | null; theirs: Item },
  error: Refusal,
): number | null {
  if (resource !== 'rules' || !UNUSABLE.has(error.code)) return null;
  const fields: Fields = { ...theirs.extra, ...theirs.fields };
  const id = context.keepRule({ id: ours?.id ?? null, fields, reason: error.message });
  linkTo(context, resource, { id, ours, theirs });
  return id;
}

/** Creates a remote object in the book. */
export async function makeHere(context: SyncContext, resource: LowVolume, pair: Pair): Promise<void> {
  const theirs = present(pair.theirs, 'what is pulled');
  const name = nameOf(resource, theirs);
  let localId: number | null = null;
  if (!context.preview) {
    const made = await context.local.make(resource, { ...theirs.extra, ...theirs.fields });
    localId = made.ok ? made.value.id : keepIfRule(context, resource, { ours: null, theirs }, made.error);
    if (made.ok) linkTo(context, resource, { id: made.value.id, ours: null, theirs });
    else if (localId === null) {
      tellRefusal(context, made.error, { resource, name, here: true, conflict: conflictOf(resource, pair) });
      return;
    }
  }
  moved(context, 'received', { resource, act: 'made', name, localId });
}

/** Whether a rule is paused because it could not be used; the changed rule may be usable. */
async function isKept({ local }: SyncContext, { key }: Item): Promise<boolean> {
  const answer = await local.call('rules.get', { id: key });
  return answer.ok && (answer.value as { readonly paused_reason: string | null }).paused_reason !== null;
}

/** Changes an object of the book to the content of `theirs`. */
export async function giveHere(context: SyncContext, resource: LowVolume, ours: Item, theirs: Item): Promise<Answer<null>> {
  const names = Object.keys(theirs.fields);
  const changes: Record<string, unknown> = Object.fromEntries(
    names
      .filter((name) => JSON.stringify(theirs.fields[name]) !== JSON.stringify(ours.fields[name]))
      .map((name) => [name, theirs.fields[name]]),
  );
  if (resource === 'rules' && (await isKept(context, ours))) changes['paused'] = false;
  return context.local.change(resource, ours.key, { changes, whole: { ...theirs.extra, ...theirs.fields } });
}

/** Changes a linked object of the book to the remote's content. */
export async function changeHere(context: SyncContext, resource: LowVolume, pair: Pair): Promise<void> {
  const { ours, theirs } = { ours: present(pair.ours, 'what is changed'), theirs: present(pair.theirs, 'what is pulled') };
  if (!context.preview) {
    const answer = await giveHere(context, resource, ours, theirs);
    if (answer.ok) linkTo(context, resource, { id: ours.id, ours, theirs });
    else if (keepIfRule(context, resource, { ours, theirs }, answer.error) === null) {
      tellRefusal(context, answer.error, { resource, name: nameOf(resource, theirs), here: true, conflict: conflictOf(resource, pair) });
      return;
    }
  }
  moved(context, 'received', { resource, act: 'changed', name: nameOf(resource, theirs), localId: ours.id });
}

/** Returns the HTTP status of a refusal of the service. */
export function statusOf(code: string): number {
  return code in ERRORS ? ERRORS[code as keyof typeof ERRORS].status : 500;
}
