import type { Database } from '../../database/database.ts';
import { conflictsOf, dropConflict, highestConflictId, putConflict, type SyncConflictRow } from '../store/conflicts.ts';
import type { ConflictDetail } from '../store/conflict-detail.ts';
import type { Conflict, ConflictKind } from './sync-result.ts';

/** `neither` is for matches: both are taken apart. `same` and `both` are for lines that may be the same under alternative descriptions. */
export type Choice = 'keep_local' | 'take_remote' | 'neither' | 'same' | 'both';
const CHOICES: readonly Choice[] = ['keep_local', 'take_remote'];

export interface Met {
  readonly kind: ConflictKind;
  readonly resource: string;
  readonly localId: number | null;
  readonly remoteKey: string | null;
  readonly what: string;
  readonly local: string;
  readonly remote: string;
  readonly choices?: readonly Choice[];
  readonly detail: ConflictDetail;
}

/** The conflicts of one remote: those stored in the book and those that this sync meets. */
export class ConflictBook {
  readonly #database: Database;
  readonly #remoteId: number | null;
  readonly #writes: boolean;
  readonly #known: readonly SyncConflictRow[];
  /** Ids of the conflicts that this sync has shown, by identity. */
  readonly #ids = new Map<string, number>();
  readonly #shown = new Map<number, Conflict>();
  /** Decided conflicts that wait for another decision. */
  readonly #waiting = new Set<number>();
  readonly #nowMs: () => number;
  #lastId: number;

  constructor(database: Database, remote: { readonly id: number | null; readonly writes: boolean }, nowMs: () => number) {
    this.#database = database;
    this.#remoteId = remote.id;
    this.#writes = remote.writes;
    this.#nowMs = nowMs;
    this.#known = remote.id === null ? [] : conflictsOf(database, remote.id);
    this.#lastId = highestConflictId(database);
  }

  /** Returns the choice for a conflict in its current form. Shows the conflict and returns null if there is none. */
  meet(met: Met): Choice | null {
    const choice = this.chosen(met);
    if (choice === null) this.show(met);
    return choice;
  }

  /** Does the same but never shows it, for what may turn out not to be a conflict. */
  chosen(met: Met): Choice | null {
    const known = this.#find(met);
    const choices = met.choices ?? CHOICES;
    const isAsChosen = known !== undefined && known.local === met.local && known.remote === met.remote;
    return isAsChosen ? (choices.find((each) => each === known.choice) ?? null) : null;
  }

  /** Returns the choice for an object that a closed period kept from changing. */
  closedChoice(resource: string, localId: number | null, remoteKey: string | null): Choice | null {
    const known = this.#known.find(
      (row) =>
        row.kind === 'closed_period' &&
        row.resource === resource &&
        ((localId !== null && row.local_id === localId) || (remoteKey !== null && row.remote_key === remoteKey)),
    );
    return CHOICES.find((each) => each === known?.choice) ?? null;
  }

  /** Keeps a choice that cannot be carried out until another decision about the same match is made. */
  keep(met: Met): void {
    const known = this.#find(met);
    if (known !== undefined) this.#waiting.add(known.id);
  }

  /** Shows a conflict that no earlier choice settles, and stores it unless the sync is a preview. */
  show(met: Met): void {
    const { kind, what, local, remote, choices = CHOICES } = met;
    const identity = JSON.stringify([kind, met.resource, met.localId, met.remoteKey]);
    const id = this.#ids.get(identity) ?? this.#find(met)?.id ?? (this.#lastId += 1);
    this.#ids.set(identity, id);
    this.#shown.set(id, { id, kind, what, local, remote, choices });
    const remoteId = this.#remoteId;
    if (!this.#writes || remoteId === null) return;
    this.#database.write((write) =>
      putConflict(write, {
        id,
        remote_id: remoteId,
        kind,
        resource: met.resource,
        local_id: met.localId,
        remote_key: met.remoteKey,
        what,
        local,
        remote,
        choices: JSON.stringify(choices),
        choice: null,
        decided_at: null,
        detail: JSON.stringify(met.detail),
        seen_at: this.#nowMs(),
      }),
    );
  }

  shown(): Conflict[] {
    return [...this.#shown.values()].toSorted((one, other) => one.id - other.id);
  }

  /** Deletes the conflicts that this sync did not meet: they are settled. Call it only at the end of a whole sync. */
  finish(): void {
    if (!this.#writes) return;
    const settled = this.#known.filter(({ id }) => !this.#shown.has(id) && !this.#waiting.has(id));
    if (settled.length === 0) return;
    this.#database.write((write) => {
      for (const { id } of settled) dropConflict(write, id);
    });
  }

  #find({ kind, resource, localId, remoteKey }: Met): SyncConflictRow | undefined {
    return this.#known.find(
      (row) => row.kind === kind && row.resource === resource && row.local_id === localId && row.remote_key === remoteKey,
    );
  }
}
