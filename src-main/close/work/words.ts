import { phrase } from '../../../src-shared/words/say.ts';
import type { Moment } from '../../domain/report/index.ts';

/** Callers in the audit log that are no person. */
const CALLERS: ReadonlyMap<string, string> = new Map([
  ['app', phrase('close.words.tieoutWindow')],
  ['cli', phrase('close.words.commandLine')],
  ['session', phrase('close.words.localProgram')],
  ['tieout', 'Tieout'],
]);

/** Returns the name of an actor for people. */
export function actorText(actor: string): string {
  return CALLERS.get(actor) ?? actor;
}

/** Converts milliseconds UTC. */
export function momentOf(atMs: number): Moment {
  return new Date(atMs).toISOString();
}

/** Removes repeated texts. The first occurrence of each stays. */
export function distinct(texts: Iterable<string>): string[] {
  return [...new Set(texts)];
}
