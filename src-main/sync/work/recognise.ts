import { canonical } from './hashes.ts';
import type { LowVolume, Fields } from './resources.ts';

/** The fields by which both sides recognise an object; references are local here. Rules are recognised by what they compare. */
const KNOWN_BY: Readonly<Record<LowVolume, readonly string[]>> = {
  accounts: ['name', 'currency'],
  streams: ['key'],
  properties: ['stream', 'key'],
  reconciliations: ['name', 'side_a', 'side_b'],
  rules: ['reconciliation', 'filters', 'cardinality', 'group_by', 'rollup', 'method'],
  stories: ['name'],
  imports: ['stream', 'sha256'],
  balances: ['account', 'date', 'balance_type'],
};

export function knownBy(resource: LowVolume, fields: Fields): string {
  return canonical(KNOWN_BY[resource].map((field) => fields[field] ?? null));
}
