import type { Rule, Run } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { choose, finishedRun, type ReconcileOptions, whenFree } from './choose-reconciliation.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { type Session, withSession } from './session.ts';
import { say } from '../../src-shared/words/say.ts';

interface Found {
  readonly reconciliation_id: number;
  readonly run: Run;
  /** Proposed rules that wait for a review, in their order. */
  readonly rules: readonly Rule[];
  /** Reason where nothing was found; else null. */
  readonly nothing: string | null;
}

async function proposed(session: Session, reconciliationId: number, output: Output): Promise<Found> {
  const start = () => session.client.get('proposals.create', { id: reconciliationId });
  const run = await finishedRun(session, await whenFree(session, reconciliationId, output, start), output);
  const { nothing } = present(run.proposals, 'what a run that proposes rules found');
  output.note(say('commands.proposeRules.runLookedAtRecords', { id: run.id, totalRecords: run.total_records }));
  const rules = await session.client.get('rules.list', { reconciliation_id: reconciliationId });
  return { reconciliation_id: reconciliationId, run, rules: rules.filter(({ status }) => status === 'proposed'), nothing };
}

function lineOf({ id, description, confidence, sample_match_rate: rate, outcome }: Rule): string {
  const isAsked = outcome === 'propose';
  return say(isAsked ? 'commands.proposeRules.forAPersonToConfirmEachMatch' : 'commands.proposeRules.confidenceOfTheSample', {
    id,
    description: description ?? say('commands.proposeRules.ruleWithoutADescription'),
    confidence: confidence ?? 'unknown',
    rate: rate ?? '0/0',
  });
}

/** Throws for options about matching, because nothing is matched. */
function checkOptions(options: ReconcileOptions): void {
  const given = { '--rules': options.rules, '--matches-out': options.matchesOut, '--dry-run': options.dryRun || undefined };
  const [other] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (other === undefined) return;
  throw new CommandError(EXIT.usage, 'usage', say('commands.proposeRules.proposeLooksForRules', { each: other }));
}

/**
 * Proposes rules from the records of two sides and lists them; nothing is matched. A reconciliation that is made for it starts without any other
 * rule, and is removed where the run failed or was cancelled.
 */
export async function proposeRules(options: ReconcileOptions, output: Output): Promise<ExitCode> {
  checkOptions(options);
  return withSession('reconcile', options, output, async (session) => {
    // A new reconciliation has no default rules, because the search would skip those as known.
    const { reconciliation, isNew } = await choose(session, options, output, { defaultRules: false });
    const { id } = reconciliation;
    let stays = !isNew;
    try {
      const found = await proposed(session, id, output);
      stays = true;
      output.print(found, [
        say('commands.proposeRules.proposed', { name: options.name, rules: found.rules.length }),
        ...found.rules.map(lineOf),
        found.nothing ?? say('commands.proposeRules.aProposedRuleMatches'),
      ]);
    } finally {
      if (!stays) await session.client.call('reconciliations.remove', { id });
    }
    return EXIT.fine;
  });
}
