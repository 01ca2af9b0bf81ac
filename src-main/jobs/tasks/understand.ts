import type { ImportedBalances, ImportResult } from '../../../src-shared/contract/index.ts';
import { ALL_ACCOUNTS } from '../../../src-shared/contract/imports.ts';
import { dedupeKeys } from '../../domain/statement/fingerprint.ts';
import { readStatement } from '../../domain/statement/read.ts';
import { note } from '../../domain/statement/sentences.ts';
import type { Statement } from '../../domain/statement/types.ts';
import { hasDedupeKey } from '../../store/records.ts';
import { streamByKey, type StreamRow } from '../../store/streams.ts';
import { wipesSeen } from '../../store/wipes.ts';
import { balancesFound, targetAccount } from '../import-balances.ts';
import { importResultOf, unreadableResult } from '../import-figures.ts';
import type { ImportPayload } from '../protocol.ts';
import type { TaskContext } from '../task.ts';
import { readFileBytes } from './read-file.ts';

/** A file read, with its lines compared to what the stream already has. */
export interface Understood {
  readonly statement: Statement;
  readonly stream: StreamRow | undefined;
  readonly sha256: string;
  readonly byteLength: number;
  /** One per line, in the order of the lines. */
  readonly dedupeKeys: readonly string[];
  readonly isDuplicate: readonly boolean[];
  /** What was being wiped of the stream when the lines were compared with it. */
  readonly wipes: string;
  readonly result: ImportResult;
}

export type Understanding =
  | { readonly kind: 'understood'; readonly understood: Understood }
  | { readonly kind: 'unreadable'; readonly result: ImportResult }
  | { readonly kind: 'cancelled' };

/** Reads the file of a job. Nothing is stored. */
export function understandFile(context: TaskContext, payload: ImportPayload): Understanding {
  const streamKey = payload.streamKey ?? '';
  const file = readFileBytes(payload.path, payload.filename);
  if (!file.ok) return { kind: 'unreadable', result: unreadableResult(streamKey, file.error) };
  const stream = payload.streamKey === null ? undefined : streamByKey(context.database, context.job.environment_id, payload.streamKey);
  const reading = readStatement(
    file.value.bytes,
    {
      filename: payload.filename,
      currency: payload.currency ?? stream?.currency ?? null,
      account: payload.account === ALL_ACCOUNTS ? null : payload.account,
    },
    {
      onProgress: (processed, total) => context.report({ phase: 'reading', processed, total }),
      isCancelled: context.isCancelled,
    },
  );
  if (!reading.ok) {
    if (reading.error.code === 'cancelled') return { kind: 'cancelled' };
    return {
      kind: 'unreadable',
      result: unreadableResult(streamKey, { ...reading.error, message: `${payload.filename}: ${reading.error.message}` }),
    };
  }
  const statement = withAccountsNote(reading.value, payload);
  const keys = dedupeKeys(statement.lines);
  // One snapshot, so that an undo of an import in the middle is seen whole or not at all.
  const { isDuplicate, balances, wipes } = context.database.snapshot(() => ({
    balances: balancesOf(context, payload, stream, statement),
    isDuplicate: keys.map((key) => stream !== undefined && hasDedupeKey(context.database, stream.id, key)),
    wipes: wipesSeen(context.database, stream?.id ?? 0),
  }));
  const skipped = isDuplicate.filter(Boolean).length;
  const result = importResultOf(streamKey, statement, { kept: keys.length - skipped, skipped }, balances, null);
  if (result === null) {
    const message = `The sum of the amounts in ${payload.filename} is beyond ${Number.MAX_SAFE_INTEGER} minor units: split the file.`;
    return { kind: 'unreadable', result: unreadableResult(streamKey, { code: 'total_out_of_range', message, row: null, column: null }) };
  }
  return {
    kind: 'understood',
    understood: {
      statement,
      stream,
      sha256: file.value.sha256,
      byteLength: file.value.bytes.length,
      dedupeKeys: keys,
      isDuplicate,
      wipes,
      result,
    },
  };
}

/** What would become of the statement's balances now. */
export function balancesOf(
  context: TaskContext,
  payload: ImportPayload,
  stream: StreamRow | undefined,
  statement: Statement,
): ImportedBalances {
  const account = targetAccount(context.database, context.job.environment_id, stream, payload, statement.currency);
  return balancesFound(context.database, account, statement.balances);
}

/** Lines of several accounts in one stream can hardly be reconciled: the user chooses, and is told why. */
function withAccountsNote(statement: Statement, payload: ImportPayload): Statement {
  if (!asksForAccount(statement, payload)) return statement;
  const names = statement.accounts.map((each) => each.account).join(', ');
  const message = `The file holds ${statement.accounts.length} accounts (${names}). Choose the one to import, or all of them.`;
  return { ...statement, problems: [note('several_accounts', message), ...statement.problems] };
}

/** Whether the file waits for the user to choose one of its accounts. */
export function asksForAccount(statement: Statement, payload: ImportPayload): boolean {
  return statement.accounts.length > 1 && payload.account === null;
}
