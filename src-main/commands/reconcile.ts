import { createWriteStream, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { z } from 'zod';
import type { Reconciliation, ReconciliationSummary, RuleBody, Run } from '../../src-shared/contract/index.ts';
import { ruleBody } from '../../src-shared/contract/rules.ts';
import { faultsOfIssue } from '../transport/validation-words.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { type CommonOptions, failedJob, type Session, withSession } from './session.ts';

export interface ReconcileOptions extends CommonOptions {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly name: string;
  readonly rules?: string | undefined;
  readonly matchesOut?: string | undefined;
  readonly sign?: 'same' | 'opposite' | undefined;
  readonly dryRun: boolean;
}

/** The rules of a rules file: an array of rule bodies. Faults name the file and the place in it. */
export function readRulesFile(file: string): RuleBody[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = existsSync(file) ? (error instanceof Error ? error.message : String(error)) : 'it does not exist';
    throw new CommandError(EXIT.usage, 'rules_unreadable', `The rules file ${file} cannot be read: ${reason}.`);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new CommandError(
      EXIT.usage,
      'rules_unreadable',
      `The rules file ${file} is not JSON: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  const checked = z.array(ruleBody).min(1).max(100).safeParse(parsed, { reportInput: true });
  if (checked.success) return checked.data;
  const fault = checked.error.issues.flatMap(faultsOfIssue)[0];
  const place = fault === undefined || fault.path === '' ? 'the file' : fault.path;
  throw new CommandError(
    EXIT.usage,
    'invalid_rules',
    `The rules file ${file} is not valid at ${place}: ${fault?.message ?? 'unknown fault'}. It is an array of rules as POST /reconciliation_rules takes them, without reconciliation_id.`,
  );
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

/** The reconciliation of the name with these streams, made with the default rules when there is none. */
async function choose(session: Session, options: ReconcileOptions, output: Output): Promise<Chosen> {
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

async function finishedRun(session: Session, run: Run, output: Output): Promise<Run> {
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
  output.note(`Run ${done.id}: ${done.matches} matches, ${done.proposed_matches} proposed.`);
  return done;
}

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One line per record in a match; written aside and moved into place, so that nobody sees half of it. */
async function writeMatches(session: Session, reconciliationId: number, file: string): Promise<void> {
  const aside = `${file}.part`;
  try {
    const stream = createWriteStream(aside);
    await once(stream, 'open');
    stream.write('match_id,side,external_id,record_id,rule,status\n');
    let after = 0;
    for (;;) {
      const page = await session.client.get('matches.members', {
        reconciliation_id: reconciliationId,
        after_match_id: after,
        matches: 2_000,
      });
      if (page.last_match_id === null) break;
      after = page.last_match_id;
      const lines = page.data.map(
        (line) => `${line.match_id},${line.side},${cell(line.external_id ?? '')},${line.record_id},${line.rule_id ?? ''},${line.status}\n`,
      );
      if (!stream.write(lines.join(''))) await once(stream, 'drain');
    }
    stream.end();
    await once(stream, 'close');
    renameSync(aside, file);
  } catch (error) {
    rmSync(aside, { force: true });
    throw new CommandError(
      EXIT.environment,
      'cannot_write',
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

interface Figures {
  readonly reconciliation_id: number;
  readonly run: Run;
  readonly matches: number;
  readonly matched_a: number;
  readonly matched_b: number;
  readonly unmatched_a: number;
  readonly unmatched_b: number;
  readonly proposed: number;
}

/** A dry run's would-be matches are added to what is matched already. */
function figuresOf(run: Run, summary: ReconciliationSummary): Figures {
  const dry = run.mode === 'dry_run';
  const matchedA = summary.side_a.matched + (dry ? run.matched_side_a : 0);
  const matchedB = summary.side_b.matched + (dry ? run.matched_side_b : 0);
  return {
    reconciliation_id: run.reconciliation_id,
    run,
    matches: summary.matches + (dry ? run.matches : 0),
    matched_a: matchedA,
    matched_b: matchedB,
    unmatched_a: summary.side_a.records - matchedA,
    unmatched_b: summary.side_b.records - matchedB,
    proposed: dry ? run.proposed_matches : summary.proposed_matches,
  };
}

async function startedRun(session: Session, id: number, options: ReconcileOptions, rules: RuleBody[] | null): Promise<Run> {
  if (options.dryRun && rules !== null) return session.client.get('runs.rehearse', { id, rules });
  if (rules !== null) await session.client.get('rules.replace', { id, rules });
  else if ((await session.client.get('rules.list', { reconciliation_id: id })).length === 0) {
    const { defaultRules } = await import('../domain/matching/default-rules.ts');
    const bodies = defaultRules().map((body) => ({ ...body }));
    if (options.dryRun) return session.client.get('runs.rehearse', { id, rules: bodies });
    await session.client.get('rules.replace', { id, rules: bodies });
  }
  return session.client.get('runs.start', { id, mode: options.dryRun ? 'dry_run' : 'commit' });
}

function checkOptions(options: ReconcileOptions): void {
  if (options.dryRun && options.matchesOut !== undefined) {
    throw new CommandError(
      EXIT.usage,
      'usage',
      '--matches-out needs stored matches, which a --dry-run does not make: leave one of them out.',
    );
  }
  const folder = options.matchesOut === undefined ? null : path.dirname(path.resolve(options.matchesOut));
  if (folder !== null && !existsSync(folder)) {
    throw new CommandError(EXIT.usage, 'usage', `The folder ${folder} for --matches-out does not exist.`);
  }
}

export async function reconcile(options: ReconcileOptions, output: Output): Promise<ExitCode> {
  checkOptions(options);
  const rules = options.rules === undefined ? null : readRulesFile(options.rules);
  return withSession(options, output, async (session) => {
    const { reconciliation, isNew } = await choose(session, options, output);
    const { id } = reconciliation;
    let stays = !isNew;
    try {
      const started = await startedRun(session, id, options, rules);
      stays ||= !options.dryRun;
      const run = await finishedRun(session, started, output);
      const figures = figuresOf(run, await session.client.get('reconciliations.summary', { id }));
      if (options.matchesOut !== undefined) await writeMatches(session, id, options.matchesOut);
      output.print(figures, [
        `${options.name}${options.dryRun ? ' (dry run, nothing was stored)' : ''}`,
        `Matches ${figures.matches}, proposed ${figures.proposed}.`,
        `Side A: ${figures.matched_a} matched, ${figures.unmatched_a} left. Side B: ${figures.matched_b} matched, ${figures.unmatched_b} left.`,
      ]);
    } finally {
      // A dry run leaves no trace, and neither do rules that were refused: not even the reconciliation made for them.
      if (!stays) await session.client.call('reconciliations.remove', { id });
    }
    return EXIT.fine;
  });
}
