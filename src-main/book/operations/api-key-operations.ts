import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { answer, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import { ENVIRONMENT_IDS, type EnvironmentName, type Handlers } from '../../service/handler.ts';
import { ApiKeys } from './api-keys.ts';

const ENVIRONMENTS = Object.keys(ENVIRONMENT_IDS) as EnvironmentName[];

/** Returns the handlers for keys in the settings, across all environments of the book. */
export function apiKeyHandlers(
  context: ServiceContext,
): Pick<Handlers, 'environments.list' | 'api_keys.list' | 'api_keys.issue' | 'api_keys.revoke'> {
  const keys = new ApiKeys(context.database, context.clock, context.random);
  const listed = (environments: readonly EnvironmentName[]) =>
    environments.flatMap((environment) => keys.list(environment)).toSorted((left, right) => left.id - right.id);
  return {
    'environments.list': () =>
      answer(ENVIRONMENTS.map((name) => ({ name, live_keys: keys.list(name).filter((key) => key.revoked_at === null).length }))),
    'api_keys.list': (_caller, input) => answer(listed(input.environment === undefined ? ENVIRONMENTS : [input.environment])),
    'api_keys.issue': (caller, input) => {
      const { environment, permission, name, reconciliation_id: of } = input;
      if (of !== undefined && permission !== 'read') return refuseField('validation_failed', 'permission', 'A sheet link only reads.');
      if (of !== undefined && findReconciliation(context.database, ENVIRONMENT_IDS[environment], of) === undefined) {
        return refuseField('unknown_reference', 'reconciliation_id', `There is no reconciliation ${of} in the ${environment} environment.`);
      }
      const issued = keys.issue(environment, permission, name, caller.actor, of ?? null);
      context.changed(['api_keys']);
      return answer(issued);
    },
    'api_keys.revoke': (caller, input) => {
      const found = listed(ENVIRONMENTS).find((key) => key.id === input.id);
      if (found === undefined) return refuse('not_found', `There is no API key ${input.id}.`);
      if (!keys.revoke(found.environment, found.id, caller.actor)) {
        return refuse('conflict', `The API key ${found.name} was revoked already, so there is nothing to do.`);
      }
      context.changed(['api_keys']);
      return answer(null);
    },
  };
}
