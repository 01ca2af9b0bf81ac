import { canonical } from './hashes.ts';
import type { Few, Fields } from './resources.ts';

/** What each kind of object is known by on both sides; references are local by then. Rules go by what they compare. */
const KNOWN_BY: Readonly<Record<Few, readonly string[]>> = {
  accounts: ['name', 'currency'],
  streams: ['key'],
  properties: ['stream', 'key'],
  reconciliations: ['name', 'side_a', 'side_b'],
  rules: ['reconciliation', 'filters', 'cardinality', 'group_by', 'rollup', 'method'],
  stories: ['name'],
  imports: ['stream', 'sha256'],
  balances: ['account', 'date', 'balance_type'],
};

export function knownBy(resource: Few, fields: Fields): string {
  return canonical(KNOWN_BY[resource].map((field) => fields[field] ?? null));
}
