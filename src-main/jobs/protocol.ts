import type {
  BacktestExample,
  ImportAnswers,
  ImportOverrule,
  ImportRecipe,
  Problem,
  RuleBacktest,
  RulePreview,
  TableByHand,
  WouldBeMatch,
} from '../../src-shared/contract/index.ts';
import type { EngineRule } from '../domain/matching/index.ts';
import type { RuleOfBody } from '../rules/store/rules.ts';

/** The start message of a thread: `kind` says what it is started for, and which members stand beside it. */
export interface ThreadStart {
  readonly kind:
    | 'job'
    | 'preview'
    | 'pack'
    | 'seal'
    | 'read_figures'
    | 'write_matches'
    | 'read_lines'
    | 'back_up'
    | 'prepare_restore'
    | 'complete_restore'
    | 'checkpoint';
}

/** Of a thread that works on a job. The job's row says the rest. */
export interface JobStart extends ThreadStart {
  readonly kind: 'job';
  readonly dataFolder: string;
  readonly jobId: number;
  /** One Int32: 0 go on, 1 cancelled by a person, 2 the book closes. */
  readonly cancel: SharedArrayBuffer;
  /** The thread says when the job has ended (`ended`), and waits for the next one, or for `end`. */
  readonly waits: boolean;
}

export const CANCEL = { none: 0, byPerson: 1, closing: 2 } as const;

/** Of a thread that previews a rule. No job's row knows of it, since a preview writes nothing. */
export interface PreviewStart extends ThreadStart {
  readonly kind: 'preview';
  readonly dataFolder: string;
  readonly preview: PreviewRequest | BacktestRequest;
  readonly cancel: SharedArrayBuffer;
}

/** Of a thread that packs columns. No job's row knows of it, since runs are right without it. */
export interface PackingStart extends ThreadStart {
  readonly kind: 'pack';
  readonly dataFolder: string;
  /** False: it only clears what nobody sees. */
  readonly packs: boolean;
  readonly cancel: SharedArrayBuffer;
}

/** Of a thread that digests what large writes left. */
export interface SealingStart extends ThreadStart {
  readonly kind: 'seal';
  readonly dataFolder: string;
  readonly cancel: SharedArrayBuffer;
}

/** Of a thread that reads figures. It writes nothing. */
export interface ReadingStart extends ThreadStart {
  readonly kind: 'read_figures';
  readonly dataFolder: string;
}

/** A figure that is wanted, by its name among the readings, with what its reader takes. */
export interface ReadRequest {
  readonly id: number;
  readonly name: string;
  readonly given: readonly unknown[];
}

export type ReadAnswer = { readonly id: number } & ({ readonly value: unknown } | { readonly error: string });

/** Ids looked at so far, and those of the book. */
export interface PackingProgress {
  readonly packed: number;
  readonly total: number;
}

export interface PreviewRequest {
  readonly environmentId: number;
  readonly reconciliationId: number;
  /** The rule as it would be stored. A priority of null is the place behind all rules, or that of the replaced one. */
  readonly rule: Omit<RuleOfBody, 'priority'> & { readonly priority: number | null };
  /** The rule in whose place it would stand. */
  readonly replaces: number | null;
  readonly sample: number;
}

/** What a rule alone would have made of history. */
export interface BacktestRequest {
  readonly kind: 'backtest';
  readonly environmentId: number;
  readonly reconciliationId: number;
  /** The rule as it is stored, or would be. */
  readonly rule: RuleOfBody;
  /** The id of a stored rule, by which its matches name it. */
  readonly ruleId: number | null;
  /** Days since 1970-01-01, both inclusive; null where nothing is left out. */
  readonly firstDay: number | null;
  readonly lastDay: number | null;
  readonly examples: number;
  /** Asked by the window, which may stop it. */
  readonly isOfWindow: boolean;
}

/** What a preview found; records are ids. */
export type PreviewFound = Omit<RulePreview, 'sample'> & { readonly sample: readonly WouldBeMatch[] };
/** What a back-test found; records are ids. */
export type BacktestFound = Omit<RuleBacktest, 'examples'> & { readonly examples: readonly Omit<BacktestExample, 'records'>[] };

export type PreviewEnd<Found = PreviewFound> =
  | { readonly end: 'completed'; readonly found: Found }
  /** `ruleId` is null where the previewed rule itself is at fault. */
  | {
      readonly end: 'failed';
      readonly code: 'invalid_rule' | 'too_many_candidates';
      readonly message: string;
      readonly ruleId: number | null;
      /** The member of the rule at fault. */
      readonly path: string;
    }
  | { readonly end: 'cancelled' }
  /** The reconciliation was deleted meanwhile. */
  | { readonly end: 'missing' };

/** What a worker tells while it works; how it ended stands in the job's row. */
export interface JobProgress {
  readonly phase: string;
  readonly processed: number;
  readonly total: number;
  /** Of a job that reads a file. */
  readonly file?: FileProgress;
}

/** How far a file is read; its rows are 0 until they are told apart. */
export interface FileProgress {
  readonly rows: number;
  readonly bytes: number;
  readonly totalBytes: number;
}

/** The same of a file that is read to its end. */
export function wholeFile(rows: number, byteLength: number): FileProgress {
  return { rows, bytes: byteLength, totalBytes: byteLength };
}

/** What a worker says when it cannot even store that it failed. */
export interface JobLastWords {
  readonly lastWords: string;
}
export type JobMessage = JobProgress | JobLastWords;

export interface ImportPayload {
  readonly path: string;
  readonly filename: string;
  /** The file to read of a zip archive that holds several. */
  readonly part?: string | null;
  /** The name of the archive that the file was taken out of; `filename` is then its own. */
  readonly packedIn?: string;
  readonly streamKey: string | null;
  readonly streamName: string | null;
  readonly currency: string | null;
  /** The account to read of a file with several; `ALL_ACCOUNTS` for all of them, null where nobody chose. */
  readonly account: string | null;
  /** The bank account to link the stream to, if it is linked to none; by its id, or by its name, which is made when there is none. */
  readonly bankAccountId?: number | null;
  readonly bankAccountName?: string | null;
  /** Where neither is said, the one that the kept recipe of the stream names. */
  readonly linkByRecipe?: boolean;
  /** The recipe to follow; without it one that is kept for the header is followed, as `keptRecipe` says. */
  readonly recipe?: ImportRecipe | null;
  readonly keptRecipe?: 'ask' | 'use' | 'guess';
  /** Without a recipe: how a person says the table is to be found, even against what the file shows. */
  readonly table?: TableByHand | null;
  /** Answers to the questions about the file. */
  readonly answers?: ImportAnswers | null;
  /** The name under which the recipe is kept when the file goes in. */
  readonly rememberRecipe?: string | null;
  /** What a person decided about single rows. */
  readonly overrules?: readonly ImportOverrule[];
  readonly acceptRejected: boolean;
  readonly acceptBroken: boolean;
  /** Lines in another currency than the stream's go in as well. */
  readonly acceptCurrency?: boolean;
  readonly acceptTarget?: boolean;
  readonly dryRun: boolean;
  readonly actor: string;
}

export interface RunPayload {
  readonly reconciliationId: number;
  readonly runId: number;
  /** Rules of a rehearsal, which are not stored; their ids are their places from 1. Without them the stored rules run. */
  readonly rules?: readonly EngineRule[];
  /** Rules are proposed, and nothing is matched. */
  readonly proposes?: true;
  readonly actor: string;
}

/** The operation's row says the rest. */
export interface StreamOperationPayload {
  readonly operationId: number;
}

/** Problems kept in a result; the count of all of them stands beside. */
const MAX_KEPT_PROBLEMS = 1_000;

/** Rejected and fatal ones first: those are what a person must act on. */
export function keptProblems(problems: readonly Problem[]): Problem[] {
  if (problems.length <= MAX_KEPT_PROBLEMS) return [...problems];
  const weight = { fatal: 0, rejected: 1, note: 2 };
  return problems.toSorted((left, right) => weight[left.severity] - weight[right.severity]).slice(0, MAX_KEPT_PROBLEMS);
}
