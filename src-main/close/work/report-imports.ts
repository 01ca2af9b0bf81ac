import type { Problem } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { decimalPlacesOf, DEFAULT_CURRENCY } from '../../../src-shared/values/money.ts';
import type { ReadHandle } from '../../database/database.ts';
import { amountText, type LedgerSide, type OpenItem } from '../../domain/ledger/index.ts';
import type { ReportImport } from '../../domain/report/index.ts';
import type { StatementPeriod } from '../../domain/statement/index.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import type { CloseImport } from '../store/close-reads.ts';
import { bringersOfImports, reportedImports } from '../store/report-reads.ts';
import type { CloseSource } from './close-source.ts';
import { actorText, distinct, momentOf } from './words.ts';

/** Remarks of a file that are listed; the others are counted. */
const MOST_REMARKS = 10;

const isWithin = (from: number, to: number, { first_day: first, last_day: last }: CloseSource['period']): boolean =>
  from <= last && to >= first;

/** Whether a file speaks of days of the period. */
function isOfPeriod({ date_start: from, date_end: to, periods }: CloseImport, period: CloseSource['period']): boolean {
  if (from !== null && to !== null && isWithin(from, to, period)) return true;
  const stated = periods === null ? [] : (JSON.parse(periods) as StatementPeriod[]);
  return stated.some(({ firstDay, lastDay }) => isWithin(firstDay, lastDay, period));
}

/** What was found about the balances of a file, in one sentence; null where it states none. */
function proofSentence(
  { proof, currency: own, opening_balance: opening, closing_balance: closing }: CloseImport,
  stream: StreamRow,
): string | null {
  const currency = own ?? stream.currency;
  const money = (minor: number): string => {
    const amount = amountText(minor, decimalPlacesOf(currency ?? DEFAULT_CURRENCY));
    return currency === null ? amount : `${amount} ${currency}`;
  };
  const known = opening !== null && closing !== null;
  const figures = known ? `opening balance ${money(opening)}, closing balance ${money(closing)}` : null;
  if (proof === 'proved') return figures === null ? 'Its balances add up.' : `Its balances add up: ${figures}.`;
  if (proof === 'broken') return figures === null ? 'Its balances do not add up.' : `Its balances do not add up: ${figures}.`;
  if (figures !== null) return `It states ${figures}, which its lines alone do not prove.`;
  return opening === null && closing === null ? null : 'It states one balance, which proves nothing of its lines.';
}

/** The remarks that were made when the file was read. */
function remarksOf(problems: string): string[] {
  const notes = (JSON.parse(problems) as Problem[]).filter(({ severity }) => severity !== 'rejected');
  const said = distinct(notes.map(({ message }) => message));
  if (said.length <= MOST_REMARKS) return said;
  return [...said.slice(0, MOST_REMARKS), `And ${said.length - MOST_REMARKS} more remarks.`];
}

/** The imports that speak of the period or brought an item that is open, those of the bank first. */
export function reportImports(read: ReadHandle, source: CloseSource, openItems: readonly OpenItem[]): ReportImport[] {
  const opening = new Set(openItems.map(({ record }) => record.importId));
  const wanted = source.imports.filter((brought) => opening.has(brought.id) || isOfPeriod(brought, source.period));
  const facts = new Map(
    reportedImports(
      read,
      wanted.map(({ id }) => id),
    ).map((row) => [row.id, row]),
  );
  const bringers = bringersOfImports(read, source.reconciliation.environment_id);
  return (['bank', 'books'] as const).flatMap((side: LedgerSide) => {
    const streams = new Map(source.streams[side].map((stream) => [stream.id, stream]));
    return wanted.flatMap((brought): ReportImport[] => {
      const stream = streams.get(brought.stream_id);
      if (stream === undefined) return [];
      const { id, filename, source: cause, sha256, date_start: from, date_end: to, created_at: at } = brought;
      const { byte_length: bytes, kept, rejected, problems } = present(facts.get(id), 'import');
      const isFile = cause !== 'bulk_api';
      const bringer = bringers.get(id);
      return [
        {
          side,
          fileName: filename ?? (isFile ? `import ${id}` : `bulk request, import ${id}`),
          contentHash: isFile ? sha256 : null,
          bytes: isFile ? bytes : null,
          rows: kept,
          refusedRows: rejected,
          from,
          to,
          importedAt: momentOf(at),
          by: bringer === undefined ? null : actorText(bringer.actor),
          proof: proofSentence(brought, stream),
          remarks: remarksOf(problems),
        },
      ];
    });
  });
}
