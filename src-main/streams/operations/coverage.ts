import type { Coverage } from '../../../src-shared/contract/streams/coverage.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf, DEFAULT_CURRENCY } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { ReadHandle } from '../../database/database.ts';
import { coverageOf, type DayRange, statedAccounts, weekdaysIn } from '../../domain/statement/index.ts';
import { statementFiles } from '../../imports/store/statement-periods.ts';
import { answer, missing } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { findBankAccount, streamsOfBankAccount } from '../store/bank-accounts.ts';
import { streamByKey, type StreamRow } from '../store/streams.ts';

interface Window {
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
}

function datesOf(range: DayRange) {
  return { date_start: isoFromDay(range.firstDay), date_end: isoFromDay(range.lastDay) };
}

type StatedAccount = ReturnType<typeof accountsOfStream>[number];

function coverageView(stream: StreamRow, { account, currency, statements }: StatedAccount, isShown: (range: DayRange) => boolean) {
  const { covered, gaps, overlaps, breaks } = coverageOf(statements);
  const view: Coverage = {
    data_stream_key: stream.key,
    account,
    currency,
    decimal_places: decimalPlacesOf(currency ?? DEFAULT_CURRENCY),
    statements: statements
      .filter(isShown)
      .toSorted((left, right) => left.firstDay - right.firstDay || left.batchId - right.batchId)
      .map((statement) => ({
        import_batch_id: statement.batchId,
        filename: statement.file.filename,
        ...datesOf(statement),
        opening_balance: statement.openingMinor,
        closing_balance: statement.closingMinor,
        proof: statement.file.proof as Coverage['statements'][number]['proof'],
      })),
    covered: covered.filter(isShown).map(datesOf),
    gaps: gaps.filter(isShown).map((gap) => ({
      ...datesOf(gap),
      days: gap.lastDay - gap.firstDay + 1,
      weekdays: weekdaysIn(gap),
      kind: gap.kind,
      difference: gap.differenceMinor,
    })),
    overlaps: overlaps.filter(isShown).map((overlap) => ({ ...datesOf(overlap), import_batch_ids: [...overlap.batchIds] })),
    breaks: breaks
      .filter(({ day }) => isShown({ firstDay: day, lastDay: day }))
      .map((found) => ({
        date: isoFromDay(found.day),
        import_batch_ids: [found.earlierBatchId, found.laterBatchId],
        closing_balance: found.closingMinor,
        opening_balance: found.openingMinor,
        difference: found.openingMinor - found.closingMinor,
      })),
  };
  return view;
}

/** Returns the statements of a stream, by account and currency. */
export function accountsOfStream(read: ReadHandle, stream: StreamRow) {
  return statedAccounts(statementFiles(read, stream.environment_id, stream.id), stream.currency);
}

/** Returns the coverage of each account in a stream. */
function coveragesOf(read: ReadHandle, stream: StreamRow, window: Window): Coverage[] {
  const from = window.date_from === undefined ? Number.NEGATIVE_INFINITY : present(dayFromIso(window.date_from), 'date_from');
  const to = window.date_to === undefined ? Number.POSITIVE_INFINITY : present(dayFromIso(window.date_to), 'date_to');
  const isShown = ({ firstDay, lastDay }: DayRange): boolean => firstDay <= to && lastDay >= from;
  return accountsOfStream(read, stream).map((of) => coverageView(stream, of, isShown));
}

export function coverageHandlers({ database }: ServiceContext): Pick<Handlers, 'coverage.of_stream' | 'coverage.of_account'> {
  return {
    'coverage.of_stream': (caller, input) => {
      const stream = streamByKey(database, caller.environmentId, input.key);
      if (stream === undefined) return missing(phrase('streams.coverage.dataStream'), input.key);
      return answer({ accounts: database.snapshot(() => coveragesOf(database, stream, input)) });
    },
    'coverage.of_account': (caller, input) => {
      if (findBankAccount(database, caller.environmentId, input.id) === undefined)
        return missing(phrase('streams.coverage.bankAccount'), input.id);
      const accounts = database.snapshot(() =>
        streamsOfBankAccount(database, input.id).flatMap((stream) => coveragesOf(database, stream, input)),
      );
      return answer({ accounts });
    },
  };
}
