import type { Database } from '../../store/database/database.ts';
import { chooseInConflict, findConflict } from '../../store/sync/conflicts.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';

/** Remembers how a conflict is to end; the next sync carries it out. */
export function resolveConflict(
  database: Database,
  by: { readonly environmentId: number; readonly atMs: number },
  id: number,
  choice: string,
): Result<null, string> {
  const conflict = findConflict(database, by.environmentId, id);
  if (conflict === undefined) return failed(`There is no conflict ${id}: \`tieout sync\` lists those there are.`);
  const choices = JSON.parse(conflict.choices) as string[];
  if (!choices.includes(choice)) return failed(`Conflict ${id} has the choices ${choices.join(' and ')}, not ${choice}.`);
  database.write((write) => chooseInConflict(write, id, choice, by.atMs));
  return success(null);
}
