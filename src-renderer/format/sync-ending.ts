import type { SyncActivity, SyncDeletions, SyncRun } from '../../src-shared/contract/index.ts';
import { countText } from './counts.ts';
import type { SyncTone } from './sync-states.ts';
import { say } from '../../src-shared/words/say.ts';

export interface Ending {
  readonly tone: Exclude<SyncTone, 'under_way'>;
  readonly title: string;
  readonly words: string;
}

/** State of a sync that would delete more than is allowed without a person's consent. */
const DELETIONS_WAIT = 'deletions_wait';

const NOUNS: Readonly<Record<SyncActivity['what'], string>> = {
  preview: say('sync.nouns.preview'),
  sync: say('sync.nouns.sync'),
  verify: say('sync.nouns.verify'),
  repair: say('sync.nouns.repair'),
};

type Moved = Pick<SyncRun, 'sent_total' | 'received_total' | 'deletions' | 'state'>;

/** Returns how many objects a sync deletes on each side: `558 here`, `2 here and 1 there`. */
export function deletedText({ here, there }: Pick<SyncDeletions, 'here' | 'there'>, locale?: string): string {
  const sides = [
    [here, 'here'],
    [there, 'there'],
  ] as const;
  return sides.flatMap(([count, side]) => (count === 0 ? [] : [`${countText(count, locale)} ${side}`])).join(' and ');
}

/** Returns the number of deletions that a sync made: 0 when they wait for consent. */
export function deletedBy({ deletions, state }: Pick<SyncRun, 'deletions' | 'state'>): number {
  return state === DELETIONS_WAIT ? 0 : deletions.count;
}

function movedWords(run: Moved, locale?: string): string {
  const { sent_total: sent, received_total: received } = run;
  if (sent + received === 0) return say('sync.syncEnding.nothingHadToMove');
  const deleted = deletedBy(run) === 0 ? '' : say('sync.syncEnding.deleted', { deleted: deletedText(run.deletions, locale) });
  return say('sync.syncEnding.sentReceived', { sent: countText(sent, locale), received: countText(received, locale), deleted });
}

function keptWords(run: Moved | undefined, locale?: string): string {
  if (run === undefined || run.sent_total + run.received_total === 0) return say('sync.syncEnding.nothingHasMoved');
  return say('sync.syncEnding.whatHasMovedStays', { moved: movedWords(run, locale).toLowerCase() });
}

/** Returns the result of the last sync; null while it is running. `run` is its entry in the history, undefined until that is loaded. */
export function endingOf(activity: SyncActivity, run: SyncRun | undefined, locale?: string): Ending | null {
  if (activity.ended_at === null) return null;
  const noun = NOUNS[activity.what];
  const isMoving = activity.what === 'sync' || activity.what === 'repair';
  if (activity.error?.code === DELETIONS_WAIT) {
    return {
      tone: 'open',
      title: say('sync.syncEnding.theWaitsForYourWord', { noun }),
      words: `${activity.error.message} ${keptWords(run, locale)}`,
    };
  }
  if (activity.error !== null) {
    return {
      tone: 'broken',
      title: say('sync.syncEnding.theBrokeOff', { noun }),
      words: `${activity.error.message}${isMoving ? ` ${keptWords(run, locale)}` : ''}`,
    };
  }
  if (activity.cancelled) {
    const goesOn = isMoving
      ? say('sync.syncEnding.theNextSyncGoesOnFromThere', { kept: keptWords(run, locale) })
      : say('sync.syncEnding.nothingWasChanged');
    return { tone: 'none', title: say('sync.syncEnding.theWasCancelled', { noun }), words: goesOn.trim() };
  }
  if (run === undefined) return { tone: 'done', title: say('sync.syncEnding.theCameToItsEnd', { noun }), words: '' };
  const decide = run.to_decide === 0 ? '' : say('sync.syncEnding.forYourDecision', { toDecide: run.to_decide }, locale);
  const refused = run.refused.length === 0 ? '' : say('sync.syncEnding.refused', { refused: countText(run.refused.length, locale) });
  const title =
    run.state === 'agrees'
      ? say('sync.syncEnding.bothSidesAgree')
      : `${run.what === 'repair' ? say('sync.syncEnding.repaired') : say('sync.syncEnding.synced')}${refused}`;
  const tone = run.refused.length > 0 ? 'broken' : run.to_decide > 0 ? 'open' : 'done';
  return { tone, title, words: `${movedWords(run, locale)}${decide}` };
}
