import { PassThrough, pipeline, type Readable, Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ChosenFile } from '../../../src-shared/contract/wire.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import { bodyTooLarge, RequestError, sendFailure } from './errors.ts';

const NAME_CHARACTERS = 255;

/** Stores a file that the window sends and hands out its token. Rejects when `body` ends in an error. */
export type AcceptUpload = (
  name: string,
  body: Readable,
) => Promise<Result<ChosenFile, { readonly code: 'file_unreadable'; readonly message: string }>>;

/**
 * Serves `POST /app/files?name=statement.csv` with the raw bytes as `application/octet-stream`: the browser's counterpart of
 * the file dialog. Streamed, so the size costs no memory; answers 201 with a ChosenFile.
 */
export function registerUploads(app: FastifyInstance, acceptUpload: AcceptUpload, limitBytes: number): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
    scope.post('/app/files', { bodyLimit: limitBytes }, async (request, reply) => {
      const declared = Number(request.headers['content-length'] ?? 0);
      if (declared > limitBytes) return sendFailure(request, reply.header('connection', 'close'), bodyTooLarge(limitBytes));
      const name = fileName(new URL(request.url, 'http://localhost').searchParams.get('name'));
      const body = limited((request.body as Readable | undefined) ?? new PassThrough().end(), limitBytes);
      const answer = await acceptUpload(name, body).catch((error: unknown) => {
        throw body.errored instanceof RequestError ? body.errored : error;
      });
      if (body.errored instanceof RequestError) throw body.errored;
      if (!answer.ok) return sendFailure(request, reply, answer.error);
      return reply.code(201).type('application/json; charset=utf-8').send(JSON.stringify(answer.value));
    });
  });
}

function limited(source: Readable, limitBytes: number): Transform {
  let receivedBytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      receivedBytes += chunk.length;
      if (receivedBytes > limitBytes) done(new RequestError(bodyTooLarge(limitBytes)));
      else done(null, chunk);
    },
  });
  // An error of either end reaches the reader of `counter`; there is nothing more to do here.
  pipeline(source, counter, () => {});
  return counter;
}

/** The name is only shown to people; whatever looks like a path or a control character is taken off. */
function fileName(given: string | null): string {
  const last = (given ?? '').split(/[/\\]/).at(-1) ?? '';
  const shown = last.replaceAll(/\p{Cc}/gu, '').slice(0, NAME_CHARACTERS);
  return shown === '' ? 'file' : shown;
}
