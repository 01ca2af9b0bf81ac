import type { Learned } from '../../../src-shared/contract/index.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { inOrderOfDays, learnedWords } from '../../domain/evidence/explain-evidence.ts';
import { type Level, PARAMETERS_FORMAT } from '../../domain/evidence/model/parameters.ts';
import { probabilityOf } from '../../domain/evidence/model/weight.ts';
import { findMatch, setMatchStatus } from '../../matches/store/matches.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { openRun } from '../../runs/store/runs.ts';
import { answer, missing, refuse, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import {
  countReviews,
  insertLearned,
  type LearnedRow,
  newestLearned,
  pageReviews,
  removeAlias,
  removedAliases,
  removeReview,
  restoreAlias,
} from '../store/evidence.ts';

type Handled =
  | 'evidence.get'
  | 'evidence.relearn'
  | 'evidence.remove_alias'
  | 'evidence.restore_alias'
  | 'evidence.reviews'
  | 'evidence.keep';

function levelView({ name, m, u }: Level): Learned['amount'][number] {
  return { name, m, u, bits: u === null || u === 0 || m === 0 ? null : Math.log2(m / u) };
}

/** Returns the name of a level of references as a person says it: `reference INV and description ORD, on one line each`. */
function referenceWords(name: string): string {
  const [first = '', ...rest] = name.replaceAll('metadata.', '').split(' (');
  // Each part begins with the number of the shape of a reference, which says nothing to a person.
  return [first, ...rest.map((part) => part.slice(part.indexOf(')') + 1))].join('');
}

function learnedView(row: LearnedRow, removed: ReadonlySet<string>): Learned {
  const stored = storedJson('evidence_parameters.body', row.body, row.rule_id);
  const body = { ...stored, aliases: stored.aliases.filter(({ a, b }) => !removed.has(aliasKey(a, b))) };
  return {
    reconciliation_id: row.reconciliation_id,
    rule_id: row.rule_id,
    version: row.version,
    run_id: row.run_id,
    learned_at: timestampOf(row.created_at),
    words: learnedWords(body),
    lines_a: body.lines.a,
    lines_b: body.lines.b,
    partnered_a: body.partnered.a,
    partnered_b: body.partnered.b,
    prior: body.prior,
    lags: inOrderOfDays(body.lag).map(({ fromDay, toDay, m, u }) => ({ from_day: fromDay, to_day: toDay, m, u })),
    amount: body.amount.map(levelView),
    text: body.text.map(levelView),
    references: body.references.map(levelView).map((level) => ({ ...level, name: referenceWords(level.name) })),
    rare_words: [...body.rareWords],
    common_words: [...body.commonWords],
    aliases: body.aliases.map(({ a, b, pairs }) => ({
      a,
      b,
      matches: pairs.map(([aId, bId]) => ({ a_record_id: aId, b_record_id: bId })),
    })),
  };
}

const aliasKey = (a: string, b: string): string => JSON.stringify([a, b]);

/** Runs a change of what was learned: checks that the reconciliation exists, audits the change and publishes it. */
function changing<T>(
  context: ServiceContext,
  caller: Caller,
  reconciliationId: number,
  action: string,
  change: (write: WriteHandle, atMs: number) => T,
) {
  const atMs = context.clock.nowMs();
  const outcome = context.database.write((write) => {
    if (findReconciliation(write, caller.environmentId, reconciliationId) === undefined) return missing('reconciliation', reconciliationId);
    const value = change(write, atMs);
    const detail = { reconciliation_id: reconciliationId, ...value };
    appendAudit(write, { environmentId: caller.environmentId, atMs, actor: caller.actor, action, detail });
    return answer(value);
  });
  if (outcome.ok) context.changed(['rules'], reconciliationId);
  return outcome;
}

/** Stores an empty version, which discards what was learned; the next run learns again. */
function relearn(context: ServiceContext): Handlers['evidence.relearn'] {
  return (caller, { id }) => {
    if (openRun(context.database, id) !== undefined) {
      return refuse('run_in_progress', phrase('rules.evidence.aRunOfThisReconciliation'));
    }
    return changing(context, caller, id, 'evidence.forgotten', (write, atMs) => {
      const newest = newestLearned(write, id);
      if (newest === undefined || newest.format !== PARAMETERS_FORMAT) return { forgotten: false };
      const { reconciliation_id, rule_id, run_id } = newest;
      insertLearned(write, {
        reconciliation_id,
        rule_id,
        run_id,
        format: 0,
        terms: '',
        body: '',
        lines: 0,
        decisions: 0,
        created_at: atMs,
      });
      return { forgotten: true };
    });
  };
}

function keepMatch(context: ServiceContext): Handlers['evidence.keep'] {
  return (caller, input) => {
    const atMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      const match = findMatch(write, caller.environmentId, input.id);
      if (match === undefined) return missing(phrase('rules.evidence.reconciliationMatch'), input.id);
      removeReview(write, match.id);
      // A match that a person has kept counts as confirmed, so no run presents it for review again.
      if (match.confirmed_at === null) setMatchStatus(write, { ...match, confirmed_at: atMs, confirmed_by: caller.actor });
      const detail = { match_id: match.id, reconciliation_id: match.reconciliation_id };
      appendAudit(write, { environmentId: caller.environmentId, atMs, actor: caller.actor, action: 'match.kept', detail });
      return answer({ match_id: match.id, reconciliationId: match.reconciliation_id });
    });
    if (!outcome.ok) return outcome;
    const { reconciliationId, ...value } = outcome.value;
    context.changed(['matches'], reconciliationId);
    return answer(value);
  };
}

export function evidenceHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const { database } = context;
  return {
    'evidence.get': (caller, { id }) => {
      if (findReconciliation(database, caller.environmentId, id) === undefined) return missing('reconciliation', id);
      const row = newestLearned(database, id);
      if (row === undefined || row.format !== PARAMETERS_FORMAT) return answer({ learned: null });
      const removed = new Set(removedAliases(database, id).map(({ a, b }) => aliasKey(a, b)));
      return answer({ learned: learnedView(row, removed) });
    },
    'evidence.relearn': relearn(context),
    'evidence.remove_alias': (caller, { id, a, b }) =>
      changing(context, caller, id, 'alias.removed', (write, atMs) => {
        removeAlias(write, id, a, b, atMs);
        return { a, b };
      }),
    'evidence.restore_alias': (caller, { id, a, b }) =>
      changing(context, caller, id, 'alias.restored', (write) => {
        restoreAlias(write, id, a, b);
        return { a, b };
      }),
    'evidence.reviews': (caller, { id, limit, offset }) => {
      if (findReconciliation(database, caller.environmentId, id) === undefined) return missing('reconciliation', id);
      const data = pageReviews(database, id, limit, offset).map((row) => ({
        match_id: row.match_id,
        likelihood_before: probabilityOf(row.likelihood_before),
        likelihood_now: probabilityOf(row.likelihood_now),
        other_record_ids: storedJson('evidence_reviews.other_record_ids', row.other_record_ids, row.match_id),
        created_at: timestampOf(row.created_at),
      }));
      return answer({ data, total_count: countReviews(database, id), offset });
    },
    'evidence.keep': keepMatch(context),
  };
}
