import type { SyncContext } from './context.ts';
import { GONE, recordWords } from './conflict-words.ts';
import { recordDetail } from './conflict-detail.ts';
import type { Met } from './conflict-book.ts';
import type { Choice } from './decide.ts';
import { recordsByIds } from './local-records.ts';
import type { RecordChange, RecordPlan } from './record-plan.ts';
import type { HereMatch, ThereMatch } from './both-sides.ts';
import type { MatchPlan } from './match-plan.ts';

/** Takes changes out of a list; answers them. */
function taken(list: RecordChange[], isIt: (change: RecordChange) => boolean): RecordChange[] {
  const found = list.filter(isIt);
  const rest = list.filter((change) => !isIt(change));
  list.splice(0, list.length, ...rest);
  return found;
}

function metOf(context: SyncContext, { reconciliation }: MatchPlan, change: RecordChange, isMatchedHere: boolean): Met {
  const [row] = recordsByIds(context.database, [change.localId]);
  const content = change.content ?? row?.content;
  const words = content === undefined ? `record ${change.localId}` : recordWords(content);
  const matched = `${words}, matched in ${reconciliation.name}`;
  return {
    kind: 'record',
    resource: 'records',
    localId: change.localId,
    remoteKey: change.remoteKey,
    what: `Record of ${change.stream}: ${words}`,
    local: isMatchedHere ? matched : GONE,
    remote: isMatchedHere ? GONE : matched,
    detail: {
      ...recordDetail({
        stream: change.stream,
        localId: change.localId,
        ours: isMatchedHere ? (content ?? null) : null,
        theirs: isMatchedHere ? null : (content ?? null),
      }),
      words: isMatchedHere ? 'Matched here, deleted there' : 'Deleted here, matched there',
      reconciliation_id: reconciliation.localId,
    },
  };
}

/** What was chosen for the records of a match that the other side deleted; null in it while one is not decided, and then the choices of the others stand. */
function asked(context: SyncContext, plan: MatchPlan, gone: readonly RecordChange[], isMatchedHere: boolean): ReadonlySet<Choice | null> {
  const all = gone.map((change) => metOf(context, plan, change, isMatchedHere));
  const choices = all.map((met) => context.conflicts.meet(met));
  if (choices.includes(null)) for (const [place, met] of all.entries()) if (choices[place] !== null) context.conflicts.keep(met);
  return new Set(choices);
}

/** Whether a new match there can come here: not while a record of it was deleted here, and nobody has said what holds. */
export function isRecordThere(context: SyncContext, plan: MatchPlan, match: ThereMatch, records: RecordPlan): boolean {
  const members = new Set(match.members);
  const gone = taken(records.removeThere, ({ remoteKey }) => members.has(remoteKey));
  const choices = asked(context, plan, gone, false);
  if (choices.has(null)) return false;
  if (choices.has('keep_local')) {
    records.removeThere.push(...gone);
    plan.removeThere.push(match);
    return false;
  }
  records.bringHere.push(...gone);
  return true;
}

/** The same the other way round. */
export function isRecordHere(context: SyncContext, plan: MatchPlan, match: HereMatch, records: RecordPlan): boolean {
  const members = new Set(match.records);
  const gone = taken(records.removeHere, ({ localId }) => members.has(localId));
  const choices = asked(context, plan, gone, true);
  if (choices.has(null)) return false;
  if (choices.has('take_remote')) {
    records.removeHere.push(...gone);
    plan.removeHere.push(match);
    return false;
  }
  records.bringThere.push(...gone);
  return true;
}
