import { SyncStop } from './answers.ts';

function causeCode(error: unknown): string {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return error instanceof Error ? error.name : '';
}

const TLS = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_MISMATCH)/;

/** Failures that trying again does not mend. */
export function isHopeless(error: unknown): boolean {
  return TLS.test(causeCode(error));
}

/** Failures to connect: nothing of the request went out. */
export function isUnsent(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(causeCode(error));
}

/** Why a request did not come through, in words. */
export function unreachable(host: string, error: unknown): SyncStop {
  const code = causeCode(error);
  if (TLS.test(code)) {
    return new SyncStop(
      'tls_failed',
      `No safe connection to ${host} could be made (${code}): its certificate is not valid for this machine.`,
    );
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new SyncStop('unreachable', `${host} is not known: check the address, or whether this machine is online.`);
  }
  const why = code === 'ECONNREFUSED' ? 'nothing answers there' : code === 'TimeoutError' ? 'it does not answer' : code || 'no answer';
  return new SyncStop('unreachable', `${host} cannot be reached (${why}): nothing was changed by this request, try again later.`);
}

/** The sentence of an error body, whatever form it has. */
export function sentenceOf(value: unknown, status: number): { readonly code: string; readonly message: string } {
  const body = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const { error, message, code, detail } = body;
  const nested = typeof error === 'object' && error !== null ? (error as Record<string, unknown>)['message'] : error;
  const words = [message, nested, detail].find((each) => typeof each === 'string' && each !== '');
  return {
    code: typeof code === 'string' ? code : `http_${status}`,
    message: typeof words === 'string' ? words.slice(0, 1_000) : `It answered ${status}.`,
  };
}
