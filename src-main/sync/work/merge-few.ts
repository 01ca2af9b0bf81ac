import { hasChosenReference } from '../store/reads.ts';
import type { SyncContext } from './context.ts';
import { nameOf } from './conflict-words.ts';
import { mergedFields } from './agreed.ts';
import type { Few, Fields, Item } from './resources.ts';
import { conflictOf, giveHere } from './pull-few.ts';
import { changeThere } from './push-few.ts';
import { moved, tellRefusal } from './told.ts';
import { metOf, type Pair } from './pairs.ts';

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
export function mergedOf(context: SyncContext, resource: Few, pair: Pair): Fields | null {
  const { ours, theirs, link } = pair;
  if (ours === null || theirs === null) return null;
  if (isFirstMeeting(resource, pair)) return firstMet(context, ours, theirs);
  return mergedFields(resource, { agreed: link?.agreed ?? null, ours: ours.fields, theirs: theirs.fields });
}

/**
 * Gives an object that both sides edited in different fields both edits. The link changes with the second half alone, so after a sync that ends between the two the
 * next one sends what is left. Two edits that do not go together, as those of a rule may not, are a conflict.
 */
export async function mergeBoth(context: SyncContext, resource: Few, pair: Pair): Promise<void> {
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
