import { counted, type LedgerSide } from '../ledger/index.ts';
import type { CloseReport } from './close-report.ts';
import type { Group, Section } from './document.ts';
import type { NumberedMatch } from './numbered-matches.ts';
import { GROUP_NUMBERS, particulars, slotTitle } from './report-words.ts';
import { column, group, row, table, totalOf } from './table-parts.ts';

const AMOUNT = 4;

/** Every line of the period, with where it went. */
export function linesSection(report: CloseReport, matches: readonly NumberedMatch[]): Section {
  const { records, statement } = report;
  const places = new Map<number, string>();
  for (const { bank, books, number } of matches) for (const { id } of [...bank, ...books]) places.set(id, `match ${number}`);
  for (const { record, group: open } of statement.openItems) places.set(record.id, `open, ${GROUP_NUMBERS[open]}`);
  const inPeriod = records.filter(({ day, isAdjustment }) => !isAdjustment && day >= statement.period.from && day <= statement.period.to);
  const groups = (['bank', 'books'] as const).flatMap((side: LedgerSide): Group[] => {
    const lines = inPeriod.filter((record) => record.side === side).toSorted((left, right) => left.day - right.day || left.id - right.id);
    if (lines.length === 0) return [];
    const rows = lines.map(({ id, day, amount, ...line }) =>
      row([
        id,
        day,
        line.reference ?? '',
        line.reference === null ? (line.description ?? '') : particulars(line),
        amount,
        places.get(id) ?? 'cleared',
      ]),
    );
    const totals = [totalOf('Movement', rows, [AMOUNT], 'group', [`movement_${side}`])];
    return [group(rows, { title: slotTitle(report, side), remark: counted(rows.length, 'line', 'lines'), totals })];
  });
  const columns = [
    column('Record', 'count', 42),
    column('Date', 'day', 54),
    column('Reference', 'text', 120),
    column('Particulars', 'text', 170),
    column('Amount', 'amount', 66),
    column('Where', 'text', 60),
  ];
  const count = groups.reduce((sum, { rows }) => sum + rows.length, 0);
  const blocks = [table(columns, groups, { whenEmpty: 'No line is dated in this period.' })];
  return { number: '12', name: 'All lines', heading: 'All lines', remark: 'of the period, by day', blocks, count, isAppendix: true };
}
