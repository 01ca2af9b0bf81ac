import { contract, type OperationId } from '../../../src-shared/contract/index.ts';
import { pathMembers } from '../../../src-shared/contract/operation.ts';
import { ANSWERS, BARE_ANSWERS } from './answer-schemas.ts';
import { SyncStop } from './answers.ts';
import type { Call } from './dialect.ts';
import type { Http, HttpAnswer } from './remote-http.ts';
import type { Fields } from './resources.ts';

/** POSTs that do the same however often they are sent, on every kind of remote. */
const SAME_EACH_TIME: ReadonlySet<OperationId> = new Set<OperationId>([
  'bulk_requests.create',
  'bank_account_balances.put',
  'imported_files.add_lines',
  'records.mark_overdue',
  'reconciliations.mark_overdue',
]);

function pathOf(operation: OperationId, input: Fields): string {
  return contract[operation].path.replaceAll(/\{([a-z_]+)\}/g, (_, member: string) => encodeURIComponent(String(input[member] ?? '')));
}

function restOf(operation: OperationId, input: Fields): [string, unknown][] {
  const inPath = new Set(pathMembers(contract[operation].path));
  return Object.entries(input).filter(([name, value]) => !inPath.has(name) && value !== undefined);
}

/** Checks an answer against what sync reads of it; a misfit names resource and field. */
export function checked(operation: OperationId, { value }: HttpAnswer): unknown {
  const schema = (Array.isArray(value) ? BARE_ANSWERS[operation] : undefined) ?? ANSWERS[operation];
  if (schema === undefined) return value;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue === undefined || issue.path.length === 0 ? 'the answer itself' : issue.path.join('.');
  const resource = operation.split('.')[0] ?? operation;
  throw new SyncStop(
    'unexpected_answer',
    `The remote's answer does not fit: ${resource}, ${field} (${issue?.message ?? 'another form'}). It may be another service, or a newer version of it.`,
    `${resource}: ${field}`,
  );
}

/** What no object is to blame for. */
export function stopOf(host: string, { status, message }: HttpAnswer): SyncStop | null {
  if (status === 401) return new SyncStop('wrong_key', `${host} does not take the key: give a key of this remote that is not revoked.`);
  if (status === 403) return new SyncStop('key_not_allowed', `The key may not do this at ${host}: ${message}`);
  return null;
}

/** Carries operations to a remote over HTTP. With `takesKeys` every POST that has a key may be sent again. */
export function httpCalls(http: Http, takesKeys: boolean): Call {
  return async (operation, input, key) => {
    const { method } = contract[operation];
    const rest = restOf(operation, input);
    const isRead = method === 'GET' || method === 'DELETE';
    const query = isRead ? new URLSearchParams(rest.map(([name, value]) => [name, String(value)])).toString() : '';
    const sendsKey = key !== undefined && method === 'POST';
    const answer = await http.send({
      method,
      path: `${pathOf(operation, input)}${query === '' ? '' : `?${query}`}`,
      ...(isRead ? {} : { body: Object.fromEntries(rest) }),
      ...(sendsKey ? { idempotencyKey: key } : {}),
      isRepeatable: method !== 'POST' || (takesKeys && key !== undefined) || SAME_EACH_TIME.has(operation),
    });
    const stop = stopOf(http.host, answer);
    if (stop !== null) throw stop;
    if (answer.status >= 200 && answer.status < 300) return { ok: true, value: checked(operation, answer) };
    return { ok: false, error: { status: answer.status, code: answer.code, message: answer.message } };
  };
}
