import type { ServiceContext } from '../service/context.ts';
import type { Handlers } from '../service/handler.ts';
import { answeredOnce } from '../service/idempotency.ts';
import { bookOperations } from '../book/index.ts';
import { closeOperations } from '../close/index.ts';
import { importsOperations } from '../imports/index.ts';
import { matchesOperations } from '../matches/index.ts';
import { reconciliationsOperations } from '../reconciliations/index.ts';
import { recordsOperations } from '../records/index.ts';
import { rulesOperations } from '../rules/index.ts';
import { runsOperations } from '../runs/index.ts';
import { streamsOperations } from '../streams/index.ts';
import { syncOperations } from '../sync/index.ts';
import { withUndo } from './undo.ts';

/** Returns every operation of the contract with its handler; a missing one does not compile. */
export function createHandlers(context: ServiceContext): Handlers {
  const handlers = {
    ...bookOperations(context),
    ...closeOperations(context),
    ...importsOperations(context),
    ...matchesOperations(context),
    ...reconciliationsOperations(context),
    ...recordsOperations(context),
    ...rulesOperations(context),
    ...runsOperations(context),
    ...streamsOperations(context),
    ...syncOperations(context),
  };
  return answeredOnce(context, withUndo(context, handlers));
}
