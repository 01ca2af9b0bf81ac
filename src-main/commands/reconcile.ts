import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Output as Outputs, Reconciliation, ReconciliationSummary, RuleBody, Run } from '../../src-shared/contract/index.ts';
import { bodyOf } from '../../src-shared/contract/rules/rule-bodies.ts';
import { presetRules } from '../../src-shared/contract/rules/rule-presets.ts';
import { ruleBody } from '../../src-shared/contract/rules/rules.ts';
import { csvLines, FORMULA_BUT_NUMBER } from '../../src-shared/values/csv.ts';
import { faultsOfIssue } from '../transport/validation/validation.ts';
import { choose, differenceIn, finishedRun, type ReconcileOptions, whenFree } from './choose-reconciliation.ts';
import { cannotWrite, CommandError, EXIT, removePart, type ExitCode, type Output } from './output.ts';
import { type Session, withSession } from './session.ts';
import { say } from '../../src-shared/words/say.ts';

/** Returns the rules of a rules file, an array of rule bodies. Throws with the file and the place of the first fault. */
export function readRulesFile(file: string): RuleBody[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = existsSync(file) ? (error instanceof Error ? error.message : String(error)) : say('commands.reconcile.itDoesNotExist');
    throw new CommandError(EXIT.usage, 'rules_unreadable', say('commands.reconcile.theRulesFileCannotBeRead', { file, reason }));
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new CommandError(
      EXIT.usage,
      'rules_unreadable',
      say('commands.reconcile.theRulesFileIsNotJson', { file, message: error instanceof Error ? error.message : String(error) }),
    );
  }
  const checked = z.array(ruleBody).min(1).max(100).safeParse(parsed, { reportInput: true });
  if (checked.success) return checked.data;
  const fault = checked.error.issues.flatMap(faultsOfIssue)[0];
  const place = fault === undefined || fault.path === '' ? say('commands.reconcile.theFile') : fault.path;
  throw new CommandError(
    EXIT.usage,
    'invalid_rules',
    say('commands.reconcile.rulesFileIsNotValid', { file, place, message: fault?.message ?? say('commands.reconcile.unknownFault') }),
  );
}

const MATCH_COLUMNS = 'match_id,side,external_id,record_id,rule,status,difference_code,difference_note,likelihood,explanation'.split(',');

/** Returns CSV lines. Numbers, such as negative ids, are not escaped as formulae. */
const linesOf = (rows: readonly (readonly unknown[])[]): string => csvLines(rows, { newline: '\n', escapeFormulae: FORMULA_BUT_NUMBER });

function cellsOf(member: Outputs<'matches.members'>['data'][number]): unknown[] {
  const { match_id: id, side, external_id, record_id, rule_id, status, difference_code: code, difference_note: note } = member;
  const { likelihood, explanation = [] } = member;
  return [id, side, external_id, record_id, rule_id, status, code, note, likelihood, explanation.join('; ')];
}

/** Writes one line per record in a match, beside the file first and then renamed, so that no reader sees a part of it. */
async function writeMatches(session: Session, reconciliationId: number, file: string): Promise<void> {
  const part = `${file}.part`;
  try {
    const stream = createWriteStream(part);
    await once(stream, 'open');
    stream.write(linesOf([MATCH_COLUMNS]));
    let after = 0;
    for (;;) {
      const page = await session.client.get('matches.members', {
        reconciliation_id: reconciliationId,
        after_match_id: after,
        matches: 2_000,
        explained: true,
      });
      if (page.last_match_id === null) break;
      after = page.last_match_id;
      if (!stream.write(linesOf(page.data.map(cellsOf)))) await once(stream, 'drain');
    }
    stream.end();
    await once(stream, 'close');
    renameSync(part, file);
  } catch (error) {
    removePart(part);
    throw cannotWrite(file, error);
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
  /** Lines of `unmatched_a` and `unmatched_b` that are in proposals; null in a dry run, which does not store its own. */
  readonly proposed_a: number | null;
  readonly proposed_b: number | null;
  /** Number of proposals. */
  readonly proposed: number;
}

/** Returns a line such as `Side A: 229 matched, 42 open, of which 30 proposed.` */
function sideLine(side: string, matched: number, open: number, proposed: number | null): string {
  return say('commands.reconcile.sideMatchedOpen', { side, matched, open, proposed: proposed ?? 0 });
}

/** Returns the figures of a run. A dry run's matches are added to the stored ones. */
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
    proposed_a: dry ? null : summary.side_a.proposed,
    proposed_b: dry ? null : summary.side_b.proposed,
    proposed: dry ? run.proposed_matches : summary.proposed_matches,
  };
}

/**
 * Makes sure that the reconciliation has active rules, and that its rules of evidence allow the requested difference. For a dry run that would change
 * rules, returns the rules to use instead; else null.
 */
async function settleRules(session: Session, reconciliation: Reconciliation, options: ReconcileOptions): Promise<RuleBody[] | null> {
  const { id } = reconciliation;
  const { dryRun } = options;
  const allowDifference =
    options.allowDifference === undefined ? undefined : await differenceIn(session, reconciliation, options.allowDifference);
  const inUse = (await session.client.get('rules.list', { reconciliation_id: id })).filter(
    ({ status, paused }) => status === 'active' && !paused,
  );
  const allowed = allowDifference === undefined ? {} : { max_difference: allowDifference };
  if (inUse.length === 0) {
    const bodies = presetRules().map((body) => ({ ...body, ...allowed }));
    if (dryRun) return bodies;
    // `keep` leaves rules that wait for a review.
    await session.client.get('rules.replace', { id, rules: bodies, keep: true });
    return null;
  }
  if (allowDifference === undefined) return null;
  const weighing = inUse.filter(({ method }) => method === 'evidence');
  if (weighing.length === 0) {
    throw new CommandError(EXIT.usage, 'usage', say('commands.reconcile.allowDifferenceIsForRulesOfEvidence'));
  }
  if (dryRun) return inUse.map((rule) => ({ ...bodyOf(rule), priority: rule.priority, ...(rule.method === 'evidence' ? allowed : {}) }));
  for (const rule of weighing) await session.client.get('rules.update', { id: rule.id, ...allowed });
  return null;
}

/** Returns why nothing was matched where the sides share no currency; else nothing. */
function currencyLines({ no_shared_currency: apart }: Run): string[] {
  if (apart === null) return [];
  const [a, b] = [apart.side_a.join(', '), apart.side_b.join(', ')];
  return [say('commands.reconcile.theSidesShareNoCurrency', { a, b })];
}

async function startedRun(
  session: Session,
  reconciliation: Reconciliation,
  options: ReconcileOptions,
  rules: RuleBody[] | null,
): Promise<Run> {
  const { id } = reconciliation;
  if (options.dryRun && rules !== null) return session.client.get('runs.rehearse', { id, rules });
  if (rules !== null) await session.client.get('rules.replace', { id, rules });
  else {
    const rehearsed = await settleRules(session, reconciliation, options);
    if (rehearsed !== null) return session.client.get('runs.rehearse', { id, rules: rehearsed });
  }
  return session.client.get('runs.start', { id, mode: options.dryRun ? 'dry_run' : 'commit' });
}

function checkOptions(options: ReconcileOptions): void {
  if (options.rules !== undefined && options.allowDifference !== undefined) {
    throw new CommandError(EXIT.usage, 'usage', say('commands.reconcile.allowDifferenceGoesWithTheRules'));
  }
  if (options.dryRun && options.matchesOut !== undefined) {
    throw new CommandError(EXIT.usage, 'usage', say('commands.reconcile.matchesOutNeedsStored'));
  }
  const folder = options.matchesOut === undefined ? null : path.dirname(path.resolve(options.matchesOut));
  if (folder !== null && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new CommandError(EXIT.usage, 'usage', say('commands.reconcile.theFolderForMatches', { folder }));
  }
  if (options.matchesOut !== undefined && statSync(options.matchesOut, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new CommandError(EXIT.usage, 'usage', say('commands.reconcile.matchesOutIsAFolder', { folder: options.matchesOut }));
  }
}

export async function reconcile(options: ReconcileOptions, output: Output): Promise<ExitCode> {
  checkOptions(options);
  const rules = options.rules === undefined ? null : readRulesFile(options.rules);
  return withSession('reconcile', options, output, async (session) => {
    const { reconciliation, isNew } = await choose(session, options, output);
    const { id } = reconciliation;
    let stays = !isNew;
    try {
      const started = await whenFree(session, id, output, () => startedRun(session, reconciliation, options, rules));
      stays ||= !options.dryRun;
      const run = await finishedRun(session, started, output);
      output.note(
        say('commands.reconcile.runMatchesProposed', { id: run.id, matches: run.matches, proposedMatches: run.proposed_matches }),
      );
      for (const words of budgetWords(run)) output.note(words);
      const figures = figuresOf(run, await session.client.get('reconciliations.summary', { id }));
      if (options.matchesOut !== undefined) await writeMatches(session, id, options.matchesOut);
      output.print(figures, [
        options.dryRun ? say('commands.reconcile.dryRunNothingWasStored', { name: options.name }) : options.name,
        say('commands.reconcile.matchesProposed', { matches: figures.matches, proposed: figures.proposed }),
        ...currencyLines(run),
        sideLine('A', figures.matched_a, figures.unmatched_a, figures.proposed_a),
        sideLine('B', figures.matched_b, figures.unmatched_b, figures.proposed_b),
      ]);
    } finally {
      // A dry run, and rules that were refused, leave no reconciliation behind.
      if (!stays) await session.client.call('reconciliations.remove', { id });
    }
    return EXIT.fine;
  });
}

/** Returns the notes of rules of evidence about a run. */
function budgetWords(run: Run): string[] {
  return Object.values(run.rule_summary).flatMap(({ evidence }) => evidence?.words ?? []);
}
