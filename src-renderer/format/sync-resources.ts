import type { SyncLine, SyncPlan, SyncRemote, SyncResource as Resource } from '../../src-shared/contract/index.ts';
import { SYNC_NOUNS } from '../../src-shared/values/english.ts';
import { counted } from './counts.ts';

/** Names of the resources at the head of a row. */
export const RESOURCE_NAMES: Readonly<Record<Resource, string>> = {
  streams: 'Streams',
  accounts: 'Accounts',
  balances: 'Balances',
  records: 'Lines',
  imports: 'Imported files',
  reconciliations: 'Reconciliations',
  rules: 'Rules',
  matches: 'Matches',
  unmatched: 'Matches undone',
  stories: 'Stories',
  overdue: 'Overdue marks',
  changes: 'Changes and names',
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
  known: 'from an earlier sync',
  key: 'by key',
  name: 'by name',
  name_and_currency: 'by name and currency',
  external_id: 'by external id',
  content: 'by date, amount and text',
  day_and_type: 'by account, date and type',
  conditions: 'by conditions and order',
  records: 'by the lines they hold',
  file: 'by stream and bytes',
};

export const KIND_WORDS: Readonly<Record<SyncRemote['kind'], string>> = {
  tieout: 'another Tieout',
  live: 'the live service',
  specification: 'a service that keeps to the specification',
};

export const ACT_WORDS: Readonly<Record<SyncLine['act'], string>> = {
  made: 'New',
  changed: 'Changed',
  removed: 'Removed',
  stays: 'Stays',
  refused: 'Refused',
  unsure: 'Not sure',
};
