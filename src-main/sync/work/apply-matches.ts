import type { SyncContext } from './context.ts';
import { cannotMove, moved, tellRefusal, tellUnsure } from './told.ts';
import type { ConflictDetail } from '../store/conflict-detail.ts';
import { matchDetail } from './conflict-detail.ts';
import { noteDeleted } from './deleted.ts';
import { setHash } from './hashes.ts';
import type { Answer, Refusal } from './answers.ts';
import type { MatchContent } from './resources.ts';
import { sendOnce } from './sending.ts';
import type { HereMatch, ThereMatch } from './both-sides.ts';
import { matchesThere } from './both-sides.ts';
import type { MatchPlan } from './match-plan.ts';
import { conflictRecords, setName } from './match-set-name.ts';

/** A match that a closed period keeps as it is. */
function closedDetail(
  context: SyncContext,
  reconciliation: MatchPlan['reconciliation'],
  { localId, key, here, records }: { localId: number | null; key: string | null; here: boolean; records: readonly number[] },
): ConflictDetail {
  const shown = conflictRecords(context, records);
  const detail = matchDetail({
    reconciliation,
    ours: localId === null ? null : shown,
    theirs: key === null ? null : shown,
    adjustments: { here: null, there: null },
  });
  return { ...detail, words: `${detail.words}, the period is closed ${here ? 'here' : 'there'}` };
}

function tell(
  context: SyncContext,
  { reconciliation }: MatchPlan,
  error: Refusal,
  about: { localId: number | null; key: string | null; here: boolean; records: readonly number[] },
): void {
  const name = `${reconciliation.name}: match ${about.localId ?? about.key ?? ''}`;
  tellRefusal(context, error, {
    resource: 'matches',
    name,
    here: about.here,
    conflict: {
      kind: 'closed_period',
      resource: 'matches',
      localId: about.localId,
      remoteKey: about.key,
      what: name,
      local: about.localId === null ? 'not matched' : 'matched',
      remote: about.key === null ? 'not matched' : 'matched',
      detail: closedDetail(context, reconciliation, about),
    },
  });
}

const matchName = (context: SyncContext, { reconciliation }: MatchPlan, records: readonly number[]): string =>
  setName(context, reconciliation.name, records);

async function removedHere(context: SyncContext, plan: MatchPlan, match: HereMatch): Promise<boolean> {
  const answer = await context.local.removeMatch(String(match.id));
  if (answer.ok) noteDeleted(context.links, 'matches', match.id);
  else
    tell(context, plan, answer.error, {
      localId: match.id,
      key: context.links('matches').ofLocal(match.id)?.remote_key ?? null,
      here: true,
      records: match.records,
    });
  return answer.ok;
}

async function removedThere(context: SyncContext, plan: MatchPlan, match: ThereMatch): Promise<boolean> {
  const links = context.links('matches');
  const localId = links.ofRemote(match.key)?.local_id;
  const answer = await context.remote.side.removeMatch(match.key);
  if (!answer.ok) tell(context, plan, answer.error, { localId: null, key: match.key, here: false, records: match.records ?? [] });
  else if (localId !== undefined) noteDeleted(context.links, 'matches', localId);
  return answer.ok;
}

/** Takes matches apart, on both sides, so that their records can be changed and matched otherwise. */
export async function takeApart(context: SyncContext, plan: MatchPlan): Promise<void> {
  const { remote, preview } = context;
  const gap = remote.dialect.gaps['matches.remove'];
  for (const match of plan.removeHere) {
    const name = matchName(context, plan, match.records);
    if (preview || (await removedHere(context, plan, match)))
      moved(context, 'received', { resource: 'matches', act: 'removed', name, localId: null });
  }
  for (const match of plan.removeThere) {
    if (gap !== undefined) cannotMove(context, 'matches', `${plan.reconciliation.name}: match ${match.key}`, gap);
    else if (preview || (await removedThere(context, plan, match)))
      moved(context, 'sent', { resource: 'matches', act: 'removed', name: matchName(context, plan, match.records ?? []), localId: null });
  }
  if (preview) return;
  for (const match of plan.againHere) await removedHere(context, plan, match);
  if (gap === undefined) for (const { there } of plan.againThere) await removedThere(context, plan, there);
  context.links('matches').save();
}

/** The id here; null where it was not made. */
async function make(context: SyncContext, plan: MatchPlan, match: ThereMatch): Promise<number | null> {
  const links = context.links('records');
  // Looked up now: a record that was brought back has another id than before.
  const records = match.members.map((key) => links.ofRemote(key)?.local_id ?? 0);
  const content: MatchContent = { records: records.map(String), adjustment: match.adjustment, reason: match.reason };
  const answer = await context.local.makeMatch(String(plan.reconciliation.localId), content);
  const hash = setHash(records, match.adjustment !== null);
  if (answer.ok) context.links('matches').put({ local_id: answer.value.id, remote_key: match.key, local_hash: hash, remote_hash: hash });
  else tell(context, plan, answer.error, { localId: null, key: match.key, here: true, records });
  return answer.ok ? answer.value.id : null;
}

async function lookFor(context: SyncContext, plan: MatchPlan, hash: string): Promise<{ key: string; id: number } | undefined> {
  const there = await matchesThere(context, plan.reconciliation.remoteKey, []);
  const found = there.find((match) => match.hash === hash && !match.isStranded);
  return found === undefined ? undefined : { key: found.key, id: Number(found.key) };
}

const SOUGHT_AGAIN = 'Its answer was lost, and it is not seen there: the next sync looks again, and sends it if it is not there then.';

async function send(context: SyncContext, plan: MatchPlan, match: HereMatch): Promise<boolean> {
  const links = context.links('records');
  const name = `${plan.reconciliation.name}: match ${match.id}`;
  const records = match.records.map((id) => links.ofLocal(id)?.remote_key ?? '');
  if (context.preview) return true;
  if (records.includes('')) {
    cannotMove(context, 'matches', name, 'A record of it is not at the remote.', match.id);
    return false;
  }
  const content: MatchContent = { records, adjustment: match.adjustment, reason: match.reason };
  const answer: Answer<{ key: string; id: number }> | 'unsure' = await sendOnce(context, {
    resource: 'matches',
    localId: match.id,
    words: name,
    body: { ...content, records: records.toSorted() },
    send: (key) => context.remote.side.makeMatch(plan.reconciliation.remoteKey, content, key),
    look: () => lookFor(context, plan, match.hash),
  });
  if (answer === 'unsure') {
    tellUnsure(context, 'matches', name, SOUGHT_AGAIN, match.id);
    return false;
  }
  if (!answer.ok) {
    tell(context, plan, answer.error, { localId: match.id, key: null, here: false, records: match.records });
    return false;
  }
  context.links('matches').put({ local_id: match.id, remote_key: answer.value.key, local_hash: match.hash, remote_hash: match.hash });
  context.links('matches').save();
  return true;
}

const SAVE_EVERY = 50;

/** Makes on each side what only the other has, and again what was taken apart for a record's sake. */
export async function tieTogether(context: SyncContext, plan: MatchPlan): Promise<void> {
  const links = context.links('matches');
  if (!context.preview) {
    for (const { here } of plan.againThere) await send(context, plan, here);
    for (const match of plan.againHere) await makeAgainHere(context, plan, match);
  }
  for (const [place, match] of plan.makeHere.entries()) {
    context.signal.throwIfAborted();
    const id = context.preview ? null : await make(context, plan, match);
    const name = matchName(context, plan, match.records ?? []);
    if (context.preview || id !== null) moved(context, 'received', { resource: 'matches', act: 'made', name, localId: id });
    if (place % SAVE_EVERY === SAVE_EVERY - 1) links.save();
  }
  links.save();
  for (const match of plan.makeThere) {
    context.signal.throwIfAborted();
    const name = matchName(context, plan, match.records);
    if (await send(context, plan, match)) moved(context, 'sent', { resource: 'matches', act: 'made', name, localId: match.id });
  }
}

/** The remote's match stands; the book's was taken apart for a change of a record in it. */
async function makeAgainHere(context: SyncContext, plan: MatchPlan, match: HereMatch): Promise<void> {
  const content: MatchContent = { records: match.records.map(String), adjustment: match.adjustment, reason: match.reason };
  const answer = await context.local.makeMatch(String(plan.reconciliation.localId), content);
  // Without a link the next sync recognises it by its records, or makes it anew from the remote's.
  if (!answer.ok) tell(context, plan, answer.error, { localId: match.id, key: null, here: true, records: match.records });
}
