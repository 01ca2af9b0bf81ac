import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isoFromDay } from '../../src-shared/values/civil-date.ts';
import { decimalText } from '../../src-shared/values/money.ts';
import { type DrawnText, pdfOf } from '../support/pdf-writer.ts';
import { peakOf, rounded, run } from './product.ts';

const PAGES = 178;
const LINES_OF_PAGE = 40;
const FIRST_DAY = 20_454;
const ROUNDS = 3;

interface BankLine {
  readonly day: string;
  readonly text: string;
  readonly minor: number;
  readonly balance: number;
}

/** The lines of a busy account, about twenty a day. */
function bankLines(): BankLine[] {
  let balance = 1_000_000;
  return Array.from({ length: PAGES * LINES_OF_PAGE }, (_, index) => {
    const minor = ((index * 7_919) % 50_000) - 24_000;
    balance += minor;
    return {
      day: isoFromDay(FIRST_DAY + Math.floor(index / 20)),
      text: `Card payment of customer ${index % 911} order ${100_000 + index}`,
      minor,
      balance,
    };
  });
}

const right = (x: number, y: number, text: string): DrawnText => ({ x, y, text, isRight: true });

/** The statement of these lines with a balance beside each line, carried forward from page to page. */
function statement(lines: readonly BankLine[]): Buffer {
  const money = (minor: number): string => decimalText(minor, 2);
  const pages = Array.from({ length: PAGES }, (_, page): DrawnText[] => {
    const own = lines.slice(page * LINES_OF_PAGE, (page + 1) * LINES_OF_PAGE);
    const [first, last] = [own[0], own.at(-1)];
    const header: DrawnText[] = [
      { x: 40, y: 90, text: 'Date' },
      { x: 110, y: 90, text: 'Details' },
      right(400, 90, 'Paid out'),
      right(475, 90, 'Paid in'),
      right(550, 90, 'Balance'),
    ];
    const rows = own.flatMap(({ day, text, minor, balance }, index): DrawnText[] => {
      const y = 122 + index * 15;
      return [
        { x: 40, y, text: day },
        { x: 110, y, text },
        right(minor < 0 ? 400 : 475, y, money(Math.abs(minor))),
        right(550, y, money(balance)),
      ];
    });
    const ends: DrawnText[] = [
      { x: 110, y: 107, text: page === 0 ? 'Opening balance' : 'Balance brought forward' },
      right(550, 107, money((first?.balance ?? 0) - (first?.minor ?? 0))),
      { x: 110, y: 740, text: page === PAGES - 1 ? 'Closing balance' : 'Balance carried forward' },
      right(550, 740, money(last?.balance ?? 0)),
    ];
    return [
      { x: 40, y: 40, text: 'Harbour Test Bank' },
      { x: 40, y: 60, text: 'Account number 12345678  Currency: GBP' },
      { x: 280, y: 800, text: `Page ${page + 1} of ${PAGES}` },
      ...header,
      ...rows,
      ...ends,
    ];
  });
  return pdfOf(pages);
}

/** Imports a file into a new book and answers how long the whole process took, and the most memory that it had. */
async function imported(folder: string, name: string, file: string) {
  const { ended, peakMib } = await peakOf((onStarted) =>
    run(['import', file, '--data', path.join(folder, name), '--stream', 'bank'], onStarted),
  );
  return { ms: ended.elapsedMs, peakMib, document: ended.document as { kept?: number; proof?: string } };
}

/** Measures the import of a PDF of 178 pages beside that of the same lines as CSV. */
export async function pdf() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tieout-bench-'));
  const lines = bankLines();
  const [asPdf, asCsv] = [path.join(folder, 'statement.pdf'), path.join(folder, 'statement.csv')];
  writeFileSync(asPdf, statement(lines));
  const rows = lines.map(({ day, text, minor, balance }) => `${day},${text},${decimalText(minor, 2)},${decimalText(balance, 2)},GBP`);
  writeFileSync(asCsv, ['Date,Description,Amount,Balance,Currency', ...rows].join('\n'));
  const found = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = await imported(folder, `pdf-${round}`, asPdf);
    const other = await imported(folder, `csv-${round}`, asCsv);
    found.push({ one, other, ratio: one.ms / other.ms });
  }
  const [middle] = found.toSorted((one, other) => one.ratio - other.ratio).slice(ROUNDS >> 1);
  if (middle === undefined) throw new Error('There is no round.');
  return {
    bench: 'pdf',
    pages: PAGES,
    lines: lines.length,
    targets: { ms: 5_000, peak_mib: 133 },
    pdf: { ms: rounded(middle.one.ms), peak_mib: rounded(middle.one.peakMib), result: middle.one.document },
    csv: { ms: rounded(middle.other.ms), peak_mib: rounded(middle.other.peakMib) },
    ratio: rounded(middle.ratio),
  };
}
