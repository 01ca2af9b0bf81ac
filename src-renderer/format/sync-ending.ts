import type { SyncActivity, SyncRun } from '../../src-shared/contract/index.ts';
import { countText } from './counts.ts';
import type { SyncTone } from './sync-states.ts';

export interface Ending {
  readonly tone: Exclude<SyncTone, 'under_way'>;
  readonly title: string;
  readonly words: string;
}

/** More would be deleted than goes without a person's word. */
export const DELETIONS_WAIT = 'deletions_wait';

const NOUNS: Readonly<Record<SyncActivity['what'], string>> = {
  preview: 'comparison',
  sync: 'sync',
  verify: 'verification',
  repair: 'repair',
};

type Moved = Pick<SyncRun, 'sent_total' | 'received_total'>;

function movedWords({ sent_total: sent, received_total: received }: Moved, locale?: string): string {
  if (sent + received === 0) return 'Nothing had to move.';
  return `Sent ${countText(sent, locale)}, received ${countText(received, locale)}.`;
}

function keptWords(run: Moved | undefined, locale?: string): string {
  const moved = run === undefined ? 0 : run.sent_total + run.received_total;
  if (moved === 0) return 'Nothing has moved.';
  return `What has moved stays moved: ${movedWords(run ?? { sent_total: 0, received_total: 0 }, locale).toLowerCase()}`;
}

const verb = (count: number): string => (count === 1 ? 'waits' : 'wait');

/** What came of the last sync; `run` is its entry in the history, once that is read. Null while it goes on. */
export function endingOf(activity: SyncActivity, run: SyncRun | undefined, locale?: string): Ending | null {
  if (activity.ended_at === null) return null;
  const noun = NOUNS[activity.what];
  const isMoving = activity.what === 'sync' || activity.what === 'repair';
  if (activity.error?.code === DELETIONS_WAIT) {
    return { tone: 'open', title: `The ${noun} waits for your word`, words: `${activity.error.message} ${keptWords(run, locale)}` };
  }
  if (activity.error !== null) {
    return {
      tone: 'broken',
      title: `The ${noun} broke off`,
      words: `${activity.error.message}${isMoving ? ` ${keptWords(run, locale)}` : ''}`,
    };
  }
  if (activity.cancelled) {
    const goesOn = isMoving ? ` ${keptWords(run, locale)} The next sync goes on from there.` : ' Nothing was changed.';
    return { tone: 'none', title: `The ${noun} was cancelled`, words: goesOn.trim() };
  }
  if (run === undefined) return { tone: 'done', title: `The ${noun} came to its end`, words: '' };
  const decide = run.to_decide === 0 ? '' : ` ${countText(run.to_decide, locale)} ${verb(run.to_decide)} for your decision.`;
  const refused = run.refused.length === 0 ? '' : `, ${countText(run.refused.length, locale)} refused`;
  const title = run.state === 'agrees' ? 'Both sides agree' : `${run.what === 'repair' ? 'Repaired' : 'Synced'}${refused}`;
  const tone = run.refused.length > 0 ? 'broken' : run.to_decide > 0 ? 'open' : 'done';
  return { tone, title, words: `${movedWords(run, locale)}${decide}` };
}
