import type {
  BacktestExample,
  ImportAnswers,
  ImportOverrule,
  ImportRecipe,
  Job,
  Problem,
  RuleBacktest,
  RulePreview,
  TableByHand,
  WouldBeMatch,
} from '../../src-shared/contract/index.ts';
import type { JobKind, JobRow } from '../book/store/jobs.ts';
import type { Database } from '../database/database.ts';
import type { EngineRule } from '../domain/matching/index.ts';
import type { Clock } from '../platform/ports.ts';
import type { RuleOfBody } from '../rules/store/rules.ts';

/** The start message of a thread; `kind` says what it is started for, and which other members the message has. */
export interface ThreadStart {
  readonly kind:
    | 'job'
    | 'preview'
    | 'bulk'
    | 'pack'
    | 'seal'
    | 'read_figures'
    | 'write_matches'
    | 'read_lines'
    | 'read_pdf'
    | 'table_run'
    | 'back_up'
    | 'move_book'
    | 'check_backup'
    | 'check_book'
    | 'prepare_restore'
    | 'complete_restore'
    | 'checkpoint';
}

/** Starts a thread that works on a job, whose row has everything else. */
export interface JobStart extends ThreadStart {
  readonly kind: 'job';
  readonly dataFolder: string;
  readonly jobId: number;
  /** One Int32: 0 continue, 1 cancelled by a person, 2 the book closes. */
  readonly cancel: SharedArrayBuffer;
  /** The password of a locked PDF. It is in memory alone and never in the row of the job. */
  readonly password?: string | undefined;
  /** Whether the thread reports the end of the job (`ended`) and waits for the next one, or for `end`. */
  readonly waits: boolean;
}

export const CANCEL = { none: 0, byPerson: 1, closing: 2 } as const;

/** Starts a thread that previews a rule. It is not a job, because a preview writes nothing. */
export interface PreviewStart extends ThreadStart {
  readonly kind: 'preview';
  readonly dataFolder: string;
  readonly preview: PreviewRequest | BacktestRequest;
  readonly cancel: SharedArrayBuffer;
}

/** Starts a thread that packs columns. It is not a job, because runs are correct without it. */
export interface PackingStart extends ThreadStart {
  readonly kind: 'pack';
  readonly dataFolder: string;
  /** False if it only clears invisible rows. */
  readonly packs: boolean;
  readonly cancel: SharedArrayBuffer;
}

/** Starts a thread that digests what large writes left. */
export interface SealingStart extends ThreadStart {
  readonly kind: 'seal';
  readonly dataFolder: string;
  readonly cancel: SharedArrayBuffer;
}

/** Starts a thread that reads figures. It writes nothing. */
export interface ReadingStart extends ThreadStart {
  readonly kind: 'read_figures';
  readonly dataFolder: string;
}

/** A request for a figure: the name of its reader, and the reader's arguments. */
export interface ReadRequest {
  readonly id: number;
  readonly name: string;
  readonly given: readonly unknown[];
}

export type ReadAnswer = { readonly id: number } & ({ readonly value: unknown } | { readonly error: string });

/** The ids examined so far, and all ids of the book. */
export interface PackingProgress {
  readonly packed: number;
  readonly total: number;
}

export interface PreviewRequest {
  readonly environmentId: number;
  readonly reconciliationId: number;
  /** The rule as it would be stored. A priority of null means after all rules, or the place of the replaced one. */
  readonly rule: Omit<RuleOfBody, 'priority'> & { readonly priority: number | null };
  /** The id of the rule that it would replace. */
  readonly replaces: number | null;
  readonly sample: number;
}

/** Requests what a rule alone would have matched in the past. */
export interface BacktestRequest {
  readonly kind: 'backtest';
  readonly environmentId: number;
  readonly reconciliationId: number;
  /** The rule as it is stored, or would be. */
  readonly rule: RuleOfBody;
  /** The id of a stored rule, which its matches refer to. */
  readonly ruleId: number | null;
  /** Days since 1970-01-01, both inclusive; null for no limit. */
  readonly firstDay: number | null;
  readonly lastDay: number | null;
  readonly examples: number;
  /** Whether the window asked for it, and may stop it. */
  readonly isOfWindow: boolean;
}

/** The result of a preview; records are ids. */
export type PreviewFound = Omit<RulePreview, 'sample'> & { readonly sample: readonly WouldBeMatch[] };
/** The result of a backtest; records are ids. */
export type BacktestFound = Omit<RuleBacktest, 'examples'> & { readonly examples: readonly Omit<BacktestExample, 'records'>[] };

export type PreviewEnd<Found = PreviewFound> =
  | { readonly end: 'completed'; readonly found: Found }
  /** `ruleId` is null if the previewed rule itself is wrong. */
  | {
      readonly end: 'failed';
      readonly code: 'invalid_rule' | 'too_many_candidates';
      readonly message: string;
      readonly ruleId: number | null;
      /** The wrong member of the rule. */
      readonly path: string;
    }
  | { readonly end: 'cancelled' }
  /** The reconciliation was deleted meanwhile. */
  | { readonly end: 'missing' };

/** The progress that a worker reports; the job's row has its end. */
export interface JobProgress {
  readonly phase: string;
  readonly processed: number;
  readonly total: number;
  /** Present for a job that reads a file. */
  readonly file?: FileProgress;
}

/** How much of a file was read; rows are 0 until they are separated. */
export interface FileProgress {
  readonly rows: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/** Returns the progress of a file that was read to its end. */
export function wholeFile(rows: number, byteLength: number): FileProgress {
  return { rows, bytes: byteLength, totalBytes: byteLength };
}

/** The message of a worker that could not even store its failure. */
export interface JobLastWords {
  readonly lastWords: string;
}
export type JobMessage = JobProgress | JobLastWords;

export interface ImportPayload {
  readonly path: string;
  readonly filename: string;
  /** The file to read from a zip archive with several. */
  readonly part?: string | null;
  /** The name of the archive from which the file was taken; `filename` is then its own. */
  readonly packedIn?: string;
  readonly streamKey: string | null;
  readonly streamName: string | null;
  readonly currency: string | null;
  /** The account to read from a file with several; `ALL_ACCOUNTS` for all, null if not chosen. */
  readonly account: string | null;
  /** The bank account to link the stream to if it has none, by id or by name; a missing name is created. */
  readonly bankAccountId?: number | null;
  readonly bankAccountName?: string | null;
  /** If neither is given, links the account that the kept recipe of the stream names. */
  readonly linkByRecipe?: boolean;
  /** The recipe to use; without it, one that is kept for the header, as `keptRecipe` says. */
  readonly recipe?: ImportRecipe | null;
  readonly keptRecipe?: 'ask' | 'use' | 'guess';
  /** Without a recipe: how a person says that the table is found, even if the file suggests otherwise. */
  readonly table?: TableByHand | null;
  /** The answers to questions about the file. */
  readonly answers?: ImportAnswers | null;
  /** The name under which the recipe is kept when the file is imported. */
  readonly rememberRecipe?: string | null;
  /** A person's decisions about single rows. */
  readonly overrules?: readonly ImportOverrule[];
  readonly acceptRejected: boolean;
  readonly acceptBroken: boolean;
  /** Whether the lines of a PDF are imported that no balance proves. */
  readonly acceptUnproved?: boolean;
  /** Whether lines in another currency than the stream's are imported too. */
  readonly acceptCurrency?: boolean;
  readonly acceptTarget?: boolean;
  /** Whether the file itself is kept in the book. */
  readonly keepFile?: boolean;
  readonly dryRun: boolean;
  readonly actor: string;
}

export interface RunPayload {
  readonly reconciliationId: number;
  readonly runId: number;
  /** The rules of a rehearsal, which are not stored; their ids are their places from 1. Without them the stored rules run. */
  readonly rules?: readonly EngineRule[];
  /** Whether the run only proposes rules and matches nothing. */
  readonly proposes?: true;
  readonly actor: string;
}

/** The operation's row has everything else. */
export interface StreamOperationPayload {
  readonly operationId: number;
}

/** The number of problems kept in a result; the result also has the count of all. */
const MAX_KEPT_PROBLEMS = 1_000;

/** Returns the problems to keep, fatal and rejected ones first: a person must act on them. */
export function keptProblems(problems: readonly Problem[]): Problem[] {
  if (problems.length <= MAX_KEPT_PROBLEMS) return [...problems];
  const weight = { fatal: 0, rejected: 1, note: 2 };
  return problems.toSorted((left, right) => weight[left.severity] - weight[right.severity]).slice(0, MAX_KEPT_PROBLEMS);
}

/** The context of a task. */
export interface TaskContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly job: JobRow;
  readonly report: (progress: JobProgress) => void;
  readonly isCancelled: () => boolean;
  /** The password of a locked PDF. */
  readonly password?: string | undefined;
  /** The same as in `ReadControl`. */
  readonly longStep?: <T>(milliseconds: number, work: () => T) => T;
  /** The most bytes of a file that is read whole; by default as in `STATEMENT_LIMITS`. */
  readonly wholeBytes?: number | undefined;
  /** The number of lines of a file that are staged together; by default as many as fit. */
  readonly stagedLines?: number | undefined;
  /** The number of texts of a file's rows that are held in memory before they spill to disk; by default as in `TextCounts`. */
  readonly heldTexts?: number | undefined;
  /** The thread that reads a file is terminated without a heartbeat for this many milliseconds; `SILENCE_MS` by default. */
  readonly silenceMs?: number | undefined;
}

/** The end of a task that did not complete in its own last transaction. */
export type TaskEnd = { readonly end: 'completed' } | { readonly end: 'cancelled' } | { readonly end: 'failed'; readonly message: string };

/** Rows of one bounded transaction, which holds the write lock for some tens of milliseconds. */
export const CHUNK_ROWS = 2_000;

/** The progress of a job: the last report of its worker, and the percentage of the whole job, which never decreases. */
export interface ToldProgress extends JobProgress {
  readonly percent: number;
}

export const NOT_STARTED: ToldProgress = { phase: 'starting', processed: 0, total: 0, percent: 0 };

type Share = readonly [from: number, to: number];

/** The range of each phase within the whole, in percent, measured with large files. Other kinds of jobs report a single count. */
const SHARES: Partial<Record<JobKind, Readonly<Record<string, Share>>>> = {
  import: { reading: [0, 70], storing: [70, 85], indexing: [85, 100] },
  import_preview: { reading: [0, 60], comparing: [60, 100] },
};

/** Returns the completed percentage, 0 to 100. */
export function percent(processed: number, total: number): number {
  return total <= 0 ? 0 : Math.min(100, Math.floor((processed / total) * 100));
}

/** Returns a worker's report with the percentage of the whole. A repeated phase (rows stored again) does not decrease it. */
export function furthered(kind: string, before: ToldProgress, told: JobProgress): ToldProgress {
  const [from, to] = SHARES[kind as JobKind]?.[told.phase] ?? [0, 100];
  const reached = from + Math.floor((percent(told.processed, told.total) * (to - from)) / 100);
  return { ...told, percent: Math.max(before.percent, reached) };
}

/** Returns how much of a job's file was read; null if the job reads none. */
export function fileView({ file }: Pick<JobProgress, 'file'>): Job['file'] {
  return file === undefined ? null : { rows: file.rows, bytes: file.bytes, total_bytes: file.totalBytes };
}
