import type { StatementDocument } from '../../../src-shared/contract/index.ts';
import { dayText, sideName } from '../ledger/index.ts';
import type { CloseReport } from './close-report.ts';
import type { Pair, Row, Section, Signatures, Table } from './document.ts';
import { momentText, readableAmount, readableSentence, shortHash } from './report-words.ts';
import { slotTitle, slotWord, statementDocument } from './statement-document.ts';
import { column, group, row, table } from './table-parts.ts';

/** Returns a table of both sides' movements. Rows with the same label share one row. */
function movement({ sides }: StatementDocument): Table {
  const labels: string[] = [];
  for (const { movement: rows } of sides) {
    for (const [place, { label }] of rows.entries()) {
      if (!labels.includes(label)) labels.splice(place === 0 ? 0 : labels.indexOf(rows[place - 1]?.label ?? '') + 1, 0, label);
    }
  }
  const rowOf = (label: string): Row => {
    const found = sides.map(({ movement: rows }) => rows.find((each) => each.label === label));
    return row([label, ...found.map((each) => (each === undefined ? '' : (each.amount ?? each.unknown)))], {
      second: [null, ...found.map((each) => each?.note ?? null)],
      named: [null, ...found.map((each) => (each === undefined ? null : { name: each.name, adds: each.adds }))],
    });
  };
  const columns = [column('', 'text', 30), ...sides.map(({ title }) => column(title, 'amount', 16, ''))];
  return table(columns, [group(labels.map(rowOf))], { title: 'Movement in the period' });
}

/** Groups whose amounts make the balance of the books larger than that of the bank. They count negatively in bank less books. */
const TURNED: ReadonlySet<string> = new Set(['deposits_in_transit', 'outstanding_payments', 'bank_errors']);

/** Returns a table of the reasons why the balances differ. They add up to the raw difference. */
function reasons(report: CloseReport, { sides, unexplained }: StatementDocument): Table {
  const { rawDifference, decimalPlaces } = report.statement;
  const written = sides.map(({ balance: { amount } }) => (amount === null ? '?' : readableAmount(amount, decimalPlaces)));
  const rows = sides.flatMap(({ groups }) =>
    groups.map(({ name, title, section, amount }) => {
      const sign = TURNED.has(name) ? -1 : 1;
      const named = { name: `why_${name}`, adds: [sign === 1 ? name : `-${name}`] };
      return row([title, section, sign * amount + 0], { named: [null, null, named] });
    }),
  );
  if (unexplained.amount !== null && unexplained.amount !== 0) {
    const named = { name: 'why_unexplained', adds: ['unexplained'] };
    rows.push(row([unexplained.label, '', unexplained.amount], { named: [null, null, named] }));
  }
  const [left, right] = [slotTitle(report, 'bank'), slotWord(report, 'books')];
  const total = { column: 2, value: rawDifference ?? 0, adds: 'table', name: 'raw_difference' } as const;
  return table(
    [column(`${left} less ${right}, before adjustment`, 'text', 40), column('Note', 'text', 8), column('Amount', 'amount', 18)],
    [group(rows)],
    {
      title: report.isNeutral ? 'Why the sides differ' : 'Why bank and books differ',
      totals: rawDifference === null ? [] : [{ label: written.join(' − '), cells: [total], isFinal: true }],
      whenEmpty: 'Nothing lies between the two balances.',
    },
  );
}

function signatures(report: CloseReport): Signatures {
  const { statement, signOffs, preparedBy, reviewedBy, isNeutral, state } = report;
  const signer = (title: string, kind: 'prepare' | 'review', name: string | null): Signatures['signers'][number] => {
    const last = signOffs.findLast((signOff) => signOff.kind === kind && signOff.by === name);
    return {
      title,
      name,
      at: last === undefined ? null : momentText(last.at),
      figures: last === undefined ? null : shortHash(last.hash),
    };
  };
  const isStated = { bank: statement.bank.statedClosing !== null, books: statement.books.statedClosing !== null };
  const agreed = isNeutral
    ? { bank: 'the balance of side A agrees with its source', books: 'that of side B agrees with its source' }
    : { bank: 'the bank balance agrees with the bank’s statement', books: 'the book balance with the books' };
  const balances = (['bank', 'books'] as const)
    .map((side) => {
      const { earlierDay } = statement[side];
      if (earlierDay !== null) return `the balance of ${sideName(report, side)} is that of ${dayText(earlierDay)}`;
      if (isStated[side])
        return side === 'books' && !isNeutral && (!isStated.bank || statement.bank.earlierDay !== null)
          ? 'the book balance agrees with the books'
          : agreed[side];
      return `the balance of ${sideName(report, side)} is ${statement[side].closing === null ? 'not known' : 'computed, not stated'}`;
    })
    .join(' and ');
  const unexplained =
    statement.unexplained === 0
      ? 'nothing is left unexplained'
      : statement.unexplained === null
        ? 'what is left unexplained is not known'
        : `${readableAmount(statement.unexplained, statement.decimalPlaces)} is left unexplained`;
  const missing = statement.doubts.filter(({ code }) => code === 'lines_missing').map(({ text }) => text);
  const left = readableSentence([unexplained, ...missing].join(', and '));
  const closed = signOffs.findLast(({ kind }) => kind === 'close');
  const remark =
    state === 'closed' && closed !== undefined
      ? `Closed in Tieout by ${closed.by}, ${momentText(closed.at)}. The period is locked: reopening it needs a reason and is listed in section 8.`
      : 'Draft: not to be relied on until it is reviewed and closed.';
  return {
    kind: 'signatures',
    statement: `${balances}, every item above was traced to its line, and ${left}.`,
    signers: [signer('Prepared by', 'prepare', preparedBy), signer('Reviewed by', 'review', reviewedBy)],
    remark,
  };
}

/** Returns the section with the statement, the movement of the balances, the reasons for their difference, and the signatures. */
export function statementSection(report: CloseReport): Section {
  const statement = statementDocument(report);
  const pair: Pair = { kind: 'pair', blocks: [movement(statement), reasons(report, statement)] };
  return {
    number: null,
    name: 'Statement',
    heading: statement.title,
    remark: statement.subtitle,
    blocks: [{ kind: 'statement', statement }, pair, signatures(report)],
    count: null,
    isAppendix: false,
  };
}
