import { failed, type Result } from '../../../src-shared/values/result.ts';
import { beginsAsPdf, PDF_LIMITS, type PdfFault, type PdfText } from '../../domain/statement/index.ts';
import { systemClock } from '../../platform/system.ts';
import type { ImportPayload, TaskContext, ThreadStart } from '../../jobs/protocol.ts';
import { watchedWorker } from '../../jobs/threads.ts';
import { type OpenFile, openFile } from './decode.ts';

/** The text of a PDF, or why it cannot be taken out of it; null for a file that is no PDF. */
export type PdfOfFile = Result<PdfText, PdfFault> | null;

/** The start message of a thread that takes the text out of a PDF. */
export interface PdfStart extends ThreadStart {
  readonly kind: 'read_pdf';
  readonly bytes: Uint8Array;
  readonly password: string | null;
}

export interface PdfProgress {
  readonly done: number;
  readonly all: number;
}

export interface PdfEnd {
  readonly read: Result<PdfText, PdfFault>;
}

const GIVEN_UP: Result<PdfText, PdfFault> = failed({ code: 'took_too_long' });

function withFile<T>(place: Pick<ImportPayload, 'path' | 'filename' | 'part'>, use: (file: OpenFile) => T): T | null {
  const opened = openFile(place);
  if (!opened.ok) return null;
  try {
    return use(opened.value);
  } finally {
    opened.value.close();
  }
}

/** Returns the text of a file that is a PDF; null for any other file, and for one that cannot be opened, which its reader reports. */
export async function pdfOfFile(context: TaskContext, payload: ImportPayload): Promise<PdfOfFile> {
  const bytes = withFile(payload, (file) => (beginsAsPdf(file.head) ? file.bytes() : null));
  if (bytes === null) return null;
  if (!bytes.ok) return failed({ code: 'too_many_pages', pages: 0 });
  return readOnOwnThread(context, { kind: 'read_pdf', bytes: bytes.value, password: context.password ?? null });
}

/** Takes the text out of a PDF on a thread with bounded memory, which is ended when it is silent, takes too long or is cancelled. */
function readOnOwnThread(context: TaskContext, start: PdfStart): Promise<Result<PdfText, PdfFault>> {
  const endsAtMs = systemClock.monotonicMs() + PDF_LIMITS.milliseconds;
  return new Promise((resolve) => {
    let read = GIVEN_UP;
    const worker = watchedWorker(start, {
      resourceLimits: { maxOldGenerationSizeMb: PDF_LIMITS.megabytes },
      isMute: true,
      onSilent: () => undefined,
      onLook: () => {
        if (context.isCancelled() || systemClock.monotonicMs() > endsAtMs) void worker.terminate();
      },
    });
    worker.on('message', (message: PdfProgress | PdfEnd) => {
      if ('read' in message) read = message.read;
      else context.report({ phase: 'reading', processed: message.done, total: message.all });
    });
    // A thread that breaks or needs too much memory ends without a result.
    worker.on('error', () => undefined);
    worker.once('exit', () => resolve(read));
  });
}
