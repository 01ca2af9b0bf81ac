import { ServiceError } from '../../src-shared/client/client.ts';
import type { MaxDifferenceInput, Reconciliation, Run } from '../../src-shared/contract/index.ts';
import { signedMinorOfText } from '../../src-shared/values/amount-input.ts';
import { decimalPlacesOf, DEFAULT_CURRENCY } from '../../src-shared/values/money.ts';
import { CommandError, EXIT, type Output } from './output.ts';
import { type CommonOptions, failedJob, type Session, untilStopped } from './session.ts';
import { say } from '../../src-shared/words/say.ts';

/** Options of a reconciliation and of its run. */
export interface ReconcileOptions extends CommonOptions {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly name: string;
  readonly rules?: string | undefined;
  readonly matchesOut?: string | undefined;
  readonly sign?: 'same' | 'opposite' | undefined;
  readonly dryRun: boolean;
  /** The largest difference with which a rule of evidence may match. */
  readonly allowDifference?: GivenDifference | undefined;
}

/** A largest difference as a person gives it: an amount in currency units, or a share. */
export type GivenDifference = { readonly amount: string } | { readonly percent: number };

/** Returns a largest difference as rules hold it. Its amount is in the currency of both sides. */
export async function differenceIn(
  { client }: Session,
  { side_a_streams, side_b_streams }: Reconciliation,
  given: GivenDifference,
): Promise<MaxDifferenceInput> {
  if ('percent' in given) return given;
  const ids = new Set([...side_a_streams, ...side_b_streams].map(({ id }) => id));
  const streams = await client.get('streams.list', {});
  const currencies = [...new Set(streams.filter(({ id }) => ids.has(id)).map(({ currency }) => currency ?? DEFAULT_CURRENCY))];
  const [places = 2, ...others] = new Set(currencies.map(decimalPlacesOf));
  const minor = others.length === 0 ? signedMinorOfText(given.amount, places) : null;
  if (minor !== null) return { minor };
  const message = say('commands.chooseReconciliation.isNoDifference', { amount: given.amount, currencies: currencies.join(', ') });
  throw new CommandError(EXIT.usage, 'usage', message);
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

interface Chosen {
  readonly reconciliation: Reconciliation;
  readonly isNew: boolean;
}

/**
 * Returns the reconciliation with this name and these streams, made when there is none. Throws where the name belongs to other streams.
 * `defaultRules`: whether a new one gets the default rules.
 */
export async function choose(
  session: Session,
  options: ReconcileOptions,
  output: Output,
  { defaultRules }: { readonly defaultRules: boolean } = { defaultRules: true },
): Promise<Chosen> {
  const named = await findByName(session, options.name);
  const same = named.find((candidate) => sameKeys(candidate.side_a_streams, options.a) && sameKeys(candidate.side_b_streams, options.b));
  if (same !== undefined) return { reconciliation: same, isNew: false };
  const other = named[0];
  if (other !== undefined) {
    const streams = (list: readonly { key: string }[]) => list.map((stream) => stream.key).join(',');
    throw new CommandError(
      EXIT.usage,
      'other_streams',
      say('commands.chooseReconciliation.theReconciliationExistsWithOtherAccounts', {
        name: options.name,
        streams: streams(other.side_a_streams),
        streams2: streams(other.side_b_streams),
      }),
    );
  }
  const made = await session.client.get('reconciliations.set_up', {
    name: options.name,
    run_type: 'batch',
    side_a_keys: [...options.a],
    side_b_keys: [...options.b],
    sign_convention: options.sign,
    default_rules: defaultRules,
    temporary: options.dryRun,
  });
  if (made.sign_evidence.assumed) {
    output.note(say('commands.chooseReconciliation.nothingInTheData'));
  }
  return { reconciliation: made.reconciliation, isNew: true };
}

const isOpen = ({ status }: Run): boolean => status === 'pending' || status === 'running';

/** Resolves when the run has ended; `signal` ends the wait, not the run. */
async function endOf({ subscribe, client }: Session, run: Run, output: Output, signal?: AbortSignal): Promise<Run> {
  const asked = { id: run.reconciliation_id, run_id: run.id };
  let unsubscribe = (): void => {};
  const ended = new Promise<void>((resolve) => {
    signal?.addEventListener('abort', () => resolve());
    unsubscribe = subscribe((event) => {
      if (event.kind !== 'job' || event.run_id !== run.id) return;
      if (event.status !== 'running' && event.status !== 'pending') resolve();
      else if (event.total > 0) output.progress(`${event.phase} ${event.progress} %`);
    });
  });
  if (isOpen(await client.get('runs.get', asked))) await ended;
  unsubscribe();
  return client.get('runs.get', asked);
}

/** Waits for a run and returns it once it has completed. Throws where it failed or was cancelled. Ctrl+C cancels it. */
export async function finishedRun(session: Session, run: Run, output: Output): Promise<Run> {
  const done = await untilStopped((signal) => {
    const cancel = () => void session.client.get('runs.cancel', { id: run.reconciliation_id, run_id: run.id }).catch(() => {});
    signal.addEventListener('abort', cancel);
    return endOf(session, run, output);
  });
  if (done.status === 'failed') throw failedJob('run_failed', done.error_message);
  if (done.status === 'cancelled')
    throw new CommandError(EXIT.problems, 'cancelled', say('commands.chooseReconciliation.theRunWasCancelled'));
  return done;
}

/** Waits for a run that this command did not start. Ctrl+C leaves it for the next start. */
async function waitForRun(session: Session, run: Run, output: Output): Promise<void> {
  const whose =
    run.kind === 'continuous'
      ? say('commands.chooseReconciliation.startedByItself')
      : say('commands.chooseReconciliation.wasLeftByATieout');
  output.note(say('commands.chooseReconciliation.runOfThisReconciliation', { id: run.id, whose }));
  await untilStopped(async (signal) => {
    await endOf(session, run, output, signal);
    if (signal.aborted) {
      const message = say('commands.chooseReconciliation.nothingWasDoneRun', { id: run.id });
      throw new CommandError(EXIT.problems, 'cancelled', message);
    }
  });
}

/**
 * Runs work that needs the reconciliation without a run in progress, and waits for such runs first: one that continued when the book was opened, or
 * one that started by itself.
 */
export async function whenFree<T>(session: Session, reconciliationId: number, output: Output, work: () => Promise<T>): Promise<T> {
  let waitedFor: number | null = null;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.failure.code !== 'run_in_progress') throw error;
      const [newest] = (await session.client.get('runs.list', { id: reconciliationId, limit: 1 })).data;
      // On a full disk the end of a run may not be stored. Then it blocks the work forever, so waiting again is useless.
      if (newest === undefined || (!isOpen(newest) && newest.id === waitedFor)) throw error;
      waitedFor = newest.id;
      if (isOpen(newest)) await waitForRun(session, newest, output);
    }
  }
}
