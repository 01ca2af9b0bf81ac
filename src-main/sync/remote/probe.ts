import { SyncStop } from '../model/answers.ts';
import type { RemoteKind } from '../model/result.ts';
import { LIVE, SPECIFICATION, TIEOUT, type Dialect } from '../sides/dialect.ts';
import { checked, stopOf } from './calls.ts';
import type { Http, HttpAnswer } from './http.ts';

const DIALECTS: Readonly<Record<RemoteKind, Dialect>> = { tieout: TIEOUT, live: LIVE, specification: SPECIFICATION };

function hasTitle(value: unknown, title: string): boolean {
  const info: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'info') : undefined;
  return typeof info === 'object' && info !== null && Reflect.get(info, 'title') === title;
}

const isGood = ({ status }: HttpAnswer): boolean => status >= 200 && status < 300;

/** Finds out by reading which kind of remote answers, and that the key is good. */
export async function probe(http: Http): Promise<Dialect> {
  const read = async (path: string): Promise<HttpAnswer> => {
    const answer = await http.send({ method: 'GET', path, isRepeatable: true });
    const stop = stopOf(http.host, answer);
    if (stop !== null) throw stop;
    return answer;
  };
  const reconciliations = await read('/reconciliations?limit=1');
  if (!isGood(reconciliations)) throw notAService(http, reconciliations);
  checked('reconciliations.list', reconciliations);
  const description = await http.send({ method: 'GET', path: '/openapi.json', isRepeatable: true });
  if (isGood(description) && hasTitle(description.value, 'Tieout')) return DIALECTS.tieout;
  const streams = await read('/data_streams');
  return isGood(streams) && Array.isArray(streams.value) ? DIALECTS.live : DIALECTS.specification;
}

function notAService({ host, baseUrl }: Http, { status }: HttpAnswer): SyncStop {
  const hint = baseUrl.endsWith('/v1') ? '' : ' The address ends with /v1 as a rule.';
  return new SyncStop(
    'not_a_service',
    `${host} answers ${status} where the list of reconciliations should be: this is no reconciliation service.${hint}`,
  );
}
