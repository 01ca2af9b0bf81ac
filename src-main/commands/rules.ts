import type { Rule, Run } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import { findReconciliation } from './find-period.ts';
import { EXIT, type ExitCode, type Output } from './output.ts';
import { readRulesFile } from './reconcile.ts';
import { type CommonOptions, requireBook, type Session, withSession } from './session.ts';

/** Options of a command on what belongs to a reconciliation. */
export interface ListOptions extends CommonOptions {
  /** Id or name of the reconciliation. */
  readonly reconciliation: string;
}

function ruleLine({ id, description, status, paused }: Rule): string {
  const state = paused ? say('commands.rules.paused') : status === 'active' ? say('commands.rules.inUse') : say('commands.rules.proposed');
  return `${id}  ${description ?? say('commands.proposeRules.ruleWithoutADescription')}  ${state}`;
}

function printRules(rules: readonly Rule[], output: Output): ExitCode {
  output.print(rules, rules.length === 0 ? [say('commands.rules.noRules')] : rules.map(ruleLine));
  return EXIT.fine;
}

export function listRules(options: ListOptions, output: Output): Promise<ExitCode> {
  return withSession('rules', options, output, async (session) => {
    const { id } = await findReconciliation(session, options.reconciliation);
    return printRules(await session.client.get('rules.list', { reconciliation_id: id }), output);
  });
}

/** Replaces the rules of a reconciliation by those of a rules file. */
export function setRules(file: string, options: ListOptions, output: Output): Promise<ExitCode> {
  const rules = readRulesFile(file);
  return withSession('rules', options, output, async (session) => {
    const { id } = await findReconciliation(session, options.reconciliation);
    return printRules(await session.client.get('rules.replace', { id, rules }), output);
  });
}

type RuleVerb = 'use' | 'pause' | 'resume' | 'remove';

async function changed({ client }: Session, verb: RuleVerb, id: number): Promise<Rule> {
  if (verb === 'use') return client.get('rules.activate', { id });
  if (verb !== 'remove') return client.get('rules.update', { id, paused: verb === 'pause' });
  const rule = await client.get('rules.get', { id });
  if (rule.status === 'proposed') return client.get('rules.dismiss', { id });
  await client.get('rules.remove', { id });
  return rule;
}

/** Takes a proposed rule into use, pauses or resumes a rule, or deletes it. */
export function changeRule(verb: RuleVerb, id: number, options: CommonOptions, output: Output): Promise<ExitCode> {
  requireBook(options.data);
  return withSession('rules', options, output, async (session) => {
    const rule = await changed(session, verb, id);
    output.print(rule, [verb === 'remove' ? say('commands.rules.isRemoved', { id }) : ruleLine(rule)]);
    return EXIT.fine;
  });
}

function runLine({ id, started_at, status, mode, matches, proposed_matches: proposed, undone_at: undone }: Run): string {
  return [
    say('commands.rules.run', { id, at: started_at ?? '–', status, matches, proposed }),
    ...(mode === 'dry_run' ? [say('commands.rules.dryRun')] : []),
    ...(undone === null ? [] : [say('commands.rules.undone', { undone })]),
  ].join(', ');
}

/** Lists all runs of a reconciliation, newest first. */
export function listRuns(options: ListOptions, output: Output): Promise<ExitCode> {
  return withSession('runs', options, output, async (session) => {
    const { id } = await findReconciliation(session, options.reconciliation);
    const runs: Run[] = [];
    let cursor: string | undefined;
    do {
      const page = await session.client.get('runs.list', { id, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
      runs.push(...page.data);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    output.print(runs, runs.length === 0 ? [say('commands.rules.noRuns')] : runs.map(runLine));
    return EXIT.fine;
  });
}

/** Takes apart what a run matched. */
export function undoRun(runId: number, options: ListOptions, output: Output): Promise<ExitCode> {
  return withSession('runs', options, output, async (session) => {
    const { id } = await findReconciliation(session, options.reconciliation);
    const undone = await session.client.get('runs.undo', { id, run_id: runId });
    output.print(undone, [say('commands.rules.runIsUndone', { id: runId, matches: undone.matches, kept: undone.kept })]);
    return EXIT.fine;
  });
}
