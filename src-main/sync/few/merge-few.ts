import type { SyncContext } from '../context.ts';
import { nameOf } from '../conflicts/conflict-words.ts';
import { mergedFields } from '../identity/agreed.ts';
import type { Few, Fields } from '../model/resources.ts';
import { conflictOf, giveHere } from '../pull/pull-few.ts';
import { changeThere } from '../push/push-few.ts';
import { moved, tellRefusal } from '../told.ts';
import { metOf, type Pair } from './pairs.ts';

/** The edits of both sides in one; null where they are of the same field, or nobody knows of which. */
export function mergedOf(resource: Few, { ours, theirs, link }: Pair): Fields | null {
  if (ours === null || theirs === null) return null;
  return mergedFields(resource, { agreed: link?.agreed ?? null, ours: ours.fields, theirs: theirs.fields });
}

/**
 * Gives an object that both sides edited in different fields both edits. The link changes with the second half alone, so after a sync that ends between the two the
 * next one sends what is left. Two edits that do not go together, as those of a rule may not, are a conflict.
 */
export async function mergeBoth(context: SyncContext, resource: Few, pair: Pair): Promise<void> {
  const { ours, theirs } = pair;
  const fields = mergedOf(resource, pair);
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
