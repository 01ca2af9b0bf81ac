import { grouped } from './notation.ts';

/** Returns texts as a sentence lists them: `1, 2 and 3`. */
export function listed(texts: readonly string[]): string {
  return texts.length < 2 ? (texts[0] ?? '') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1) ?? ''}`;
}

/** Returns a count with its noun: `1 line`, `1,204 lines`. Pass `several` for an irregular plural. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${grouped(String(count))} ${count === 1 ? one : several}`;
}

/** Returns the text with an upper-case first letter. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Singular and plural of what a sync moves or deletes. */
export const SYNC_NOUNS: Readonly<Record<string, readonly [string, string]>> = {
  accounts: ['bank account', 'bank accounts'],
  streams: ['account', 'accounts'],
  properties: ['property', 'properties'],
  reconciliations: ['reconciliation', 'reconciliations'],
  rules: ['rule', 'rules'],
  stories: ['story', 'stories'],
  balances: ['balance', 'balances'],
  imports: ['imported file', 'imported files'],
  records: ['line', 'lines'],
  matches: ['match', 'matches'],
  notes: ['note on open items', 'notes on open items'],
  periods: ['period', 'periods'],
  exceptions: ['exception', 'exceptions'],
  overdue: ['overdue mark', 'overdue marks'],
  unmatched: ['match undone', 'matches undone'],
  changes: ['change', 'changes'],
};

/** Returns a count with its noun: `1 line`, `554 lines`. */
export function countedNoun(count: number, resource: string): string {
  const [one, more] = SYNC_NOUNS[resource] ?? [resource, resource];
  return counted(count, one, more);
}
