import { storedJson } from '../../database/json-columns.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { findRun } from '../../runs/store/runs.ts';
import { answer, missing, refuse } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { pageWouldBeMatches } from '../store/matches.ts';

export function wouldBeMatchHandlers(context: ServiceContext): Pick<Handlers, 'runs.would_be_matches'> {
  const { database } = context;
  return {
    'runs.would_be_matches': (caller, input) => {
      if (findReconciliation(database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      const run = findRun(database, input.id, input.run_id);
      if (run === undefined) return missing('run', input.run_id);
      if (run.mode !== 'dry_run') {
        return refuse('conflict', `Run ${run.id} is no dry run: what it matched stands among the matches of the reconciliation.`);
      }
      const list = `would-be matches of ${run.id}`;
      const start = pageStart(input, list);
      if (!start.ok) return start;
      return answer(
        pageAnswer(
          pageWouldBeMatches(database, run.id, start.value),
          start.value,
          list,
          ({ position }) => ({ value: position, id: position }),
          (shown) => shown.map(({ body, position }) => storedJson('would_be_matches.body', body, `${run.id}.${position}`)),
        ),
      );
    },
  };
}
