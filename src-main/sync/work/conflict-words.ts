import { decimalText } from '../../../src-shared/values/money.ts';
import type { ConflictKind } from './sync-result.ts';
import type { LowVolume, Fields, Item, RecordContent } from './resources.ts';

export const GONE = 'deleted';

export const NOUNS: Readonly<Record<LowVolume, string>> = {
  accounts: 'Bank account',
  streams: 'Data stream',
  properties: 'Property',
  reconciliations: 'Reconciliation',
  rules: 'Rule',
  stories: 'Story',
  balances: 'Balance',
  imports: 'Imported file',
};

export const fieldWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));
const text = fieldWords;

export function nameOf(resource: LowVolume, { fields, extra, key }: Pick<Item, 'fields' | 'extra' | 'key'>): string {
  if (resource === 'rules') return text(fields['description'] ?? `rule ${key}`);
  if (resource === 'balances') return `${text(extra['date'])} ${text(extra['balance_type'])}`;
  if (resource === 'imports') return `${text(extra['filename'] ?? extra['format'])} (${text(extra['stream'])})`;
  return text(fields['name'] ?? extra['key'] ?? key);
}

export function whatOf(resource: LowVolume, item: Pick<Item, 'fields' | 'extra' | 'key'>): string {
  return `${NOUNS[resource]} ${nameOf(resource, item)}`;
}

/** Returns the fields of `own` in which the two sides differ, or all if there is no other side. */
export function differingWords(own: Fields, other: Fields | null): string {
  const names = Object.keys(own).filter((name) => other === null || text(own[name] ?? null) !== text(other[name] ?? null));
  return (names.length === 0 ? Object.keys(own) : names).map((name) => `${name}: ${text(own[name] ?? null)}`).join('; ');
}

export function kindOf(resource: LowVolume, isGone: boolean): ConflictKind {
  if (isGone) return 'record';
  return resource === 'rules' ? 'rule' : resource === 'balances' ? 'balance' : 'name';
}

export function recordWords({
  date,
  amount,
  currency,
  decimal_places: places,
  description,
  external_id: id,
  metadata,
}: RecordContent): string {
  const extra = Object.keys(metadata).length === 0 ? '' : ` ${JSON.stringify(metadata)}`;
  const named = [description, id].filter((each) => each !== null).join(', ');
  return `${date} ${decimalText(amount, places)} ${currency}${named === '' ? '' : ` ${named}`}${extra}`;
}

/** Returns 30/06/2026 for 2026-06-30. */
function dayWords(iso: string): string {
  return iso.split('-').toReversed().join('/');
}

function moneyWords({ amount, currency, decimal_places: places }: Pick<RecordContent, 'amount' | 'currency' | 'decimal_places'>): string {
  return `${decimalText(amount, places).replace('-', '\u2212')} ${currency}`;
}

/** Returns a record as a list shows it: date, description, amount. */
export function recordName(
  content: Pick<RecordContent, 'date' | 'amount' | 'currency' | 'decimal_places' | 'description' | 'external_id'>,
): string {
  const named = content.description ?? content.external_id;
  return [dayWords(content.date), ...(named === null ? [] : [named]), moneyWords(content)].join(' · ');
}

/** Returns the fields of a record as people read them. */
export function recordFields(content: RecordContent): { readonly name: string; readonly words: string }[] {
  const { date, value_date: valueDate, description, external_id: id, metadata } = content;
  const known = {
    date: dayWords(date),
    value_date: valueDate === null ? null : dayWords(valueDate),
    amount: moneyWords(content),
    description,
  };
  const all = { ...known, reference: id, ...metadata };
  return Object.entries(all).map(([name, value]) => ({ name, words: fieldWords(value) }));
}
