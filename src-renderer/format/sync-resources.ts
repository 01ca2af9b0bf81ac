import type { SyncLine, SyncPlan, SyncRemote, SyncResource as Resource } from '../../src-shared/contract/index.ts';
import { SYNC_NOUNS } from '../../src-shared/values/english.ts';
import { counted } from './counts.ts';
import { say } from '../../src-shared/words/say.ts';

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
export function resourceCounted(resource: Resource, count: number, locale?: string): string {
  const [one, many] = NOUNS[resource] ?? [resource, resource];
  return counted(count, one, many, locale);
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
