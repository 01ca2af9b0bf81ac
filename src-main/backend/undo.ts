import { createHash } from 'node:crypto';
import { newestAuditId } from '../book/store/audit.ts';
import { storedJson } from '../database/json-columns.ts';
import { contract, type Failure, type Input, type OperationId, type Output, type UndoEntry } from '../../src-shared/contract/index.ts';
import { phrase } from '../../src-shared/words/say.ts';
import {
  deleteUndoEntry,
  moveUndoEntry,
  setUndoAgain,
  renumberInUndo,
  type Step,
  undoEntries,
  undoEntryById,
  type UndoEntryRow,
} from '../book/store/undo-entries.ts';
import { answer, missing, refuse, timestampOf } from '../service/answers.ts';
import { inOneTransaction, type ServiceContext } from '../service/context.ts';
import type { Caller, Handlers } from '../service/handler.ts';
import { validateInput } from '../transport/validation/validation.ts';
import {
  type AnyHandler,
  type AnyOutcome,
  askNow,
  beforeStep,
  changeOf,
  INVERSES,
  type Inverse,
  notingUndo,
  stepsLeft,
} from './inverses.ts';
import { type ChangedSince, changedSince, refusedWords } from './undo-state.ts';

type Answered = Input<'undo.redo'>;
type Own = 'undo.list' | 'undo.take_back' | 'undo.redo';

/** Returns the handlers, wrapped to note each write of the window and of the command line that can be undone, and those of undo itself. */
export function withUndo(context: ServiceContext, handlers: Omit<Handlers, Own>): Handlers {
  const plain = handlers as unknown as Readonly<Record<string, AnyHandler>>;
  const noted = Object.entries(INVERSES).map(([id, inverse]) => [
    id,
    notingUndo(context, plain, id as OperationId, inverse as unknown as Inverse<OperationId>),
  ]);
  const undo = new Undo(context, plain);
  return { ...handlers, ...Object.fromEntries(noted), ...undo.handlers() } as Handlers;
}

/** Whether a failure may not occur again later; a refusal will. */
const mayWorkLater = (code: Failure['code']): boolean =>
  ['internal_error', 'storage_full', 'run_in_progress', 'book_read_only'].includes(code);

class Refusal extends Error {
  readonly outcome: Extract<AnyOutcome, { ok: false }>;
  constructor(outcome: Extract<AnyOutcome, { ok: false }>) {
    super(outcome.error.message);
    this.outcome = outcome;
  }
}

/** Undoes and redoes the entries of `undo_entries`, one at a time. */
class Undo {
  readonly #context: ServiceContext;
  readonly #plain: Readonly<Record<string, AnyHandler>>;
  /** The step in progress. A second one waits for it, so that two requests at once undo two changes. */
  #working: Promise<unknown> = Promise.resolve();

  constructor(context: ServiceContext, plain: Readonly<Record<string, AnyHandler>>) {
    this.#context = context;
    this.#plain = plain;
  }

  handlers(): Pick<Handlers, Own> {
    return {
      'undo.list': (caller, { limit }) => answer({ undo: this.#listed(caller, 0, limit), redo: this.#listed(caller, 1, limit) }),
      'undo.take_back': (caller, input) => this.#inTurn(() => this.#takeBack(caller, input)),
      'undo.redo': (caller, input) => this.#inTurn(() => this.#redo(caller, input)),
    };
  }

  #listed(caller: Caller, undone: 0 | 1, limit: number): UndoEntry[] {
    return undoEntries(this.#context.database, caller.environmentId, undone)
      .values()
      .filter((row) => !this.#isGone(caller, row))
      .take(limit)
      .map(entryView)
      .toArray();
  }

  /** Whether an import or a run was already reverted in another way. */
  #isGone(caller: Caller, row: UndoEntryRow): boolean {
    const [step] = storedJson('undo_entries.steps', row.steps, row.id);
    if (step?.operation === 'import_batches.remove') return askNow(this.#plain, caller, 'import_batches.get', step.input) === undefined;
    if (step?.operation !== 'runs.undo') return false;
    const run = askNow(this.#plain, caller, 'runs.get', step.input) as Output<'runs.get'> | undefined;
    return run === undefined || run.undone_at !== null;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#working.then(work, work);
    this.#working = turn.catch(() => undefined);
    return turn;
  }

  /** Returns why steps may not write over what is there now; null if all is as they left it, or if they may. */
  #refusedByChange(caller: Caller, steps: readonly Step[], { if_changed: ifChanged, seen }: Answered): ChangedSince | null {
    const found = steps.flatMap((step) => {
      const before = beforeStep(this.#context, this.#plain, { caller, step });
      const changed = before === null ? null : changedSince(step, before);
      return changed === null ? [] : [changed];
    });
    const [first] = found;
    if (first === undefined) return null;
    const firmest = found.find(({ choice }) => choice !== 'overwriteOrSkip') ?? first;
    const now = createHash('sha256')
      .update(JSON.stringify(found.map((each) => each.now)))
      .digest('hex');
    if (firmest.choice === 'overwriteOrSkip' && ifChanged === 'overwrite' && (seen ?? now) === now) return null;
    const others = found.length === 1 ? '' : ` ${phrase('book.undo.others', { count: found.length - 1 })}`;
    return { words: `${firmest.words}${others}`, choice: firmest.choice, now };
  }

  /** Leaves a change as it is and takes it off the list. */
  #skipped(row: UndoEntryRow) {
    this.#context.database.write((write) => deleteUndoEntry(write, row.id));
    this.#context.changed(['undo']);
    return answer(entryView(row));
  }

  async #takeBack(caller: Caller, { id, ...answered }: Input<'undo.take_back'>) {
    const { database } = this.#context;
    const rows = undoEntries(database, caller.environmentId, 0);
    const row = rows.find((each) => (id === undefined ? !this.#isGone(caller, each) : each.id === id));
    if (row === undefined) return id === undefined ? refuse('conflict', phrase('book.undo.nothing')) : this.#notListed(caller, id);
    if (answered.if_changed === 'skip') return this.#skipped(row);
    const steps = storedJson('undo_entries.steps', row.steps, row.id);
    const changed = this.#refusedByChange(caller, steps, answered);
    if (changed !== null) return refusedFor(row, changed, false);
    const done = await this.#allSteps(caller, steps);
    if (!done.ok) return this.#failed(row, done);
    database.write((write) => {
      if (row.again === null) deleteUndoEntry(write, row.id);
      else moveUndoEntry(write, row.id, 1);
      this.#renumber(caller, row, done.value);
      this.#leaveAgain(caller, row.id);
    });
    this.#context.changed(['undo']);
    return answer(entryView(row));
  }

  /** Returns why a change that is not on the list cannot be undone. */
  #notListed(caller: Caller, id: number) {
    const row = undoEntryById(this.#context.database, caller.environmentId, id);
    if (row === undefined) return missing('change', id);
    if (row.undone === 1) return refuse('conflict', phrase('book.undo.already', { label: row.label }));
    return refuse('conflict', phrase('book.undo.signedSince', { label: row.label }));
  }

  /** Notes with a change that was undone what doing it again would write over, after it has its new ids. */
  #leaveAgain(caller: Caller, id: number): void {
    const { database } = this.#context;
    const row = undoEntryById(database, caller.environmentId, id);
    if (row === undefined || row.again === null) return;
    const [again] = this.#left(caller, [storedJson('undo_entries.again', row.again, row.id)]);
    if (again !== undefined) database.write((write) => setUndoAgain(write, id, again));
  }

  #left(caller: Caller, steps: readonly Step[]): Step[] {
    return stepsLeft(this.#context, this.#plain, { caller, steps, audited: newestAuditId(this.#context.database) });
  }

  async #redo(caller: Caller, answered: Answered) {
    const { database } = this.#context;
    const [row] = undoEntries(database, caller.environmentId, 1);
    if (row === undefined || row.again === null) return refuse('conflict', phrase('book.undo.nothingAgain'));
    if (answered.if_changed === 'skip') return this.#skipped(row);
    const step = storedJson('undo_entries.again', row.again, row.id);
    const refused = this.#refusedByChange(caller, [step], answered);
    if (refused !== null) return refusedFor(row, refused, true);
    const { operation, input } = step;
    const inverse = INVERSES[operation as OperationId] as unknown as Inverse<OperationId>;
    const valid = validateInput(contract[operation as OperationId], input);
    if (!valid.ok) return this.#failed(row, { ok: false, error: valid.error });
    const prepared = changeOf(this.#context, this.#plain, { operation: operation as OperationId, inverse, caller, input: valid.value });
    const done = await (this.#plain[operation] as AnyHandler)(caller, valid.value);
    if (!done.ok) return this.#failed(row, done);
    const made = prepared?.after(done.value) ?? null;
    const change = made === null ? null : { ...made, steps: this.#left(caller, made.steps) };
    database.write((write) => {
      if (change === null) deleteUndoEntry(write, row.id);
      else moveUndoEntry(write, row.id, 0, { ...change, label: row.label });
      this.#renumber(caller, row, done.value);
    });
    this.#context.changed(['undo']);
    return answer(entryView(row));
  }

  /** Runs the steps in order, in one transaction if there are several. Returns the outcome of the last one. */
  async #allSteps(caller: Caller, steps: readonly Step[]): Promise<AnyOutcome> {
    const [only] = steps;
    if (steps.length === 1 && only !== undefined) return await this.#step(caller, only);
    try {
      return inOneTransaction(this.#context, () => {
        let last: AnyOutcome = answer(null);
        for (const each of steps) {
          const outcome = this.#step(caller, each);
          if (outcome instanceof Promise) throw new Error(`${each.operation} answers within one transaction`);
          if (!outcome.ok) throw new Refusal(outcome);
          last = outcome;
        }
        return last;
      });
    } catch (error) {
      if (error instanceof Refusal) return error.outcome;
      throw error;
    }
  }

  #step(caller: Caller, { operation, input }: Step): AnyOutcome | Promise<AnyOutcome> {
    const valid = validateInput(contract[operation as OperationId], input);
    return valid.ok ? (this.#plain[operation] as AnyHandler)(caller, valid.value) : { ok: false, error: valid.error };
  }

  /** Removes an entry that can never be undone or redone, so that the one behind it can be reached. */
  #failed(row: UndoEntryRow, { error }: Extract<AnyOutcome, { ok: false }>) {
    if (!mayWorkLater(error.code)) {
      this.#context.database.write((write) => deleteUndoEntry(write, row.id));
      this.#context.changed(['undo']);
    }
    return refuse('conflict', phrase('book.undo.failed', { label: row.label, message: error.message }));
  }

  /** Replaces the id of an object that returned under another id in all entries. */
  #renumber(caller: Caller, row: UndoEntryRow, value: unknown): void {
    const steps = storedJson('undo_entries.steps', row.steps, row.id);
    // Several steps concern several objects, and bring each back under its own id.
    if (steps.length > 1 || typeof value !== 'object' || value === null || !('id' in value)) return;
    const again = row.again === null ? [] : [storedJson('undo_entries.again', row.again, row.id)];
    const named = [...steps, ...again].find(({ operation }) => thingOf(operation) !== null);
    if (named === undefined || value.id === named.input['id']) return;
    const thing = thingOf(named.operation);
    const renumbered = { from: Number(named.input['id']), to: Number(value.id), isOf: (operation: string) => thingOf(operation) === thing };
    this.#context.database.write((write) => renumberInUndo(write, caller.environmentId, renumbered));
  }
}

/** Returns the collection whose id an operation takes as `id`, by its path: `/reconciliation_rules/`; null if it takes none. */
function thingOf(operation: string): string | null {
  const [collection = '', rest] = contract[operation as OperationId].path.split('{id}');
  return rest === undefined ? null : collection;
}

/** Refuses to write over what was changed since, and names what can be done instead. */
function refusedFor(row: UndoEntryRow, changed: ChangedSince, isRedo: boolean) {
  const choices = changed.choice === 'overwriteOrSkip' ? (['overwrite', 'skip'] as const) : (['skip'] as const);
  const errors = choices.map((code) => ({ path: 'if_changed', code, message: phrase(`book.undo.${code}`) }));
  // The window sends this back with its answer, see `seen` of the contract.
  const seen = choices.length === 1 ? [] : [{ path: 'seen', code: changed.now, message: phrase('book.undo.seen') }];
  return refuse('changed_since', refusedWords(row, changed, isRedo), [...errors, ...seen]);
}

function entryView(row: UndoEntryRow): UndoEntry {
  const [first] = storedJson('undo_entries.steps', row.steps, row.id);
  const batchId = first?.operation === 'import_batches.remove' ? Number(first.input['id']) : null;
  return {
    id: row.id,
    label: row.label,
    done_at: timestampOf(row.done_at),
    actor: row.actor,
    can_redo: row.again !== null,
    import_batch_id: batchId,
  };
}
