import { counted } from '../../../src-shared/values/english.ts';
import { amountText } from '../ledger/index.ts';
import type { CloseReport, ReportChange } from './close-report.ts';
import type { Block, Row, Section, Sentences, Table } from './document.ts';
import { fingerprintOf } from './report-data.ts';
import { daysText, groupedHash, momentText, shortHash, SIGN_OFF_WORDS } from './report-words.ts';
import { slotTitle, slotWord } from './statement-document.ts';
import { column, group, row, table, totalOf } from './table-parts.ts';

const sentences = (items: Sentences['items']): Sentences => ({ kind: 'sentences', items });

/** Returns the section of the files that the records came from, with their hashes. */
export function importSection(report: CloseReport): Section {
  const { imports } = report;
  const rows = imports.map(({ side, fileName, contentHash, bytes, rows: taken, refusedRows, from, to, importedAt, by }) =>
    row(
      [
        slotTitle(report, side),
        fileName,
        momentText(importedAt),
        from === null || to === null ? 'no lines' : daysText(from, to),
        bytes,
        refusedRows,
        taken,
      ],
      { second: [null, contentHash === null ? 'no file' : contentHash, by ?? '', null, null, null, null] },
    ),
  );
  const columns = [
    column('Side', 'text', 34),
    column('File', 'text', 214, 'SHA-256'),
    column('Imported', 'text', 80, 'By'),
    column('Days', 'text', 112),
    column('Bytes', 'count', 42),
    column('Refused', 'count', 36),
    column('Lines', 'count', 36),
  ];
  const remarks = imports.flatMap(({ fileName, proof, remarks: read }) => {
    const said = [proof ?? 'The file states no balance.', ...read];
    return [{ lead: `${fileName}:`, text: said.join(' ') }];
  });
  const blocks: Block[] = [
    table(columns, [group(rows)], {
      totals: rows.length === 0 ? [] : [totalOf('All files', rows, [5, 6], 'table')],
      whenEmpty: 'No file was imported for this period.',
    }),
  ];
  if (remarks.length > 0) blocks.push(sentences(remarks));
  const remark = counted(imports.length, 'import');
  return { number: '7', name: 'Imports', heading: 'Files', remark, blocks, count: imports.length, isAppendix: false };
}

/** Returns the section of the sign-offs. */
export function signOffSection(report: CloseReport): Section {
  const { signOffs, covered } = report;
  const rows = signOffs.map(({ kind, by, at, hash, adjustedBank, adjustedBooks, unexplained, stands, reason }) =>
    row([
      SIGN_OFF_WORDS[kind],
      by,
      momentText(at),
      shortHash(hash),
      stands && hash === report.coveringHash ? 'yes' : 'no',
      reason ?? '',
      adjustedBank,
      adjustedBooks,
      unexplained,
    ]),
  );
  const columns = [
    column('Step', 'text', 48),
    column('By', 'text', 72),
    column('When', 'text', 76),
    column('Figures', 'hash', 98),
    column('Stands', 'text', 34),
    column('Reason', 'text', 62),
    column(`Adjusted ${slotWord(report, 'bank')}`, 'amount', 58),
    column(`Adjusted ${slotWord(report, 'books')}`, 'amount', 58),
    column('Unexplained', 'amount', 52),
  ];
  const of = (kind: string): number => covered.filter((covers) => covers.kind === kind).length;
  return {
    number: '8',
    name: 'Sign-offs',
    heading: 'Sign-offs',
    remark: `the hash of the figures covers ${counted(of('record'), 'line')}, ${counted(of('match'), 'match', 'matches')} and ${counted(of('balance'), 'balance')}`,
    blocks: [table(columns, [group(rows)], { whenEmpty: 'Nobody has signed this period.' })],
    count: rows.length,
    isAppendix: false,
  };
}

function changeTable(title: string | null, changes: readonly ReportChange[], whenEmpty: string): Table {
  const rows = changes.map(({ at, by, what, before, after }): Row =>
    row([at === null ? '' : momentText(at), by ?? '', what, before ?? 'none', after ?? 'none']),
  );
  const columns = [
    column('When', 'text', 80),
    column('Who', 'text', 70),
    column('What', 'text', 170),
    column('Was', 'text', 95),
    column('Became', 'text', 95),
  ];
  return table(columns, [group(rows)], { title, whenEmpty });
}

/** Returns the section of changes since the previous close, and since the sign-off if the period is stale. */
export function changeSection({ lastClose, changesSinceLastClose, isStale, staleChanges }: CloseReport): Section {
  const blocks: Block[] = [
    changeTable(isStale ? 'Since the last close' : null, changesSinceLastClose, 'Nothing that was signed has changed.'),
  ];
  if (isStale) blocks.unshift(changeTable('Since it was prepared', staleChanges, 'What changed is not listed.'));
  return {
    number: '9',
    name: 'Changes',
    heading: 'Changes since the last close',
    remark: lastClose === null ? 'no period was closed before' : `${lastClose.period}, closed ${momentText(lastClose.at)}`,
    blocks,
    count: changesSinceLastClose.length + (isStale ? staleChanges.length : 0),
    isAppendix: false,
  };
}

/** Returns the section that names the first and last audit entry of the period. */
export function auditSection(report: CloseReport): Section {
  const { auditEntries, coveringHash } = report;
  const first = auditEntries[0];
  const last = auditEntries.at(-1);
  const rows = [
    ...(first === undefined
      ? []
      : [{ name: `Before entry ${amountText(first.id, 0)}`, value: groupedHash(first.previousHash), isHash: true }]),
    ...(last === undefined ? [] : [{ name: `Head, entry ${amountText(last.id, 0)}`, value: groupedHash(last.hash), isHash: true }]),
    { name: 'Figures, whole', value: groupedHash(coveringHash), isHash: true },
    { name: 'Fingerprint, whole', value: groupedHash(fingerprintOf(report)), isHash: true },
  ];
  const remark =
    first === undefined || last === undefined
      ? 'no entries'
      : `${counted(auditEntries.length, 'entry', 'entries')}, ${amountText(first.id, 0)} to ${amountText(last.id, 0)}, each holding the hash of the one before`;
  return {
    number: '10',
    name: 'Audit chain',
    heading: 'Audit chain',
    remark,
    blocks: [{ kind: 'facts', title: null, rows }],
    count: auditEntries.length,
    isAppendix: false,
  };
}

/** Returns the section that explains how a reader can check the report. */
export function checkSection({ imports }: CloseReport): Section {
  const file = imports.find(({ contentHash }) => contentHash !== null)?.fileName;
  const items = [
    {
      lead: 'By hand.',
      text: 'The statement adds up from its balances to what is unexplained. Its note numbers lead to the sections that list every item.',
    },
    ...(file === undefined
      ? []
      : [
          {
            lead: 'The files.',
            text: `The SHA-256 of each file must be the one in section 7. On Windows, certutil -hashfile works it out; elsewhere, sha256sum.`,
          },
        ]),
    {
      lead: 'The close pack.',
      text: 'It opens in any browser, adds up every figure again and follows the audit chain. It must show the fingerprint and the contents of the foot of this page: the fingerprint stands for the signed figures and who signed them, the contents for every word.',
    },
    {
      lead: 'In Tieout.',
      text: 'A new report of this period has the fingerprint at the foot of this page. If it has another one, this copy is out of date.',
    },
    { lead: 'Times', text: 'are those of UTC.' },
  ];
  return {
    number: '11',
    name: 'How to check',
    heading: 'How to check this document',
    remark: null,
    blocks: [sentences(items)],
    count: null,
    isAppendix: false,
  };
}
