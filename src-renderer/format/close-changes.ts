import { STATUS_WORDS } from '../../src-shared/contract/close/period-statement.ts';
import type { PeriodStatement } from '../../src-shared/contract/index.ts';
import { dateText, instantText } from './dates.ts';
import { lineLabel, type ItemStatus, withMinus } from './close-words.ts';
import { plainAmount } from './money.ts';
import { say } from '../../src-shared/words/say.ts';

type Change = PeriodStatement['changes'][number];
type Facts = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<Change['kind'], string>> = {
  record: say('close.kinds.record'),
  match: say('close.kinds.match'),
  balance: say('close.kinds.balance'),
  import: say('close.kinds.import'),
  note: say('close.kinds.note'),
};

const MEMBERS: Readonly<Record<string, string>> = {
  date: say('close.members.date'),
  amount: say('close.members.amount'),
  reference: say('close.members.reference'),
  description: say('close.members.description'),
  opening: say('close.members.opening'),
  stated_closing: say('close.members.statedClosing'),
  status: say('close.members.status'),
  name: say('close.members.name'),
};

function shown(name: string, value: unknown, decimalPlaces: number): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'number') return plainAmount(value, decimalPlaces);
  const text = String(value);
  if (name === 'date') return dateText(text);
  if (name === 'status') return STATUS_WORDS[text as ItemStatus] ?? text;
  return text;
}

/** One field that differs: its value now and when it was signed. */
export interface ChangedMember {
  readonly name: string;
  readonly now: string;
  readonly was: string;
}

/** Returns the fields that differ between the signed and the present state. Empty when the object was added or deleted. */
export function changedMembers({ before, after }: Pick<Change, 'before' | 'after'>, decimalPlaces: number): ChangedMember[] {
  if (before === null || after === null) return [];
  return Object.keys(MEMBERS)
    .filter((name) => name in after && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({
      name: MEMBERS[name] ?? name,
      now: shown(name, after[name], decimalPlaces),
      was: shown(name, before[name], decimalPlaces),
    }));
}

function textOf(facts: Facts, name: string): string | null {
  const value = facts[name];
  return typeof value === 'string' ? value : null;
}

/** Returns the object and where it is: `RCT-0629 in the books`. */
function placedWords(thing: string, facts: Facts, isNeutral: boolean): string {
  const side = facts['side'];
  if (side !== 'bank' && side !== 'books') return thing;
  if (isNeutral) return side === 'bank' ? say('close.closeChanges.onSideA', { thing }) : say('close.closeChanges.onSideB', { thing });
  return side === 'bank' ? say('close.closeChanges.ofTheBank', { thing }) : say('close.closeChanges.inTheBooks', { thing });
}

/** Returns the name of the changed object: `RCT-0629 in the books`, `A match of 2 lines`. */
export function changedThing({ kind, before, after }: Change, isNeutral: boolean): string {
  const facts = after ?? before ?? {};
  if (kind === 'record') {
    const label = lineLabel({ reference: textOf(facts, 'reference'), description: textOf(facts, 'description') });
    return placedWords(label, facts, isNeutral);
  }
  if (kind === 'match') {
    const ids = facts['record_ids'];
    return say('close.closeChanges.aMatchOfLines', { ids: Array.isArray(ids) ? ids.length : 0 });
  }
  if (kind === 'import')
    return placedWords(
      say('close.closeChanges.theFile', { text: textOf(facts, 'name') ?? say('close.closeChanges.withoutAName') }),
      facts,
      isNeutral,
    );
  return `A ${KINDS[kind]}`;
}

/** Returns a sentence with who made the change and when behind it: `… is gone. Removed by Ben Osei, 02/07/2026 10:05.` */
function withAuthor(sentence: string, { by, at }: Change, verb: string): string {
  if (by === null && at === null) return sentence;
  const who = by === null ? verb : say('close.closeChanges.by', { verb, by });
  return `${sentence} ${[who, ...(at === null ? [] : [instantText(at)])].join(', ')}.`;
}

/** Returns a change as a sentence: `RCT-0629 in the books: date 29/06/2026, was 28/06/2026. Changed by Ben Osei, 02/07/2026 10:05.` */
export function changeSentence(
  change: Change,
  { isNeutral, decimalPlaces }: { readonly isNeutral: boolean; readonly decimalPlaces: number },
): string {
  const thing = changedThing(change, isNeutral);
  if (change.before === null) return withAuthor(say('close.closeChanges.isNew', { thing }), change, say('close.closeChanges.added'));
  if (change.after === null) return withAuthor(say('close.closeChanges.isGone', { thing }), change, say('close.closeChanges.takenAway'));
  const members = changedMembers(change, decimalPlaces).map(({ name, now, was }) => say('close.closeChanges.was', { name, now, was }));
  const what = members.length === 0 ? 'differs' : members.join('; ');
  return withMinus(withAuthor(`${thing}: ${what}.`, change, say('close.closeChanges.changed')));
}
