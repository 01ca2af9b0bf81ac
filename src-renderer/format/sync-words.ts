import type { SyncActivity, SyncDeletions, SyncRemote, SyncRun, SyncVerified } from '../../src-shared/contract/index.ts';
import { grouped } from '../../src-shared/values/notation.ts';
import { say } from '../../src-shared/words/say.ts';
import { bytesText, countText } from './counts.ts';

export interface SyncStep {
  readonly name: string;
  readonly state: 'done' | 'now' | 'to_come';
  readonly words: readonly string[];
}

type Phase = SyncActivity['phase'];

/** Names of a step before it begins, while it runs, and after it. */
const NAMES: Readonly<Record<Exclude<Phase, 'ended'>, readonly [string, string, string]>> = {
  backing_up: [say('sync.names.backUp'), say('sync.names.backingUp'), say('sync.names.backedUp')],
  connecting: [say('sync.names.connect'), say('sync.names.connecting'), say('sync.names.connected')],
  comparing: [say('sync.names.compare'), say('sync.names.comparing'), say('sync.names.compared')],
  moving: [say('sync.names.move'), say('sync.names.moving'), say('sync.names.moved')],
  verifying: [say('sync.names.verify'), say('sync.names.verifying'), say('sync.names.verified')],
};

function phasesOf({ what, phase, backup }: Pick<SyncActivity, 'what' | 'phase' | 'backup'>): readonly Exclude<Phase, 'ended'>[] {
  if (what === 'preview') return ['connecting', 'comparing'];
  if (what === 'verify') return ['connecting', 'verifying'];
  const isBackedUp = phase === 'backing_up' || backup !== null;
  return [...(isBackedUp ? (['backing_up'] as const) : []), 'connecting', 'comparing', 'moving', 'verifying'];
}

function wordsOf(name: Phase, state: SyncStep['state'], activity: SyncActivity): string[] {
  if (name === 'backing_up') return activity.backup === null ? [] : [bytesText(activity.backup.bytes)];
  if (name === 'verifying' && state === 'to_come') return [say('sync.syncSteps.countsSumsAndFingerprints')];
  if (name === 'comparing' && state === 'done')
    return activity.total === null ? [] : [say('sync.syncSteps.toMove', { total: countText(activity.total) })];
  if (state !== 'now') return name === 'moving' && state === 'done' ? [movedText(activity)] : [];
  const progress = name === 'moving' ? [movedText(activity)] : [];
  if (activity.waits !== null) return [...progress, say('sync.syncSteps.waitsForTheNetwork')];
  return [...progress, ...(activity.now === null ? [] : [activity.now])];
}

/** Returns `414 of 772`, or only the first number when the total is unknown. */
export function movedText({ done, total }: { readonly done: number; readonly total: number | null }): string {
  return total === null ? countText(done) : say('sync.syncSteps.of', { done: countText(done), total: countText(total) });
}

/** Returns the steps of a running sync: the finished, the current and the coming ones. */
export function stepsOf(activity: SyncActivity): SyncStep[] {
  const phases = phasesOf(activity);
  const at = activity.phase === 'ended' ? phases.length : phases.indexOf(activity.phase);
  return phases.map((name, place) => {
    const state = place < at ? 'done' : place === at ? 'now' : 'to_come';
    return { name: NAMES[name][state === 'done' ? 2 : state === 'now' ? 1 : 0], state, words: wordsOf(name, state, activity) };
  });
}

/** Returns the finished share of a bar, 0 to 100; null when the total is unknown. */
export function shareOf({ done, total }: { readonly done: number; readonly total: number | null }): number | null {
  if (total === null) return null;
  return total === 0 ? 100 : Math.min(100, (done / total) * 100);
}

/** Returns an instant to the second in the reader's time zone, `09:14:38`. */
export function secondText(at: string): string {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  return [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map((value) => String(value).padStart(2, '0')).join(':');
}

type SyncQuestion = NonNullable<SyncRemote['question']>;

export const QUESTION_TITLES: Readonly<Record<SyncQuestion['code'], string>> = {
  remote_is_another: say('sync.questionTitles.remoteIsAnother'),
  remote_lost_history: say('sync.questionTitles.otherSideLostHistory'),
  book_was_put_back: say('sync.questionTitles.bookWasPutBack'),
  sync_was_undone: say('sync.questionTitles.syncWasUndone'),
  accounts_differ: say('sync.questionTitles.accountsDiffer'),
};

interface ChoiceWords {
  readonly label: string;
  /** Explains the consequences. */
  readonly about: string;
}

/** Returns an answer as the label of its button, and its consequences. */
export function choiceWords({ code }: Pick<SyncQuestion, 'code'>, choice: SyncQuestion['choices'][number], name: string): ChoiceWords {
  switch (choice) {
    case 'known':
      return { label: say('sync.syncQuestions.yesItHasMoved'), about: say('sync.syncQuestions.itIsAtAnother', { name }) };
    case 'send_again':
      if (code === 'book_was_put_back')
        return { label: say('sync.syncQuestions.sendIt'), about: say('sync.syncQuestions.whatOnlyThisBook', { name }) };
      return { label: say('sync.syncQuestions.sendItAgain'), about: say('sync.syncQuestions.whatHasLostGoesThereAgain', { name }) };
    case 'take':
      return code === 'sync_was_undone'
        ? {
            label: say('sync.syncQuestions.takeItAgain'),
            about: say('sync.syncQuestions.whatTheSyncBrought'),
          }
        : {
            label: code === 'book_was_put_back' ? say('sync.syncQuestions.takeAsItIs', { name }) : say('sync.syncQuestions.takeItAsItIs'),
            about: say('sync.syncQuestions.whatIsGoneAtIsDeleted', { name }),
          };
    case 'keep':
      return {
        label: say('sync.syncQuestions.keepWhatIsHere'),
        about: say('sync.syncQuestions.whatTheSyncDeleted', { name }),
      };
    case 'go_on':
      if (code === 'accounts_differ')
        return { label: say('sync.syncQuestions.itIsTheSameAccount'), about: say('sync.syncQuestions.linesOfBothGoTogether') };
      return { label: say('sync.syncQuestions.goOn'), about: say('sync.syncQuestions.bothSidesAreCompared') };
  }
}

/** The amount that was done at an instant, in milliseconds since 1970. */
export interface Seen {
  readonly atMs: number;
  readonly done: number;
}

const SAYS_LITTLE_MS = 4_000;

/** Returns `about 20 s left`, from the speed since `first`. Null while too little time has passed for an estimate. */
export function timeLeftText(first: Seen, now: Seen, total: number | null): string | null {
  const [tookMs, moved] = [now.atMs - first.atMs, now.done - first.done];
  if (total === null || tookMs < SAYS_LITTLE_MS || moved <= 0 || now.done >= total) return null;
  const seconds = ((total - now.done) * tookMs) / moved / 1_000;
  if (seconds <= 5) return say('common.timeLeft.aFewSecondsLeft');
  if (seconds <= 50) return say('common.timeLeft.aboutSLeft', { ceil: Math.ceil(seconds / 10) * 10 });
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60
    ? say('common.timeLeft.aboutMinLeft', { minutes })
    : say('common.timeLeft.aboutHLeft', { ceil: Math.ceil(minutes / 60) });
}

type Row = SyncVerified['rows'][number];
type Sum = Row['local']['sum'];

const MINUS = '−';

/** Returns the part of a fingerprint that a person compares by eye: `a41c 90e2`. */
export function fingerprint(hash: string): string {
  return `${hash.slice(0, 4)} ${hash.slice(4, 8)}`.trim();
}

/** Returns a sum of any size. A sum that a number cannot hold exactly is formatted from its digits. */
export function sumText(sum: Sum | bigint, decimalPlaces: number): string {
  const minor = BigInt(sum);
  const digits = String(minor < 0n ? -minor : minor).padStart(decimalPlaces + 1, '0');
  const whole = digits.slice(0, digits.length - decimalPlaces);
  const fraction = digits.slice(digits.length - decimalPlaces);
  return `${minor < 0n ? MINUS : ''}${grouped(`${whole}${decimalPlaces === 0 ? '' : `.${fraction}`}`)}`;
}

/** Returns the sum of one side: an amount for lines, the number of their lines for matches. */
export function sideSumText({ resource, decimal_places: places }: Pick<Row, 'resource' | 'decimal_places'>, sum: Sum | bigint): string {
  return sumText(sum, resource === 'matches' ? 0 : places);
}

/** Returns local minus remote. */
export function differenceOf({ local, remote }: Pick<Row, 'local' | 'remote'>): { readonly count: number; readonly sum: bigint } {
  return { count: local.count - remote.count, sum: BigInt(local.sum) - BigInt(remote.sum) };
}

/** Returns the state of one stream or reconciliation. */
export function rowState({ equal, to_decide: toDecide }: Pick<Row, 'equal' | 'to_decide'>): SyncState {
  if (equal) return { tone: 'done', words: say('sync.syncAgreement.agrees') };
  return toDecide > 0
    ? { tone: 'open', words: say('sync.syncAgreement.waitsForYou') }
    : { tone: 'broken', words: say('sync.syncAgreement.differs') };
}

const rank = (row: Row): number => (row.equal ? 2 : row.to_decide > 0 ? 1 : 0);

/** Returns the rows of one kind, those that differ first. */
export function rowsOf({ rows }: Pick<SyncVerified, 'rows'>, resource: Row['resource']): Row[] {
  return rows.filter((row) => row.resource === resource).toSorted((left, right) => rank(left) - rank(right));
}

/** Returns whether a repair would do something. Rows that wait for a decision are not repaired. */
export function isRepairable({ rows }: Pick<SyncVerified, 'rows'>): boolean {
  return rows.some((row) => !row.equal && row.to_decide === 0);
}

interface Ending {
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
export function deletedText({ here, there }: Pick<SyncDeletions, 'here' | 'there'>): string {
  const sides = [
    [here, 'here'],
    [there, 'there'],
  ] as const;
  return sides.flatMap(([count, side]) => (count === 0 ? [] : [`${countText(count)} ${side}`])).join(' and ');
}

/** Returns the number of deletions that a sync made: 0 when they wait for consent. */
export function deletedBy({ deletions, state }: Pick<SyncRun, 'deletions' | 'state'>): number {
  return state === DELETIONS_WAIT ? 0 : deletions.count;
}

function movedWords(run: Moved): string {
  const { sent_total: sent, received_total: received } = run;
  if (sent + received === 0) return say('sync.syncEnding.nothingHadToMove');
  const counts = { sent: countText(sent), received: countText(received) };
  if (deletedBy(run) === 0) return say('sync.syncEnding.sentReceived', counts);
  return say('sync.syncEnding.sentReceivedDeleted', { ...counts, deleted: deletedText(run.deletions) });
}

function keptWords(run: Moved | undefined): string {
  if (run === undefined || run.sent_total + run.received_total === 0) return say('sync.syncEnding.nothingHasMoved');
  return say('sync.syncEnding.whatHasMovedStays', { moved: movedWords(run).toLowerCase() });
}

/** Returns the result of the last sync; null while it is running. `run` is its entry in the history, undefined until that is loaded. */
export function endingOf(activity: SyncActivity, run: SyncRun | undefined): Ending | null {
  if (activity.ended_at === null) return null;
  const noun = NOUNS[activity.what];
  const isMoving = activity.what === 'sync' || activity.what === 'repair';
  if (activity.error?.code === DELETIONS_WAIT) {
    return {
      tone: 'open',
      title: say('sync.syncEnding.theWaitsForYourWord', { noun }),
      words: `${activity.error.message} ${keptWords(run)}`,
    };
  }
  if (activity.error !== null) {
    return {
      tone: 'broken',
      title: say('sync.syncEnding.theBrokeOff', { noun }),
      words: `${activity.error.message}${isMoving ? ` ${keptWords(run)}` : ''}`,
    };
  }
  if (activity.cancelled) {
    const goesOn = isMoving
      ? say('sync.syncEnding.theNextSyncGoesOnFromThere', { kept: keptWords(run) })
      : say('sync.syncEnding.nothingWasChanged');
    return { tone: 'none', title: say('sync.syncEnding.theWasCancelled', { noun }), words: goesOn };
  }
  if (run === undefined) return { tone: 'done', title: say('sync.syncEnding.theCameToItsEnd', { noun }), words: '' };
  const decide = run.to_decide === 0 ? '' : ` ${say('sync.syncEnding.forYourDecision', { toDecide: run.to_decide })}`;
  const verb = run.what === 'repair' ? say('sync.syncEnding.repaired') : say('sync.syncEnding.synced');
  const refused = run.refused.length;
  const title =
    run.state === 'agrees'
      ? say('sync.syncEnding.bothSidesAgree')
      : refused === 0
        ? verb
        : say('sync.syncEnding.refused', { verb, refused: countText(refused) });
  const tone = refused > 0 ? 'broken' : run.to_decide > 0 ? 'open' : 'done';
  return { tone, title, words: `${movedWords(run)}${decide}` };
}

/** The shapes of `components/state-badge.tsx` that sync uses. */
type SyncTone = 'done' | 'open' | 'broken' | 'under_way' | 'none';

interface SyncState {
  readonly tone: SyncTone;
  readonly words: string;
}

const UNDER_WAY: Readonly<Record<SyncActivity['what'], string>> = {
  preview: say('sync.underWay.preview'),
  sync: say('sync.underWay.sync'),
  verify: say('sync.underWay.verify'),
  repair: say('sync.underWay.repair'),
};

/** Returns a word for the running activity; null when it has ended. */
export function activityState(activity: Pick<SyncActivity, 'what' | 'ended_at' | 'waits'> | null | undefined): SyncState | null {
  if (activity === null || activity === undefined || activity.ended_at !== null) return null;
  return activity.waits === null
    ? { tone: 'under_way', words: UNDER_WAY[activity.what] }
    : { tone: 'open', words: say('sync.syncStates.noNetwork') };
}

/** Returns a word or two for the state of a remote. */
export function remoteState(remote: Pick<SyncRemote, 'state' | 'to_decide' | 'waiting'>): SyncState {
  switch (remote.state) {
    case 'not_synced':
      return { tone: 'none', words: say('sync.syncStates.notSyncedYet') };
    case 'under_way':
      return { tone: 'under_way', words: say('sync.syncStates.syncing') };
    case 'no_network':
      return { tone: 'open', words: say('sync.syncStates.noNetwork') };
    case 'to_decide':
      return { tone: 'open', words: say('sync.syncStates.toDecide', { toDecide: countText(remote.to_decide) }) };
    case 'deletions_wait':
      return { tone: 'open', words: say('sync.syncStates.deletionsWait') };
    case 'asks':
      return { tone: 'open', words: say('sync.syncStates.asksYou') };
    case 'waiting':
      return { tone: 'none', words: say('sync.syncStates.waiting', { waiting: countText(remote.waiting) }) };
    case 'agrees':
      return { tone: 'done', words: say('sync.syncStates.agrees') };
    case 'failed':
      return { tone: 'broken', words: say('sync.syncStates.failed') };
  }
}

/** Returns the state of a finished sync. */
export function runState(
  run: Pick<SyncRun, 'state' | 'to_decide' | 'refused' | 'unsure' | 'sent_total' | 'received_total' | 'deletions' | 'undone_at'>,
): SyncState {
  if (run.undone_at !== null) return { tone: 'none', words: say('sync.syncStates.undoneHere') };
  const moved = run.sent_total + run.received_total;
  switch (run.state) {
    case 'under_way':
      return { tone: 'under_way', words: say('sync.syncStates.underWay') };
    case 'agrees':
      return { tone: 'done', words: say('sync.syncStates.agrees') };
    case 'to_decide':
      return { tone: 'open', words: say('sync.syncStates.toDecide', { toDecide: countText(run.to_decide) }) };
    case 'deletions_wait':
      return {
        tone: 'open',
        words: `${countText(run.deletions.count)} ${run.deletions.count === 1 ? say('sync.syncStates.oneDeletionWaits') : say('sync.syncStates.severalDeletionsWait')}`,
      };
    case 'asked':
      return { tone: 'open', words: say('sync.syncStates.askedYou') };
    case 'refused':
      if (run.refused.length === 0)
        return { tone: 'open', words: say('sync.syncStates.notSure', { unsure: countText(run.unsure.length) }) };
      return { tone: 'broken', words: say('sync.syncStates.refused', { refused: countText(run.refused.length) }) };
    case 'no_network':
      return { tone: 'open', words: say('sync.syncStates.noNetworkAt', { moved }) };
    case 'broke_off':
      return { tone: 'broken', words: say('sync.syncStates.brokeOff', { moved }) };
    case 'cancelled':
      return { tone: 'none', words: say('sync.syncStates.cancelled', { moved }) };
  }
}

const TRIGGERS: Readonly<Record<SyncRun['trigger'], string>> = {
  by_hand: say('sync.triggers.byHand'),
  schedule: say('sync.triggers.schedule'),
  network: say('sync.triggers.network'),
  command: say('sync.triggers.command'),
};

/** Returns what started a sync: `by hand`, `first sync, on schedule`. */
export function runOrigin({ trigger, what, is_first: isFirst }: Pick<SyncRun, 'trigger' | 'what' | 'is_first'>): string {
  const name = what === 'repair' ? 'repair' : isFirst ? say('sync.syncStates.firstSync') : null;
  if (name === null) return TRIGGERS[trigger];
  return trigger === 'by_hand' ? name : `${name}, ${TRIGGERS[trigger]}`;
}
