import type { StatementDocument } from '../../../src-shared/contract/index.ts';
import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { counted } from '../../../src-shared/values/english.ts';
import { dayText, notation } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { amountText, type JournalEntry, type LedgerRecord, type LedgerSide, periodText, sideName } from '../ledger/index.ts';
import type { CloseReport, ReportChange, ReportMatch } from './close-report.ts';
import {
  type Block,
  column,
  type Document,
  type Group,
  group,
  type Pair,
  type Row,
  row,
  type Section,
  type Sentences,
  type Signatures,
  type Table,
  table,
  totalOf,
} from './document.ts';
import { differenceSection, headOf, type MatchGroup, matchGroups, type NumberedMatch, openSection } from './open-section.ts';
import { contentsHash, fingerprintOf, type UnhashedDocument } from './report-data.ts';
import {
  CERTAINTY_WORDS,
  daysText,
  groupedHash,
  momentText,
  particulars,
  readableAmount,
  readableSentence,
  shortHash,
  SIGN_OFF_WORDS,
} from './report-words.ts';
import { groupWords, slotTitle, slotWord, statementDocument } from './statement-document.ts';

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
  return table(columns, [group(labels.map(rowOf))], { title: phrase('report.documentOf.movementInThePeriod') });
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
    [
      column(phrase('report.documentOf.lessBeforeAdjustment', { left, right }), 'text', 40),
      column('Note', 'text', 8),
      column('Amount', 'amount', 18),
    ],
    [group(rows)],
    {
      title: report.isNeutral ? phrase('report.documentOf.whyTheSidesDiffer') : phrase('report.documentOf.whyBankAndBooksDiffer'),
      totals: rawDifference === null ? [] : [{ label: written.join(' − '), cells: [total], isFinal: true }],
      whenEmpty: phrase('report.documentOf.nothingLiesBetweenTheTwo'),
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
    ? { bank: phrase('report.documentOf.balanceOfSideAAgrees'), books: phrase('report.documentOf.thatOfSideBAgrees') }
    : {
        bank: phrase('report.documentOf.bankBalanceAgreesWithTheBanksStatement'),
        books: phrase('report.documentOf.bookBalanceWithTheBooks'),
      };
  const balances = (['bank', 'books'] as const)
    .map((side) => {
      const { earlierDay } = statement[side];
      if (earlierDay !== null)
        return phrase('report.documentOf.balanceIsThatOfADay', { report: sideName(report, side), earlierDay: dayText(earlierDay) });
      if (statement[side].holds === false) return phrase('report.documentOf.linesDoNotGiveTheBalance', { report: sideName(report, side) });
      if (isStated[side])
        return side === 'books' && !isNeutral && (!isStated.bank || statement.bank.earlierDay !== null || statement.bank.holds === false)
          ? phrase('report.documentOf.bookBalanceAgreesWithTheBooks')
          : agreed[side];
      return phrase('report.documentOf.theBalanceOfIsComputed', {
        report: sideName(report, side),
        noClosing: statement[side].closing === null ? 'yes' : 'no',
      });
    })
    .join(' and ');
  const unexplained =
    statement.unexplained === 0
      ? phrase('report.documentOf.nothingIsLeftUnexplained')
      : statement.unexplained === null
        ? phrase('report.documentOf.whatIsLeftUnexplainedIsNotKnown')
        : phrase('report.documentOf.isLeftUnexplained', { readableAmount: readableAmount(statement.unexplained, statement.decimalPlaces) });
  const missing = statement.doubts.filter(({ code }) => code === 'lines_missing').map(({ text }) => text);
  const left = readableSentence([unexplained, ...missing].join(', and '));
  const closed = signOffs.findLast(({ kind }) => kind === 'close');
  const remark =
    state === 'closed' && closed !== undefined
      ? phrase('report.documentOf.closedInTieoutByThePeriod', { by: closed.by, moment: momentText(closed.at) })
      : phrase('report.documentOf.draftNotToBeRelied');
  return {
    kind: 'signatures',
    statement: phrase('report.documentOf.everyItemAboveWasTraced', { balances, left }),
    signers: [
      signer(phrase('report.documentOf.preparedBy'), 'prepare', preparedBy),
      signer(phrase('report.documentOf.reviewedBy'), 'review', reviewedBy),
    ],
    remark,
  };
}

/** Returns the section with the statement, the movement of the balances, the reasons for their difference, and the signatures. */
function statementSection(report: CloseReport): Section {
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

/** A page for people lists at most this many matches of a rule. Matches made by hand are always listed. */
const MATCHES_ON_PAPER = 100;
const LABELS_OF_MATCH = 4;

function ruleName({ origin, rule }: ReportMatch): string {
  if (origin === 'manual') return phrase('report.documentOf.matchedByHand');
  return rule ?? phrase('report.documentOf.matchedByARuleThatIsGone');
}

function howDecided({ origin, isConfirmedInBulk }: ReportMatch): string {
  if (origin === 'manual') return phrase('report.documentOf.byHand');
  if (origin === 'rule') return phrase('report.documentOf.byTheRule');
  return isConfirmedInBulk ? phrase('report.documentOf.proposedConfirmedInBulk') : phrase('report.documentOf.proposedConfirmedOneByOne');
}

const certaintyText = ({ certainty }: ReportMatch): string => (certainty === null ? '' : CERTAINTY_WORDS[certainty]);

const labelOrNone = ({ reference, description }: LedgerRecord): string => reference ?? description ?? 'none';

/** Returns the rows of a match, with the lines of both sides next to each other. */
function rowsOf(match: NumberedMatch): Row[] {
  const height = Math.max(match.bank.length, match.books.length);
  return Array.from({ length: height }, (_, place) => {
    const bank = match.bank[place];
    const books = match.books[place];
    return row(
      [
        place === 0 ? match.number : null,
        bank?.day ?? null,
        bank === undefined ? '' : labelOrNone(bank),
        bank?.amount ?? null,
        books?.day ?? null,
        books === undefined ? '' : (books.reference ?? 'none'),
        books?.description ?? '',
        books?.amount ?? null,
        place === height - 1 ? match.cleared.difference : null,
      ],
      { isContinued: place > 0 },
    );
  });
}

function listed({ made, matches }: MatchGroup): Group {
  const words = [certaintyText(made), made.origin === 'confirmed' ? howDecided(made) : '', counted(matches.length, 'match', 'matches')];
  return group(matches.flatMap(rowsOf), {
    title: ruleName(made),
    remark: words.filter((word) => word !== '').join(', '),
    shortAfter: made.origin === 'rule' || made.isConfirmedInBulk ? MATCHES_ON_PAPER : null,
  });
}

function summary(report: CloseReport, groups: readonly MatchGroup[]): Table {
  const net = (matches: readonly NumberedMatch[], of: 'bank' | 'books' | 'difference'): number =>
    matches.reduce((sum, { cleared }) => sum + cleared[of], 0);
  const rows = groups.map(({ made, matches }) =>
    row([
      ruleName(made),
      certaintyText(made),
      howDecided(made),
      matches.length,
      net(matches, 'bank'),
      net(matches, 'books'),
      net(matches, 'difference'),
    ]),
  );
  const columns = [
    column('Rule', 'text', 130),
    column('Certainty', 'text', 70),
    column('Decided', 'text', 110),
    column('Matches', 'count', 40),
    column(slotTitle(report, 'bank'), 'amount', 58),
    column(slotTitle(report, 'books'), 'amount', 58),
    column('Difference', 'amount', 50),
  ];
  return table(columns, [group(rows)], {
    title: phrase('report.documentOf.byRuleAndCertainty'),
    sheet: phrase('report.documentOf.byRule'),
    totals: rows.length === 0 ? [] : [totalOf(phrase('report.documentOf.allMatches'), rows, [3, 4, 5, 6], 'table')],
    whenEmpty: phrase('report.documentOf.nothingIsMatched'),
  });
}

/** Returns the section of matches: first their numbers by rule and certainty, then each match with its lines. */
function matchSection(report: CloseReport, groups: readonly MatchGroup[]): Section {
  const matches = groups.flatMap((each) => each.matches);
  const lines = groups.map(listed);
  const rows = lines.flatMap((each) => each.rows);
  const columns = [
    column('No.', 'count', 20),
    column(slotTitle(report, 'bank'), 'day', 53),
    column('Reference', 'text', 66),
    column('Amount', 'amount', 52),
    column(slotTitle(report, 'books'), 'day', 56),
    column('Voucher', 'text', 66),
    column('Particulars', 'text', 104),
    column('Amount', 'amount', 52),
    column('Difference', 'amount', 46),
  ];
  const list = table(columns, lines, {
    title: phrase('report.documentOf.eachMatch'),
    totals: [totalOf('Matched', rows, [3, 7, 8], 'table', ['matched_bank', 'matched_books', null])],
  });
  const of = (side: 'bank' | 'books'): number => matches.reduce((sum, match) => sum + match[side].length, 0);
  return {
    number: '3',
    name: phrase('report.documentOf.matches'),
    heading: phrase('report.documentOf.matches'),
    remark: `${counted(matches.length, 'match', 'matches')} of ${of('bank')} and ${counted(of('books'), 'line')}`,
    blocks: matches.length === 0 ? [summary(report, groups)] : [summary(report, groups), list],
    count: matches.length,
    isAppendix: false,
  };
}

function labels(records: readonly LedgerRecord[]): string {
  const shown = records.slice(0, LABELS_OF_MATCH).map(labelOrNone).join(', ');
  return records.length > LABELS_OF_MATCH ? `${shown} and ${records.length - LABELS_OF_MATCH} more` : shown;
}

function whatWasMatched({ decimalPlaces }: CloseReport['statement'], { bank, books, cleared }: NumberedMatch): string {
  const side = (records: readonly LedgerRecord[], net: number): string => `${labels(records)}, ${readableAmount(net, decimalPlaces)}`;
  if (bank.length === 0 || books.length === 0) return bank.length === 0 ? side(books, cleared.books) : side(bank, cleared.bank);
  return `${side(bank, cleared.bank)} with ${side(books, cleared.books)}`;
}

/** Returns the section of matches that people made, or confirmed one by one. */
function decidedSection(report: CloseReport, groups: readonly MatchGroup[]): Section {
  const matches = groups.flatMap((each) => each.matches);
  const decided = matches.filter(({ made }) => made.origin === 'manual' || (made.origin === 'confirmed' && !made.isConfirmedInBulk));
  const bulk = matches.filter(({ made }) => made.isConfirmedInBulk).length;
  const rows = decided.map((match) => {
    const { made, cleared } = match;
    const reason = [
      cleared.reason === null ? '' : REASON_WORDS[cleared.reason],
      made.note ?? '',
      made.origin === 'confirmed' ? phrase('report.documentOf.proposalConfirmed') : '',
    ];
    const given = reason.filter((text) => text !== '').join('. ');
    const by = made.by ?? '';
    return row([
      match.number,
      headOf(match).day,
      whatWasMatched(report.statement, match),
      given,
      by,
      made.at === null ? '' : momentText(made.at),
    ]);
  });
  const columns = [
    column('No.', 'count', 22),
    column('Date', 'day', 54),
    column(phrase('report.documentOf.whatWasMatched'), 'text', 176),
    column('Reason', 'text', 126),
    column('By', 'text', 62),
    column('When', 'text', 74),
  ];
  const blocks: Block[] = [table(columns, [group(rows)], { whenEmpty: phrase('report.documentOf.nothingWasMatchedOrConfirmed') })];
  if (bulk > 0) {
    const text = phrase('report.documentOf.matchesWereConfirmedInBulk', { bulk });
    blocks.push({ kind: 'sentences', items: [{ lead: null, text }] });
  }
  return {
    number: '4',
    name: phrase('report.documentOf.handMade'),
    heading: phrase('report.documentOf.decidedByHand'),
    remark: phrase('report.documentOf.matchesWithTheReasonGiven', { decided: decided.length }),
    blocks,
    count: decided.length,
    isAppendix: false,
  };
}

const sentences = (items: Sentences['items']): Sentences => ({ kind: 'sentences', items });

/** Returns the section of the files that the records came from, with their hashes. */
function importSection(report: CloseReport): Section {
  const { imports } = report;
  const rows = imports.map(({ side, fileName, contentHash, bytes, rows: taken, refusedRows, from, to, importedAt, by }) =>
    row(
      [
        slotTitle(report, side),
        fileName,
        momentText(importedAt),
        from === null || to === null ? phrase('report.documentOf.noLines') : daysText(from, to),
        bytes,
        refusedRows,
        taken,
      ],
      { second: [null, contentHash === null ? phrase('report.documentOf.noFile') : contentHash, by ?? '', null, null, null, null] },
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
    const said = [proof ?? phrase('report.documentOf.theFileStatesNoBalance'), ...read];
    return [{ lead: `${fileName}:`, text: said.join(' ') }];
  });
  const blocks: Block[] = [
    table(columns, [group(rows)], {
      totals: rows.length === 0 ? [] : [totalOf(phrase('report.documentOf.allFiles'), rows, [5, 6], 'table')],
      whenEmpty: phrase('report.documentOf.noFileWasImportedForThisPeriod'),
    }),
  ];
  if (remarks.length > 0) blocks.push(sentences(remarks));
  const remark = counted(imports.length, 'import');
  return {
    number: '7',
    name: 'Imports',
    heading: phrase('report.documentOf.files'),
    remark,
    blocks,
    count: imports.length,
    isAppendix: false,
  };
}

/** Returns the section of the sign-offs. */
function signOffSection(report: CloseReport): Section {
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
    name: phrase('report.documentOf.signOffs'),
    heading: phrase('report.documentOf.signOffs'),
    remark: phrase('report.documentOf.theHashOfTheFigures', { of: of('record'), of2: of('match'), of3: of('balance') }),
    blocks: [table(columns, [group(rows)], { whenEmpty: phrase('report.documentOf.nobodyHasSignedThisPeriod') })],
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
function changeSection({ lastClose, changesSinceLastClose, isStale, staleChanges }: CloseReport): Section {
  const blocks: Block[] = [
    changeTable(
      isStale ? phrase('report.documentOf.sinceTheLastClose') : null,
      changesSinceLastClose,
      phrase('report.documentOf.nothingThatWasSignedHasChanged'),
    ),
  ];
  if (isStale)
    blocks.unshift(
      changeTable(phrase('report.documentOf.sinceItWasPrepared'), staleChanges, phrase('report.documentOf.whatChangedIsNotListed')),
    );
  return {
    number: '9',
    name: 'Changes',
    heading: phrase('report.documentOf.changesSinceTheLastClose'),
    remark:
      lastClose === null ? phrase('report.documentOf.noPeriodWasClosedBefore') : `${lastClose.period}, closed ${momentText(lastClose.at)}`,
    blocks,
    count: changesSinceLastClose.length + (isStale ? staleChanges.length : 0),
    isAppendix: false,
  };
}

/** Returns the section that names the first and last audit entry of the period. */
function auditSection(report: CloseReport): Section {
  const { auditEntries, coveringHash } = report;
  const first = auditEntries[0];
  const last = auditEntries.at(-1);
  const rows = [
    ...(first === undefined
      ? []
      : [
          {
            name: phrase('report.documentOf.beforeEntry', { id: amountText(first.id, 0) }),
            value: groupedHash(first.previousHash),
            isHash: true,
          },
        ]),
    ...(last === undefined
      ? []
      : [{ name: phrase('report.documentOf.headEntry', { id: amountText(last.id, 0) }), value: groupedHash(last.hash), isHash: true }]),
    { name: phrase('report.documentOf.figuresWhole'), value: groupedHash(coveringHash), isHash: true },
    { name: phrase('report.documentOf.fingerprintWhole'), value: groupedHash(fingerprintOf(report)), isHash: true },
  ];
  const remark =
    first === undefined || last === undefined
      ? phrase('report.documentOf.noEntries')
      : phrase('report.documentOf.entriesToEachHoldingTheHash', {
          auditEntries: auditEntries.length,
          id: amountText(first.id, 0),
          id2: amountText(last.id, 0),
        });
  return {
    number: '10',
    name: phrase('report.documentOf.auditChain'),
    heading: phrase('report.documentOf.auditChain'),
    remark,
    blocks: [{ kind: 'facts', title: null, rows }],
    count: auditEntries.length,
    isAppendix: false,
  };
}

/** Returns the section that explains how a reader can check the report. */
function checkSection({ imports }: CloseReport): Section {
  const file = imports.find(({ contentHash }) => contentHash !== null)?.fileName;
  const items = [
    {
      lead: phrase('report.documentOf.handMadeInASentence'),
      text: phrase('report.documentOf.statementAddsUpFromItsBalances'),
    },
    ...(file === undefined
      ? []
      : [
          {
            lead: phrase('report.documentOf.theFiles'),
            text: phrase('report.documentOf.theSha256OfEachFile'),
          },
        ]),
    {
      lead: phrase('report.documentOf.theClosePack'),
      text: phrase('report.documentOf.itOpensInAnyBrowser'),
    },
    {
      lead: phrase('report.documentOf.inTieout'),
      text: phrase('report.documentOf.newReportOfThisPeriod'),
    },
    { lead: 'Times', text: phrase('report.documentOf.areThoseOfUtc') },
  ];
  return {
    number: '11',
    name: phrase('report.documentOf.howToCheck'),
    heading: phrase('report.documentOf.howToCheckThisDocument'),
    remark: null,
    blocks: [sentences(items)],
    count: null,
    isAppendix: false,
  };
}

const AMOUNT = 4;

/** Returns the section that lists every line of the period and the match or open group that it belongs to. */
function linesSection(report: CloseReport, matches: readonly NumberedMatch[]): Section {
  const { records, statement } = report;
  const places = new Map<number, string>();
  for (const { bank, books, number } of matches) for (const { id } of [...bank, ...books]) places.set(id, `match ${number}`);
  for (const { record, group: open } of statement.openItems) places.set(record.id, `open, ${groupWords(report, open).section}`);
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
    return [group(rows, { title: slotTitle(report, side), remark: counted(rows.length, 'line'), totals })];
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
  const blocks = [table(columns, groups, { whenEmpty: phrase('report.documentOf.noLineIsDatedInThisPeriod') })];
  return {
    number: '12',
    name: phrase('report.documentOf.allLines'),
    heading: phrase('report.documentOf.allLines'),
    remark: phrase('report.documentOf.ofThePeriodByDay'),
    blocks,
    count,
    isAppendix: true,
  };
}

const NO_ACCOUNT = phrase('report.documentOf.noAccountNamed');

/** Returns the two rows of an entry, the debited account first. */
function linesOf(entry: JournalEntry, place: number, from: string): Row[] {
  const { amount, bankAccount, account, day, reason } = entry;
  const bank = bankAccount ?? NO_ACCOUNT;
  const other = account ?? NO_ACCOUNT;
  const [debited, credited] = amount < 0 ? [other, bank] : [bank, other];
  const size = Math.abs(amount);
  return [
    row([`J${place + 1}`, day, debited, from, reason === null ? '' : REASON_WORDS[reason], size, null]),
    row(['', null, credited, '', '', null, size], { isContinued: true }),
  ];
}

/** Returns the section of entries that the books must take over. */
function journalSection(report: CloseReport, matches: readonly NumberedMatch[]): Section {
  const { journal, statement } = report;
  const numberById = new Map(matches.map(({ cleared, number }) => [cleared.id, number]));
  const fromOf = ({ matchId, text }: JournalEntry): string => {
    const what = matchId === null ? phrase('report.documentOf.openItem') : `Match ${numberById.get(matchId) ?? ''}`.trim();
    return text === '' ? what : `${what}, ${text}`;
  };
  const rows = journal.entries.flatMap((entry, place) => linesOf(entry, place, fromOf(entry)));
  const columns = [
    column('Entry', 'text', 34),
    column('Date', 'day', 50),
    column('Account', 'text', 130),
    column('From', 'text', 130),
    column('Reason', 'text', 76),
    column('Debit', 'amount', 54),
    column('Credit', 'amount', 54),
  ];
  const blocks: Block[] = [
    table(columns, [group(rows)], {
      totals: rows.length === 0 ? [] : [totalOf('', rows, [5, 6], 'table')],
      whenEmpty:
        journal.undecided.length === 0 ? phrase('report.documentOf.thereIsNothingToTake') : phrase('report.documentOf.noEntryIsDecidedOn'),
    }),
  ];
  const written = (amount: number): string => readableAmount(amount, statement.decimalPlaces);
  const { balance } = statement.books;
  const { total, undecided, undecidedTotal } = journal;
  const texts: string[] = [];
  if (balance !== null && total !== null && undecidedTotal !== null && statement.adjustedBooks !== null && rows.length > 0) {
    const entries = phrase('report.documentOf.fromTheseEntries', { isTotal: total < 0 ? 'yes' : 'no', abs: written(Math.abs(total)) });
    const [from, to] = report.isNeutral
      ? [phrase('report.documentOf.balanceOf', { slotWord: slotWord(report, 'books') }), phrase('report.documentOf.itsAdjustedBalance')]
      : [phrase('report.documentOf.balancePerBooks'), phrase('report.documentOf.adjustedBookBalance')];
    const sums = { from, balance: written(balance), entries, to, adjusted: written(statement.adjustedBooks) };
    const undecidedText = `${undecidedTotal < 0 ? '−' : '+'} ${written(Math.abs(undecidedTotal))}`;
    texts.push(
      undecidedTotal === 0
        ? phrase('report.documentOf.balanceToAdjusted', sums)
        : phrase('report.documentOf.balanceToAdjustedUndecided', { ...sums, undecided: undecidedText }),
    );
  }
  if (undecided.length > 0) texts.push(phrase('report.documentOf.differencesHaveNoEntry', { undecided: undecided.length }));
  if (texts.length > 0) blocks.push({ kind: 'sentences', items: texts.map((text) => ({ lead: null, text })) });
  const day = journal.entries[0]?.day;
  return {
    number: '5',
    name: phrase('report.documentOf.adjustments'),
    heading: phrase('report.documentOf.adjustments'),
    remark: phrase('report.documentOf.whatMustTakeOver', {
      report: sideName(report, 'books'),
      day: day === undefined ? '' : dayText(day),
      noDay: day === undefined ? 'yes' : 'no',
    }),
    blocks,
    count: journal.entries.length,
    isAppendix: false,
  };
}

/** Returns the section of overdue lines that are being investigated. */
function exceptionSection({ exceptions }: CloseReport): Section {
  const rows = exceptions.map(({ title, status, amount, openedAt, owner, comment }) =>
    row([title, status, momentText(openedAt), owner ?? '', comment ?? '', amount]),
  );
  const columns = [
    column('Exception', 'text', 150),
    column('Status', 'text', 60),
    column('Since', 'text', 76),
    column('Owner', 'text', 70),
    column('Comment', 'text', 110),
    column('Amount', 'amount', 60),
  ];
  return {
    number: '6',
    name: phrase('report.documentOf.exceptions'),
    heading: phrase('report.documentOf.exceptions'),
    remark: phrase('report.documentOf.overdueAndLookedInto'),
    blocks: [table(columns, [group(rows)], { whenEmpty: phrase('report.documentOf.noExceptions') })],
    count: rows.length,
    isAppendix: false,
  };
}

function sourceOf(report: CloseReport, side: 'bank' | 'books'): string {
  const { sources, accountName } = report.sides[side];
  const [first, ...more] = sources;
  const name = first ?? accountName;
  return `${slotTitle(report, side)}: ${more.length === 0 ? name : `${name} and ${more.length} more`}`;
}

function identityOf(report: CloseReport): UnhashedDocument['identity'] {
  const { statement, sides } = report;
  const { period } = statement;
  return {
    bookName: report.bookName,
    reconciliation: report.reconciliation,
    account: report.isNeutral ? `${sides.bank.accountName} and ${sides.books.accountName}` : sides.bank.accountName,
    accountNumber: sides.bank.accountNumber,
    sources: [sourceOf(report, 'bank'), sourceOf(report, 'books')],
    period: periodText(period),
    days: daysText(period.from, period.to),
    currency: statement.currency,
    decimalPlaces: statement.decimalPlaces,
    preparedBy: report.preparedBy,
    state: report.state,
    isStale: report.isStale,
    fingerprint: shortHash(fingerprintOf(report)),
    notation: notation(),
  };
}

function warningsOf({ isStale, staleChanges, bookWarnings, statement, state }: CloseReport): string[] {
  const stale = phrase('report.documentOf.somethingHasChangedSinceThisPeriod', {
    state: state === 'open' ? 'prepared' : state,
    staleChanges: staleChanges.length,
    isStaleChanges: staleChanges.length === 0 ? 'yes' : 'no',
  });
  // This is repeated here because the verdict may be on the second page.
  const unexplained = statement.doubts
    .filter(({ code }) => code === 'unexplained')
    .map(({ text }) => phrase('report.documentOf.theFiguresDoNotAgree', { text }));
  const said = [...unexplained, ...bookWarnings, ...statement.warnings.map(({ message }) => message)];
  return [...(isStale ? [stale] : []), ...said.map(readableSentence)];
}

/** Returns the document of a report, which every format renders. */
export function documentOf(report: CloseReport): Document {
  const groups = matchGroups(report);
  const matches = groups.flatMap((each) => each.matches);
  const identity = identityOf(report);
  const statement = statementSection(report);
  const said: UnhashedDocument = {
    title: `${statement.heading.replace(' statement', '')}, ${report.reconciliation}, ${identity.period}`,
    subtitle: phrase('report.documentOf.asAtAllAmountsIn', { to: dayText(report.statement.period.to), currency: identity.currency }),
    identity,
    warnings: warningsOf(report),
    sections: [
      statement,
      openSection(report, matches),
      differenceSection(report, matches),
      matchSection(report, groups),
      decidedSection(report, groups),
      journalSection(report, matches),
      exceptionSection(report),
      importSection(report),
      signOffSection(report),
      changeSection(report),
      auditSection(report),
      checkSection(report),
      linesSection(report, matches),
    ],
  };
  const printed = phrase('report.documentOf.utcWithTieout', { moment: momentText(report.printedAt), version: report.version });
  return { ...said, identity: { ...identity, contents: shortHash(contentsHash(report, said)), printed } };
}
