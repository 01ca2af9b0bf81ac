import type { MaxDifferenceInput, Reconciliation, Run } from '../../src-shared/contract/index.ts';
import { CommandError, EXIT, type Output } from './output.ts';
import { type CommonOptions, failedJob, type Session } from './session.ts';

/** Two sides and what is to be done with them. */
export interface ReconcileOptions extends CommonOptions {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly name: string;
  readonly rules?: string | undefined;
  readonly matchesOut?: string | undefined;
  readonly sign?: 'same' | 'opposite' | undefined;
  readonly dryRun: boolean;
  /** The largest difference that a rule of evidence may commit. */
  readonly allowDifference?: MaxDifferenceInput | undefined;
}

async function findByName(session: Session, name: string): Promise<Reconciliation[]> {
  const found: Reconciliation[] = [];
  let cursor: string | undefined;
  do {
    const page = await session.client.get('reconciliations.list', { limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.data.filter((reconciliation) => reconciliation.name === name));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

const sameKeys = (streams: readonly { key: string }[], keys: readonly string[]) =>
  streams
    .map((stream) => stream.key)
    .toSorted()
    .join('\n') === [...new Set(keys)].toSorted().join('\n');

export interface Chosen {
  readonly reconciliation: Reconciliation;
  readonly isNew: boolean;
}

/** The reconciliation of the name with these streams, made with the default rules when there is none. */
export async function choose(session: Session, options: ReconcileOptions, output: Output): Promise<Chosen> {
  const named = await findByName(session, options.name);
  const same = named.find((candidate) => sameKeys(candidate.side_a_streams, options.a) && sameKeys(candidate.side_b_streams, options.b));
  if (same !== undefined) return { reconciliation: same, isNew: false };
  const other = named[0];
  if (other !== undefined) {
    const streams = (list: readonly { key: string }[]) => list.map((stream) => stream.key).join(',');
    throw new CommandError(
      EXIT.usage,
      'other_streams',
      `The reconciliation "${options.name}" exists with other streams (${streams(other.side_a_streams)} / ${streams(other.side_b_streams)}): give another --name, or those streams.`,
    );
  }
  const made = await session.client.get('reconciliations.set_up', {
    name: options.name,
    run_type: 'batch',
    side_a_keys: [...options.a],
    side_b_keys: [...options.b],
    sign_convention: options.sign,
  });
  if (made.sign_evidence.assumed) {
    output.note(
      'Nothing in the data tells whether both sides carry the same signs, so "same" or the headings were taken: --sign same|opposite says otherwise.',
    );
  }
  return { reconciliation: made.reconciliation, isNew: true };
}

/** A run once it has ended well; else what is said of it is thrown. */
export async function finishedRun(session: Session, run: Run): Promise<Run> {
  const id = run.reconciliation_id;
  const ended = new Promise<void>((resolve) => {
    const unsubscribe = session.backend.subscribe((event) => {
      if (event.kind !== 'job' || event.run_id !== run.id || event.status === 'running' || event.status === 'pending') return;
      unsubscribe();
      resolve();
    });
  });
  const stop = () => void session.client.get('runs.cancel', { id, run_id: run.id }).catch(() => {});
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const first = await session.client.get('runs.get', { id, run_id: run.id });
  if (first.status === 'pending' || first.status === 'running') await ended;
  process.off('SIGINT', stop);
  process.off('SIGTERM', stop);
  const done = await session.client.get('runs.get', { id, run_id: run.id });
  if (done.status === 'failed') throw failedJob('run_failed', done.error_message);
  if (done.status === 'cancelled') throw new CommandError(EXIT.problems, 'cancelled', 'The run was cancelled. Nothing of it was stored.');
  return done;
}
