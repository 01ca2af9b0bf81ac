import { storedJson } from '../../database/json-columns.ts';
import type { SyncRemoteRow } from './remotes.ts';

/** What a sync stopped with, as the book keeps it for the person. */
export interface KeptQuestion {
  readonly code: string;
  readonly message: string;
  /** An answer is good for this alone. */
  readonly about: string;
  readonly choices: readonly string[];
}

/** What a person said, by what it is about. */
export type KeptAnswers = Readonly<Record<string, string>>;

type Asking = Pick<SyncRemoteRow, 'id' | 'question' | 'answer'>;

/** Returns the answers that a person has given and no sync has carried out. */
export function answersOf({ id, answer }: Pick<SyncRemoteRow, 'id' | 'answer'>): KeptAnswers {
  return storedJson('sync_remotes.answer', answer, id) ?? {};
}

/** Returns what a remote asks, with what a person said to it; null where it asks nothing. */
export function questionOf(row: Asking): (KeptQuestion & { readonly choice: string | null }) | null {
  const kept = storedJson('sync_remotes.question', row.question, row.id);
  return kept === null ? null : { ...kept, choice: answersOf(row)[kept.about] ?? null };
}

/** Whether a remote waits for a person's answer. */
export function isAsking(row: Asking): boolean {
  return questionOf(row)?.choice === null;
}

/** Returns the answers with one to what is asked; null takes it back. */
export function answeredWith(row: Asking, choice: string | null): string | null {
  const about = questionOf(row)?.about;
  if (about === undefined) return row.answer;
  const { [about]: _, ...others } = answersOf(row);
  const answers = choice === null ? others : { ...others, [about]: choice };
  return Object.keys(answers).length === 0 ? null : JSON.stringify(answers);
}
