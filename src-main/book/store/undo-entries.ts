import { storedJson } from '../../database/json-columns.ts';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type UndoEntryRow = Row<'undo_entries'>;

/** The number of changes of an environment that can be undone. */
const UNDO_LIMIT = 200;

/** One stored call of an operation. */
export interface Step {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What it would write over, as it was when the step was noted; null where there was nothing, missing where it writes over nothing. */
  readonly left?: Readonly<Record<string, unknown>> | null | undefined;
  /** The entry of the audit log with which the step was noted. */
  readonly audited?: number | undefined;
}

/** A change of a person, and how it is undone. */
export interface UndoableChange {
  readonly label: string;
  /** The operations that undo it, in order. */
  readonly steps: readonly Step[];
  /** The operation that redoes it; missing if none does. */
  readonly again?: Step | undefined;
  /** The reconciliation whose sign-offs make the change permanent; with `periodId`, only those of that period. */
  readonly reconciliationId?: number | undefined;
  readonly periodId?: number | undefined;
}

interface Doer {
  readonly environmentId: number;
  readonly actor: string;
  readonly atMs: number;
}

function nextPosition(read: ReadHandle): number {
  return (read.prepare<[], { last: number }>('SELECT coalesce(max(position), 0) AS last FROM undo_entries').get()?.last ?? 0) + 1;
}

function newestSignOff(read: ReadHandle): number {
  return read.prepare<[], { last: number }>('SELECT coalesce(max(id), 0) AS last FROM sign_offs').get()?.last ?? 0;
}

function columnsOf(read: ReadHandle, change: UndoableChange) {
  return {
    sign_offs: newestSignOff(read),
    label: change.label,
    steps: JSON.stringify(change.steps),
    again: change.again === undefined ? null : JSON.stringify(change.again),
    reconciliation_id: change.reconciliationId ?? null,
    period_id: change.periodId ?? null,
  };
}

/** Notes a change as the newest that can be undone; changes undone before can no longer be redone. Returns its id. */
export function insertUndoEntry(write: WriteHandle, { environmentId, actor, atMs }: Doer, change: UndoableChange): number {
  const position = nextPosition(write);
  write.run(query.deleteFrom('undo_entries').where('environment_id', '=', environmentId).where('undone', '=', 1));
  const { lastInsertId } = write.run(
    query.insertInto('undo_entries').values({ environment_id: environmentId, position, ...columnsOf(write, change), actor, done_at: atMs }),
  );
  const oldest = write.first(
    query
      .selectFrom('undo_entries')
      .select('position')
      .where('environment_id', '=', environmentId)
      .where('undone', '=', 0)
      .orderBy('position', 'desc')
      .offset(UNDO_LIMIT)
      .limit(1),
  );
  if (oldest !== undefined) {
    write.run(query.deleteFrom('undo_entries').where('environment_id', '=', environmentId).where('position', '<=', oldest.position));
  }
  return lastInsertId;
}

/** Notes a change that a job made, if the window or the command line asked for it; those of other programs are not noted. */
export function noteOwnChange(write: WriteHandle, by: Doer, change: UndoableChange): void {
  if (by.actor === 'app' || by.actor === 'cli') insertUndoEntry(write, by, change);
}

/** Whether a period was signed since a change `e` and not reopened since, so that it cannot be undone. */
const IS_SIGNED = `EXISTS (SELECT 1 FROM sign_offs s JOIN reconciliation_periods p ON p.id = s.period_id
  WHERE s.id > e.sign_offs AND s.kind <> 'reopen'
    AND NOT EXISTS (SELECT 1 FROM sign_offs r WHERE r.period_id = s.period_id AND r.kind = 'reopen' AND r.id > s.id)
    AND (s.period_id = e.period_id OR (e.period_id IS NULL AND p.reconciliation_id = e.reconciliation_id)))`;

/** Returns the entries that can be undone (`undone` 0) or redone (1), the next one first. */
export function undoEntries(read: ReadHandle, environmentId: number, undone: 0 | 1): UndoEntryRow[] {
  return read
    .prepare<[number, number], UndoEntryRow>(
      `SELECT e.* FROM undo_entries e WHERE e.environment_id = ? AND e.undone = ? AND NOT ${IS_SIGNED} ORDER BY e.position DESC`,
    )
    .all(environmentId, undone);
}

export function undoEntryById(read: ReadHandle, environmentId: number, id: number): UndoEntryRow | undefined {
  return read.first(query.selectFrom('undo_entries').selectAll().where('environment_id', '=', environmentId).where('id', '=', id));
}

export function deleteUndoEntry(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('undo_entries').where('id', '=', id));
}

/** Moves an entry to the other list, as its next one; `change` replaces its content. */
export function moveUndoEntry(write: WriteHandle, id: number, undone: 0 | 1, change?: UndoableChange): void {
  const position = nextPosition(write);
  const replaced = change === undefined ? {} : columnsOf(write, change);
  write.run(
    query
      .updateTable('undo_entries')
      .set({ undone, position, ...replaced })
      .where('id', '=', id),
  );
}

export function setUndoAgain(write: WriteHandle, id: number, again: Step): void {
  write.run(
    query
      .updateTable('undo_entries')
      .set({ again: JSON.stringify(again) })
      .where('id', '=', id),
  );
}

interface Renumbered {
  readonly from: number;
  readonly to: number;
  /** Whether an operation's `id` is of the same kind of object. */
  readonly isOf: (operation: string) => boolean;
}

/** Replaces the id of an object that returned under another one, in all entries. */
export function renumberInUndo(write: WriteHandle, environmentId: number, { from, to, isOf }: Renumbered): void {
  const rename = (step: Step): Step =>
    isOf(step.operation) && step.input['id'] === from ? { ...step, input: { ...step.input, id: to } } : step;
  const isPeriod = isOf('periods.update');
  for (const row of write.all(query.selectFrom('undo_entries').selectAll().where('environment_id', '=', environmentId))) {
    const steps = JSON.stringify(storedJson('undo_entries.steps', row.steps, row.id).map(rename));
    const last = storedJson('undo_entries.again', row.again, row.id);
    const again = last === null ? null : JSON.stringify(rename(last));
    const periodId = isPeriod && row.period_id === from ? to : row.period_id;
    write.run(query.updateTable('undo_entries').set({ steps, again, period_id: periodId }).where('id', '=', row.id));
  }
}
