import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { array, constantFrom, integer, nat, oneof, record, sample, tuple } from 'fast-check';
import { expect, it } from 'vitest';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';
import { dated, workbook } from '../../support/inputs/workbooks.ts';
import { some } from '../../support/long.ts';

interface Line {
  readonly day: number;
  readonly minor: number;
  readonly text: string;
}

const word = constantFrom('RENT', 'CARD', 'COFFEE', 'ACME', 'BETA', 'FEE', 'TRANSFER', 'INVOICE');
const line = record({
  day: integer({ min: 1, max: 28 }),
  minor: oneof(
    constantFrom(-999, -250, -95_000),
    integer({ min: -400_000, max: 400_000 }).filter((amount) => amount !== 0),
  ),
  text: tuple(word, word).map((words) => words.join(' ')),
});
/** Lines of a month by day, true twins among them. */
const month = tuple(array(line, { minLength: 6, maxLength: 40 }), array(nat(5), { maxLength: 2 })).map(([lines, again]) =>
  [...lines, ...again.flatMap((at) => lines[at] ?? [])].toSorted((one, other) => one.day - other.day),
);

const OPENING = 1_000_000;
const two = (day: number): string => String(day).padStart(2, '0');
const decimal = (minor: number): string => (minor / 100).toFixed(2);
const comma = (minor: number): string => decimal(Math.abs(minor)).replace('.', ',');
const closingOf = (lines: readonly Line[]): number => lines.reduce((sum, { minor }) => sum + minor, OPENING);

function ofx(lines: readonly Line[], withIds: boolean): string {
  const rows = lines.map(
    ({ day, minor, text }, at) =>
      `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>202606${two(day)}<TRNAMT>${decimal(minor)}${withIds ? `<FITID>T${at}` : ''}<NAME>${text.slice(0, 6)}</STMTTRN>`,
  );
  return `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR<BANKTRANLIST>\n${rows.join('\n')}\n</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`;
}

function mt940(lines: readonly Line[]): string {
  const rows = lines.map(({ day, minor, text }) => {
    const mark = minor < 0 ? 'D' : 'C';
    return `:61:2606${two(Math.min(28, day + 1))}06${two(day)}${mark}${comma(minor)}NTRFNONREF\n:86:${text.toLowerCase()} buchung`;
  });
  const sign = closingOf(lines) < 0 ? 'D' : 'C';
  return `:20:STATEMENT\n:25:12345678/9876543\n:28C:1/1\n:60F:C260531EUR${comma(OPENING)}\n${rows.join('\n')}\n:62F:${sign}260630EUR${comma(closingOf(lines))}\n-\n`;
}

function camt(lines: readonly Line[]): string {
  const balance = (code: string, minor: number, day: string): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${decimal(Math.abs(minor))}</Amt><CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
  const entries = lines.map(
    ({ day, minor, text }) =>
      `<Ntry><Amt Ccy="EUR">${decimal(Math.abs(minor))}</Amt><CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-06-${two(day)}</Dt></BookgDt><ValDt><Dt>2026-06-${two(Math.min(28, day + 1))}</Dt></ValDt><AddtlNtryInf>Camt ${text}</AddtlNtryInf></Ntry>`,
  );
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>A</IBAN></Id><Ccy>EUR</Ccy></Acct>${balance('OPBD', OPENING, '2026-05-31')}${balance('CLBD', closingOf(lines), '2026-06-30')}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
}

/** 1 June 2026 as Excel counts days. */
const FIRST_OF_JUNE = 46_174;

/** One statement as different banks and programs write it. */
const FORMATS: Readonly<Record<string, (lines: readonly Line[]) => string | Uint8Array>> = {
  'bank.csv': (lines) =>
    `Date,Description,Amount,Currency\n${lines.map(({ day, minor, text }) => `2026-06-${two(day)},${text},${decimal(minor)},EUR`).join('\n')}\n`,
  'reworded.csv': (lines) =>
    `Date;Text;Debit;Credit\n${lines
      .map(
        ({ day, minor, text }) =>
          `${two(day)}.06.2026;Zahlung ${text.toLowerCase()};${minor < 0 ? comma(minor) : ''};${minor > 0 ? comma(minor) : ''}`,
      )
      .join('\n')}\n`,
  'program.qif': (lines) =>
    `!Type:Bank\n${lines.map(({ day, minor, text }) => `D06/${two(day)}/2026\nT${decimal(minor)}\nP${text.slice(0, 4)}\n^\n`).join('')}`,
  'ids.ofx': (lines) => ofx(lines, true),
  'plain.ofx': (lines) => ofx(lines, false),
  'bank.sta': mt940,
  'bank.xml': camt,
  'sheet.xlsx': (lines) =>
    workbook({
      June: [
        ['Date', 'Details', 'Amount'],
        ...lines.map(({ day, minor, text }) => [dated(FIRST_OF_JUNE + day - 1), `Sheet ${text}`, minor / 100]),
      ],
    }),
};
const NAMES = Object.keys(FORMATS);

/** Files of one statement into one stream; what each of them brought. */
function imported(names: readonly string[], lines: readonly Line[]): readonly (number | undefined)[] {
  const book = openQuietBook();
  const kept = names.map((name) => {
    const file = path.join(book.folder, name);
    writeFileSync(file, FORMATS[name]?.(lines) ?? '');
    const answers = { overlap: 'same', date_order: name.endsWith('.qif') ? 'mdy' : 'dmy' } as const;
    return importHere(book, { path: file, currency: 'EUR', answers }).result?.kept;
  });
  return [...kept, book.database.connection.prepare('SELECT count(*) FROM records').pluck().get() as number];
}

const [first = []] = sample(month, { numRuns: 1, seed: 7 });
const PAIRS = some(
  NAMES.flatMap((one) => NAMES.flatMap((other) => (one === other ? [] : [[one, other] as const]))),
  14,
);

it.each(PAIRS)('of %s and then %s each line is there once', (one, other) => {
  expect(imported([one, other], first)).toEqual([first.length, 0, first.length]);
});

it('of all formats in any order each line is there once', { timeout: 600_000 }, () => {
  const orders = sample(tuple(month, array(nat(1_000), { minLength: 8, maxLength: 8 })), { numRuns: 40, seed: 3 });
  for (const [lines, ranks] of some(orders, 2)) {
    const names = NAMES.map((name, at) => ({ name, rank: ranks[at] ?? 0 })).toSorted((a, b) => a.rank - b.rank);
    const order = names.map(({ name }) => name);
    expect([order, imported(order, lines)]).toEqual([order, [lines.length, ...NAMES.slice(1).map(() => 0), lines.length]]);
  }
});
