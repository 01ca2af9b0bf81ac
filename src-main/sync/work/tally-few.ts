import type { SyncContext } from './context.ts';
import { nameOf } from './conflict-words.ts';
import type { Decision } from './decide.ts';
import type { RecognisedBy, Uncertain } from './tally.ts';
import type { Few, Item } from './resources.ts';
import { COUNTED_AS } from './told.ts';
import type { Pair } from './pairs.ts';

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
export function tallyPair({ tally }: SyncContext, resource: Few, { ours, theirs, link }: Pair, decision: Decision): void {
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
export function tallyUncertain({ tally }: SyncContext, resource: Few, pairs: readonly Pair[]): void {
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
