import { storedJson } from '../../database/json-columns.ts';
import type { SyncRemoteRow } from './remotes.ts';

/** The question with which a sync stopped, as the book keeps it. */
export interface KeptQuestion {
  readonly code: string;
  readonly message: string;
  /** Identifies the situation; an answer is valid only for it. */
  readonly about: string;
  readonly choices: readonly string[];
}

/** A person's answers, by `about` of the question. */
export type KeptAnswers = Readonly<Record<string, string>>;

type Asking = Pick<SyncRemoteRow, 'id' | 'question' | 'answer'>;

/** Returns the answers that no sync has carried out yet. */
export function answersOf({ id, answer }: Pick<SyncRemoteRow, 'id' | 'answer'>): KeptAnswers {
  return storedJson('sync_remotes.answer', answer, id) ?? {};
}

/** Returns the question of a remote with the person's answer (null if open); null if there is no question. */
export function questionOf(row: Asking): (KeptQuestion & { readonly choice: string | null }) | null {
  const kept = storedJson('sync_remotes.question', row.question, row.id);
  return kept === null ? null : { ...kept, choice: answersOf(row)[kept.about] ?? null };
}

/** Whether a remote waits for a person's answer. */
export function isAsking(row: Asking): boolean {
  return questionOf(row)?.choice === null;
}

/** Returns the stored answers after a choice for the current question; null takes the answer back. */
export function answeredWith(row: Asking, choice: string | null): string | null {
  const about = questionOf(row)?.about;
  if (about === undefined) return row.answer;
  const { [about]: _, ...others } = answersOf(row);
  const answers = choice === null ? others : { ...others, [about]: choice };
  return Object.keys(answers).length === 0 ? null : JSON.stringify(answers);
}
