import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const gzipped = promisify(gzip);
/** Smaller answers fit in one packet anyway. */
const GZIP_FROM_BYTES = 1024;
/** On loopback, time costs more than bytes. */
const LEVEL = { level: constants.Z_BEST_SPEED };
const COMPRESSIBLE = /^(?:application\/(?:problem\+)?json|text\/(?:csv|html|css))\b/;

/**
 * Registers the last step of every answer: an ETag on what was read, 304 when the client has it already, and gzip above 1 KiB when the client accepts
 * it. File streams are left unchanged (`@fastify/static` sets its own ETags).
 */
export function registerAnswerEncoding(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload: unknown) => {
    // The window is always on this computer: compressing its rows would only cost time.
    if (request.routeOptions.url?.startsWith('/app/') === true) return payload;
    if (!COMPRESSIBLE.test(String(reply.getHeader('content-type') ?? ''))) return payload;
    if (payload instanceof Readable) return isCsv(reply) ? encodedStream(request, reply, payload) : payload;
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    if (isTagged(request, reply)) {
      const tag = tagOf(payload);
      reply.header('etag', tag);
      if (isKnown(request.headers['if-none-match'], tag)) return notModified(request, reply);
    }
    if (Buffer.byteLength(payload) <= GZIP_FROM_BYTES) return payload;
    addVary(reply, 'Accept-Encoding');
    if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
    const body = await gzipped(payload, LEVEL);
    reply.header('content-encoding', 'gzip').header('content-length', body.length);
    return body;
  });
}

/** Adds one more header of the request to Vary. */
export function addVary(reply: FastifyReply, name: string): void {
  const before = reply.getHeader('vary');
  reply.header('vary', before === undefined ? name : `${String(before)}, ${name}`);
}

function isCsv(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/csv');
}

function encodedStream(request: FastifyRequest, reply: FastifyReply, rows: Readable): Readable {
  addVary(reply, 'Accept-Encoding');
  if (!acceptsGzip(request.headers['accept-encoding'])) return rows;
  reply.header('content-encoding', 'gzip');
  const packed = createGzip(LEVEL);
  rows.on('error', (error) => packed.destroy(error));
  packed.on('close', () => rows.destroy());
  return rows.pipe(packed);
}

function isTagged(request: FastifyRequest, reply: FastifyReply): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && reply.statusCode === 200 && !reply.hasHeader('etag');
}

/** Returns the ETag of an answer. It is weak, since the same answer has other bytes when it is compressed. */
export function tagOf(payload: string | Buffer): string {
  return `W/"${createHash('sha1').update(payload).digest('base64url')}"`;
}

/** Whether an If-None-Match or If-Match header names the tag. Both compare weakly, since all our tags are weak. */
export function isKnown(header: string | undefined, tag: string): boolean {
  const known = header?.split(',').map((each) => each.trim()) ?? [];
  return known.includes('*') || known.some((each) => each.replace(/^W\//, '') === tag.slice(2));
}

function notModified(request: FastifyRequest, reply: FastifyReply): string | null {
  reply.code(304).removeHeader('content-type');
  // For HEAD, Fastify measures the length of a text after this hook.
  return request.method === 'HEAD' ? '' : null;
}

const Q = /^q=([01](?:\.[0-9]{0,3})?)$/;

/** Returns the weights of a header such as Accept or Accept-Encoding, by lower-case name. 0 means refused. */
function acceptedWeights(header: string | undefined): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header?.toLowerCase().split(',') ?? []) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
    if (name === '') continue;
    const weight = parameters.map((each) => Q.exec(each)?.[1]).find((each) => each !== undefined);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  return weights;
}

export function acceptsGzip(header: string | undefined): boolean {
  const weights = acceptedWeights(header);
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

/** Whether the header names CSV and does not prefer JSON. */
export function prefersCsv(header: string | undefined): boolean {
  const weights = acceptedWeights(header);
  const csv = weights.get('text/csv') ?? 0;
  return csv > 0 && csv >= (weights.get('application/json') ?? 0);
}

/** Whether the header names JSON itself; a wildcard does not. */
export function namesJson(header: string | undefined): boolean {
  return (acceptedWeights(header).get('application/json') ?? 0) > 0;
}
