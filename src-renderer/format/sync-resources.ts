import type {
  SyncConflict,
  SyncLine,
  SyncPlan,
  SyncPlanRow,
  SyncRemote,
  SyncResource as Resource,
  SyncUnsure,
} from '../../src-shared/contract/index.ts';
import { SYNC_NOUNS } from '../../src-shared/values/english.ts';
import { say } from '../../src-shared/words/say.ts';
import { counted } from './counts.ts';

/** Names of the resources at the head of a row. */
export const RESOURCE_NAMES: Readonly<Record<Resource, string>> = {
  streams: say('sync.resourceNames.streams'),
  accounts: say('sync.resourceNames.accounts'),
  balances: say('sync.resourceNames.balances'),
  records: say('sync.resourceNames.records'),
  imports: say('sync.resourceNames.imports'),
  reconciliations: say('sync.resourceNames.reconciliations'),
  rules: say('sync.resourceNames.rules'),
  matches: say('sync.resourceNames.matches'),
  unmatched: say('sync.resourceNames.unmatched'),
  stories: say('sync.resourceNames.stories'),
  overdue: say('sync.resourceNames.overdue'),
  changes: say('sync.resourceNames.changes'),
};

/** All resources in the order of the screens. */
export const RESOURCES = Object.keys(RESOURCE_NAMES) as readonly Resource[];

/** In a column of counts an account needs no further word. */
const NOUNS: typeof SYNC_NOUNS = { ...SYNC_NOUNS, accounts: ['account', 'accounts'] };

/** Returns a count with its noun, `508 lines`. */
export function resourceCounted(resource: Resource, count: number): string {
  const [one, many] = NOUNS[resource] ?? [resource, resource];
  return counted(count, one, many);
}

/** Returns the name of a kind, which may be one that is not synced: `Comments`. */
export function kindName(resource: string): string {
  const known: Readonly<Record<string, string>> = RESOURCE_NAMES;
  const text = known[resource] ?? resource.replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

export function isResource(text: string): text is Resource {
  return text in RESOURCE_NAMES;
}

export const RECOGNISED_BY: Readonly<Record<SyncPlan['recognised'][number]['by'], string>> = {
  known: say('sync.recognisedBy.known'),
  key: say('sync.recognisedBy.key'),
  name: say('sync.recognisedBy.name'),
  name_and_currency: say('sync.recognisedBy.nameAndCurrency'),
  external_id: say('sync.recognisedBy.externalId'),
  content: say('sync.recognisedBy.content'),
  day_and_type: say('sync.recognisedBy.dayAndType'),
  conditions: say('sync.recognisedBy.conditions'),
  records: say('sync.recognisedBy.records'),
  file: say('sync.recognisedBy.file'),
};

export const KIND_WORDS: Readonly<Record<SyncRemote['kind'], string>> = {
  tieout: say('sync.kindWords.tieout'),
  live: say('sync.kindWords.live'),
  specification: say('sync.kindWords.specification'),
};

export const ACT_WORDS: Readonly<Record<SyncLine['act'], string>> = {
  made: say('sync.actWords.made'),
  changed: say('sync.actWords.changed'),
  removed: say('sync.actWords.removed'),
  stays: say('sync.actWords.stays'),
  refused: say('sync.actWords.refused'),
  unsure: say('sync.actWords.unsure'),
};

/** An entry that a person has to decide: a conflict, or a record that may have arrived at the remote. `key` is unique among all entries. */
export type ToDecide = { readonly key: string; readonly title: string; readonly choice: string | null } & (
  | { readonly conflict: SyncConflict; readonly unsure: null }
  | { readonly conflict: null; readonly unsure: SyncUnsure }
);

export const conflictKey = (id: number): string => `conflict-${id}`;

export function ofConflict(conflict: SyncConflict): ToDecide {
  return { key: conflictKey(conflict.id), title: conflict.title, choice: conflict.choice, conflict, unsure: null };
}

export function ofUnsure(unsure: SyncUnsure): ToDecide {
  return { key: `unsure-${unsure.id}`, title: unsure.sent_as, choice: unsure.choice, conflict: null, unsure };
}

export interface DecideGroups {
  readonly figures: readonly ToDecide[];
  readonly others: readonly ToDecide[];
  readonly unsure: readonly ToDecide[];
  readonly decided: readonly ToDecide[];
}

/** Returns the entries to decide, those that change a figure first. Decided entries wait for the next sync. */
export function groupsOf(conflicts: readonly SyncConflict[], unsure: readonly SyncUnsure[]): DecideGroups {
  const all = [...conflicts.map(ofConflict), ...unsure.map(ofUnsure)];
  const open = all.filter(({ choice }) => choice === null);
  return {
    figures: open.filter(({ conflict }) => conflict?.changes_figures === true),
    others: open.filter(({ conflict }) => conflict?.changes_figures === false),
    unsure: open.filter(({ conflict }) => conflict === null),
    decided: all.filter(({ choice }) => choice !== null),
  };
}

/** Returns the undecided entries in the order of the list. */
export function undecidedOf({ figures, others, unsure }: Omit<DecideGroups, 'decided'>): readonly ToDecide[] {
  return [...figures, ...others, ...unsure];
}

/** Returns the key of the next or previous entry; the list wraps around. Null when there is no other entry. */
export function neighbourOf(list: readonly ToDecide[], key: string | null, by: 1 | -1): string | null {
  const at = list.findIndex((one) => one.key === key);
  if (at < 0) return list.at(by === 1 ? 0 : -1)?.key ?? null;
  const next = list[(at + by + list.length) % list.length];
  return next === undefined || next.key === key ? null : next.key;
}

/** The choice that an uncertain record did not arrive and is sent again. Any other choice is the record's id at the remote. */
export const SEND_AGAIN = 'send_again';

/** Returns the words for the choice that was made about an uncertain record. */
export const unsureChoiceWords = (choice: string): string =>
  choice === SEND_AGAIN ? say('sync.syncConflicts.isSentAgain') : say('sync.syncConflicts.isThereAs', { choice });

const CHOICES: Readonly<Record<string, string>> = {
  keep_local: say('sync.choices.keepLocal'),
  take_remote: say('sync.choices.takeRemote'),
  same: say('sync.choices.same'),
  both: say('sync.choices.both'),
};

/** Returns the words for a choice when the service's outcomes are not loaded. */
export function choiceWords(choice: string): string {
  const text = CHOICES[choice] ?? choice.replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

interface Keyed<T> {
  readonly item: T;
  readonly key: string;
}

/** Returns each item with a unique key. Equal items get different keys, because a file may hold the same line twice. */
export function keyed<T>(items: readonly T[], keyOf: (item: T) => string): Keyed<T>[] {
  const met = new Map<string, number>();
  return items.map((item) => {
    const name = keyOf(item);
    const times = met.get(name) ?? 0;
    met.set(name, times + 1);
    return { item, key: times === 0 ? name : `${name} ${times}` };
  });
}

/** Sums of a preview. A null, where the remote does not list the rows, counts as 0. */
interface PlanSums {
  readonly here: number;
  readonly send: number;
  readonly agree: number;
  readonly to_decide: number;
  readonly receive: number;
  readonly there: number;
  readonly stays_here: number;
  readonly stays_there: number;
}

const NAMES = ['here', 'send', 'agree', 'to_decide', 'receive', 'there', 'stays_here', 'stays_there'] as const;

/** Changes and separated matches are no objects: they move, but are not part of the totals of a side. */
const NO_OBJECTS: ReadonlySet<string> = new Set(['changes', 'unmatched']);

export function sumsOf(rows: readonly SyncPlanRow[]): PlanSums {
  const sumOf = (name: (typeof NAMES)[number]): number => rows.reduce((sum, row) => sum + (row[name] ?? 0), 0);
  return Object.fromEntries(NAMES.map((name) => [name, sumOf(name)])) as unknown as PlanSums;
}

/** Returns the rows of objects that both sides hold, and the other rows that move. */
export function partsOf({ rows }: Pick<SyncPlan, 'rows'>): {
  readonly objects: readonly SyncPlanRow[];
  readonly others: readonly SyncPlanRow[];
} {
  return {
    objects: rows.filter(({ resource }) => !NO_OBJECTS.has(resource)),
    others: rows.filter(({ resource, send, receive, to_decide: open }) => NO_OBJECTS.has(resource) && send + receive + open > 0),
  };
}

/** Returns the totals of what a sync would move. */
export function movesOf({ rows }: Pick<SyncPlan, 'rows'>): Pick<PlanSums, 'send' | 'receive' | 'to_decide'> {
  return sumsOf(rows);
}

/** The longest name that leaves room for the rest of the equation. */
const SHORT_NAME = 24;

/** Returns `Here = send + agree + to decide`, with `+ stays` when some rows stay. */
export function bracketWords(name: string, way: 'send' | 'receive', stays: number): string {
  const parts =
    way === 'send' ? ['send', 'agree', say('sync.planFigures.toDecide')] : ['agree', say('sync.planFigures.toDecide'), 'receive'];
  return `${name.length > SHORT_NAME ? say('sync.planFigures.there') : name} = ${[...parts, ...(stays === 0 ? [] : ['stays'])].join(' + ')}`;
}

type Uncertain = SyncPlan['uncertain'][number];

/** Returns the key of a pair that may be the same object. */
export const pairKey = ({
  resource,
  local_id: local,
  remote_key: remote,
}: Pick<Uncertain, 'resource' | 'local_id' | 'remote_key'>): string => `${resource} ${local} ${remote}`;
