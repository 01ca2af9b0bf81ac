import type { Moment } from '../../domain/report/index.ts';

/** Callers that are no person, as the audit log names them. */
const CALLERS: ReadonlyMap<string, string> = new Map([
  ['app', 'Tieout window'],
  ['cli', 'command line'],
  ['session', 'local program'],
  ['tieout', 'Tieout'],
]);

/** Who did something, as people read it. */
export function actorText(actor: string): string {
  return CALLERS.get(actor) ?? actor;
}

/** Of milliseconds UTC. */
export function momentOf(atMs: number): Moment {
  return new Date(atMs).toISOString();
}

/** The same text only once, in the order of their first places. */
export function distinct(texts: Iterable<string>): string[] {
  return [...new Set(texts)];
}
