import { needsProof } from '../../../src-shared/contract/imports/imports.ts';
import type { ImportResult, Problem } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { isWithoutMovement, type ReadControl, type Statement } from '../../domain/statement/index.ts';
import { updateJob } from '../../book/store/jobs.ts';
import { type ImportPayload, type TaskContext, type TaskEnd, wholeFile } from '../../jobs/protocol.ts';
import { stagedLines } from '../../records/store/staged-records.ts';
import { wipesSeen } from '../../records/store/wipes.ts';
import { clearAbandonedImports } from '../../records/work/cleanup.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import { asksForAccount, compareFile, type Compared, LinesOfFile, PERIOD_CLOSED } from './compare.ts';
import {
  type FactsOfFile,
  FileReader,
  isLargeAt,
  type NotRead,
  ofPackedFile,
  pdfOfFile,
  type PdfOfFile,
  readingControl,
  readRequest,
  targetStream,
} from './understand.ts';
import { unreadableResult } from './figures.ts';
import { overlapOfLarge } from './large-overlap.ts';
import { ImportBatch, takeBackAfter } from './batch.ts';
import { readOnThread } from './reader-thread.ts';
import { overlapAnswer } from './recipes.ts';
import { LineStager, type RoomOfStage, roomOfStage, type StretchOfFile } from './stage.ts';

/** The end of an import or a preview. If nothing was stored, the result says why. */
type Ended = 'stored' | Result<Compared, NotRead>;

const CANCELLED: NotRead = { code: 'cancelled', message: phrase('imports.task.cancelled'), row: null, column: null };

/** One pass over the lines of a file, with its counts and its batch. A second pass gets a new one. */
class Attempt {
  readonly #context: TaskContext;
  readonly #payload: ImportPayload;
  readonly stream: StreamRow | undefined;
  readonly lines: LinesOfFile;
  /** The wipes of the stream that were known before its records were compared with any line. */
  readonly #wipes: string;
  batch: ImportBatch | null = null;
  /** Whether lines are only compared and not stored: either this is a preview, or a person must look at the file first. */
  isStopped: boolean;
  isCancelled = false;
  /** Number of rows so far, including rejected ones. */
  rows = 0;

  constructor(context: TaskContext, payload: ImportPayload, looks: boolean) {
    this.#context = context;
    this.#payload = payload;
    this.stream = targetStream(context, payload);
    this.#wipes = wipesSeen(context.database, this.stream?.id ?? 0);
    this.lines = new LinesOfFile(context, this.stream?.id ?? null);
    this.isStopped = looks;
  }

  /** Returns the batch, and opens it on the first call. */
  open(format: string): ImportBatch {
    this.batch ??= new ImportBatch(this.#context, this.#payload, this.stream, format, this.#wipes);
    this.lines.setStream(this.batch.opened.streamId);
    return this.batch;
  }

  /** Takes the next lines of a large file. */
  take({ lines, rejected }: StretchOfFile, onRows: () => void): void {
    for (const row of rejected) this.lines.rowLog.reject(row, 1);
    this.isStopped ||= rejected.length > 0 && !this.#payload.acceptRejected;
    const before = this.rows + rejected.length;
    const onWritten = (written: number): void => {
      this.rows = before + written;
      onRows();
    };
    if (this.isStopped) this.lines.compareOnly(lines);
    else if (!this.open('csv').write(lines, onWritten, (there, staged) => this.lines.noteKnown(lines, there, staged)))
      this.isCancelled = true;
    this.lines.count(lines);
    onWritten(lines.count);
  }

  /** Takes the new lines of a file that is held, after they were compared. `onRows` is not called for the last of them. */
  takeHeld({ statement, dedupeKeys, isDuplicate, isLeftOut, rowLog }: Compared, onRows: () => void): void {
    const batch = this.open(statement.format);
    const places = [...statement.lines.keys()].filter((place) => isDuplicate[place] !== true && isLeftOut[place] !== true);
    const room = roomOfStage(places.length);
    const before = statement.rows - places.length;
    const stager = new LineStager(
      () => room,
      ({ lines }) => {
        const start = this.rows;
        const onWritten = (written: number): void => {
          this.rows = start + written;
          if (this.rows < statement.rows) onRows();
        };
        this.isCancelled ||= !batch.write(lines, onWritten, (there, staged) => {
          // Others have stored these lines since they were compared.
          for (const { key, ...line } of stagedLines(staged, there)) {
            rowLog.skip({ ...line, amountMinor: line.amount, direction: line.direction === 1 ? 'credit' : 'debit' }, 1, key);
          }
        });
      },
    );
    this.rows = before;
    for (const place of places) {
      if (this.isCancelled) return;
      stager.add(present(statement.lines[place], 'line'), present(dedupeKeys[place], 'dedupe key'));
    }
    stager.end();
  }

  /** Removes everything that was stored. */
  takeBack(): void {
    this.batch?.takeBack();
    this.batch = null;
  }
}

/**
 * An import or a preview of one file, whichever thread reads it. The lines of a large file come by `take` as soon as its first rows show how they are
 * to be read, and are compared and stored a stretch at a time; those of any other file are compared all together, and stored in the same stretches.
 * All are rows of one unpublished batch, which later steps read. One publish step makes all lines visible, or none. A preview opens no batch.
 *
 * The caller must call `takeBack` if anything throws.
 */
export class FileImport {
  readonly #context: TaskContext;
  readonly #payload: ImportPayload;
  readonly #looks: boolean;
  readonly request: ReturnType<typeof readRequest> & { readonly pdf: PdfOfFile };
  #attempt: Attempt;
  #facts: FactsOfFile | null = null;

  constructor(context: TaskContext, payload: ImportPayload, looks: boolean, pdf: PdfOfFile = null) {
    this.#context = context;
    this.#payload = payload;
    this.#looks = looks;
    this.request = { ...readRequest(context, payload), pdf };
    this.#attempt = new Attempt(context, payload, looks);
  }

  get isCancelled(): boolean {
    return this.#attempt.isCancelled || this.#context.isCancelled();
  }

  /** Whether the file is understood. From then on progress is reported in rows of the file. */
  get isUnderstood(): boolean {
    return this.#facts !== null;
  }

  /** Takes the next lines of a large file. */
  take(stretch: StretchOfFile): void {
    if (!this.isCancelled) this.#attempt.take(stretch, () => this.#report());
  }

  /** Discards the lines taken so far, because the file turned out to be read differently. */
  drop(): void {
    this.takeBack();
    // The import continues, so the removed rows are cleared at once.
    if (!this.#looks) clearAbandonedImports(this.#context.database, () => this.isCancelled);
    this.#attempt = new Attempt(this.#context, this.#payload, this.#looks);
  }

  takeBack(): void {
    this.#attempt.takeBack();
  }

  /** Continues with a file that is understood. Returns `read` if its lines are still to be read. */
  understood(facts: FactsOfFile): Ended | 'read' {
    this.#facts = facts;
    if (!facts.isHeld) {
      this.#stopIfHeldBack(facts);
      this.#report();
    }
    return facts.taken === null ? 'read' : this.end(success(facts.taken));
  }

  /**
   * Ends a file after its last line. Returns `read` if records of the stream were wiped in the meantime; then the caller must read all lines again.
   */
  end(read: Result<Statement, NotRead>): Ended | 'read' {
    const facts = present(this.#facts, 'facts of the file');
    if (!facts.isHeld) this.#report();
    const ended = this.isCancelled ? failed(CANCELLED) : read.ok ? this.#finished(facts, read.value) : read;
    if (ended !== 'stored') this.takeBack();
    if (ended !== 'read') return ended;
    this.#attempt = new Attempt(this.#context, this.#payload, this.#looks);
    if (!facts.isHeld) this.#stopIfHeldBack(facts);
    return ended;
  }

  /** Reports progress in rows, once the number of rows is known. */
  #report(): void {
    if (this.#facts === null) return;
    const { rows, byteLength } = this.#facts;
    const phase = this.#looks ? 'comparing' : 'storing';
    this.#context.report({ phase, processed: Math.min(this.#attempt.rows, rows), total: rows, file: wholeFile(rows, byteLength) });
  }

  /** Stops storing lines if a person must look at the file first. */
  #stopIfHeldBack({ accounts, proof, state, isAsked, wrongCurrency }: FactsOfFile): void {
    // A large file is a table of text.
    const soFar = {
      rejectedRows: 0,
      format: 'csv',
      isDoubtful: state === 'doubtful',
      isMismatch: wrongCurrency !== null,
      isClosed: false,
      needsProof: false,
    };
    this.#attempt.isStopped ||= !isAdmitted(this.#payload, { accounts, proof, isAsked, ...soFar });
  }

  /** Compares, admits, stores what is not stored yet, and publishes. */
  #finished(facts: FactsOfFile, read: Statement): Ended | 'read' {
    const attempt = this.#attempt;
    const { stream, lines } = attempt;
    const compared = compareFile(this.#context, this.#payload, { stream, kept: this.request.kept }, facts, read, lines);
    if (!compared.ok || this.#looks) return compared;
    const { statement, result } = compared.value;
    const isEmpty = result.kept + result.skipped === 0 && !isWithoutMovement(statement);
    if (isEmpty || attempt.isStopped || !isStatementAdmitted(this.#payload, statement, result)) return notStored(compared.value);
    // A file without lines still needs a batch if it states balances.
    const batch = attempt.open(statement.format);
    if (facts.isHeld) attempt.takeHeld(compared.value, () => this.#report());
    if (this.isCancelled || !batch.rows.listAll(wholeFile(facts.rows, facts.byteLength))) return failed(CANCELLED);
    // The last rows of a file that is held are reported last, because its import can no longer be cancelled after that.
    if (facts.isHeld) this.#report();
    const asked = facts.isHeld ? null : this.#overlap(batch, compared.value);
    if (asked === null) return batch.publish(compared.value) ? 'stored' : 'read';
    const problems = asked.problem === null ? result.problems : [asked.problem, ...result.problems];
    return notStored({ ...compared.value, result: { ...result, questions: [...result.questions, asked.question], problems } });
  }

  /** Returns the question whether the stream has lines of a large file under another description; null if there is none. */
  #overlap({ opened, rows }: ImportBatch, { statement }: Compared): ReturnType<typeof overlapOfLarge> {
    const { database, job } = this.#context;
    const { stream, lines } = this.#attempt;
    if (stream === undefined) return null;
    const target = { environmentId: job.environment_id, streamId: opened.streamId, format: statement.format };
    const { batchId } = opened;
    const ofBatch = { batchId, ids: rows.ids, kept: rows.kept.lines, named: lines.skippedOfDay, days: lines.sums.days };
    return overlapOfLarge(database, target, ofBatch, overlapAnswer(statement.table, this.#payload, this.request.kept));
  }
}

function notStored(compared: Compared): Result<Compared, NotRead> {
  return success({ ...compared, result: { ...compared.result, kept: 0 } });
}

/** Reads a file in this thread. */
function readHere(context: TaskContext, importing: FileImport): Ended {
  let room: RoomOfStage | null = null;
  const reader = new FileReader(importing.request, readingControl(context), {
    nextRoom: () => (room ??= roomOfStage(context.stagedLines ?? Number.POSITIVE_INFINITY)),
    hand: (stretch) => importing.take(stretch),
    drop: () => importing.drop(),
  });
  const again: ReadControl = { onProgress: () => undefined, isCancelled: () => importing.isCancelled };
  try {
    const facts = reader.understand(true);
    let ended = facts.ok ? importing.understood(present(facts.value, 'facts of the file')) : facts;
    while (ended === 'read') ended = importing.end(reader.read(again));
    return ended;
  } catch (error) {
    takeBackAfter(() => importing.takeBack());
    throw error;
  } finally {
    reader.close();
  }
}

/** Reads a file and compares it with its stream. Stores nothing. */
export function lookAtFile(context: TaskContext, payload: ImportPayload, pdf: PdfOfFile): Result<Compared, NotRead> {
  // In one snapshot an import that is being undone is either seen whole or not at all.
  const ended = context.database.snapshot(() => readHere(context, new FileImport(context, payload, true, pdf)));
  return present(ended === 'stored' ? null : ended, 'what was found');
}

function finish(context: TaskContext, payload: ImportPayload, ended: Ended): TaskEnd {
  if (ended === 'stored') return { end: 'completed' };
  if (!ended.ok && ended.error.code === 'cancelled') return { end: 'cancelled' };
  const result = ended.ok ? ended.value.result : unreadableResult(payload.streamKey ?? '', ended.error);
  context.database.write((write) =>
    updateJob(write, context.job.id, {
      status: 'completed',
      result: JSON.stringify({ import_result: result }),
      completed_at: context.clock.nowMs(),
    }),
  );
  return { end: 'completed' };
}

/** Imports or previews a file in this thread alone. */
export function importTask(context: TaskContext, asked: ImportPayload, pdf: PdfOfFile = null): TaskEnd {
  const payload = ofPackedFile(asked);
  const ended = payload.dryRun ? lookAtFile(context, payload, pdf) : readHere(context, new FileImport(context, payload, false, pdf));
  return finish(context, payload, ended);
}

/** Like `importTask`, but a second thread reads a large file while this one stores its lines. */
export async function importOnTwoThreads(context: TaskContext, asked: ImportPayload): Promise<TaskEnd> {
  const isHeld = (asked.overrules?.length ?? 0) > 0 || !isLargeAt(asked, context.wholeBytes);
  const pdf = await pdfOfFile(context, asked);
  if (pdf !== null || asked.dryRun || isHeld) return importTask(context, asked, pdf);
  const payload = ofPackedFile(asked);
  const ended = await readOnThread(context, new FileImport(context, payload, false));
  return ended === null ? importTask(context, asked) : finish(context, payload, ended);
}

/** The facts about a file that decide whether it is imported. */
interface Findings extends Pick<Statement, 'accounts' | 'format' | 'proof' | 'rejectedRows'> {
  /** Whether a kept recipe may not fit the file. */
  readonly isDoubtful: boolean;
  /** Whether a question about the file waits for an answer. */
  readonly isAsked: boolean;
  /** Whether the file seems to be the wrong one for its stream. */
  readonly isMismatch: boolean;
  /** Whether some of its new lines are dated within a closed period. */
  readonly isClosed: boolean;
  /** Whether it is a PDF with new lines that no balance proves. */
  readonly needsProof: boolean;
}

/** Returns whether a file may be imported without a decision of a person. */
function isAdmitted(payload: ImportPayload, found: Findings): boolean {
  if (asksForAccount(found, payload) || found.isDoubtful || found.isAsked || found.isClosed) return false;
  if (found.isMismatch && payload.acceptTarget !== true) return false;
  if (found.rejectedRows > 0 && !payload.acceptRejected) return false;
  if (found.needsProof && payload.acceptUnproved !== true) return false;
  return found.proof !== 'broken' || payload.acceptBroken;
}

/** Returns whether a file is imported whose lines are all read and compared. */
function isStatementAdmitted(payload: ImportPayload, statement: Statement, result: ImportResult): boolean {
  const { recipe, misfits } = result;
  const { accounts, format, proof, rejectedRows, questions, problems } = statement;
  return isAdmitted(payload, {
    accounts,
    format,
    proof,
    rejectedRows,
    isDoubtful: recipe?.state === 'doubtful',
    isAsked: questions.length > 0,
    isMismatch: misfits.length > 0 || problems.some(({ code }) => code === 'wrong_currency'),
    isClosed: isClosed(statement),
    needsProof: needsProof(result),
  });
}

function isClosed({ problems }: { readonly problems: readonly Problem[] }): boolean {
  return problems.some(({ code }) => code === PERIOD_CLOSED);
}
