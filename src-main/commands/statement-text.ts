import type { PeriodOpenItem, PeriodStatement } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { dayFromIso } from '../../src-shared/values/civil-date.ts';
import { amountText, dayText, listed, ofWhich, counted } from '../domain/ledger/index.ts';

const LABEL = 30;
const AMOUNT = 16;
/** Open items that are listed for people; `--json` and the reports have all. */
const LISTED = 50;

const day = (iso: string): string => dayText(present(dayFromIso(iso), 'date'));

type Cell = readonly [label: string, amount: string];
const NOTHING: Cell = ['', ''];

function row([leftLabel, left]: Cell, [rightLabel, right]: Cell): string {
  return `${leftLabel.padEnd(LABEL)}${left.padStart(AMOUNT)}    ${rightLabel.padEnd(LABEL)}${right.padStart(AMOUNT)}`.trimEnd();
}

/** What is missing of the accounts of a side, so that both sides have as many rows. */
function accountCells(statement: PeriodStatement, side: 'bank' | 'books', written: (amount: number | null) => string): Cell[] {
  const [own, other] = [side, side === 'bank' ? 'books' : 'bank'] as const;
  const cells = statement[own].lines_missing_by_account.map(({ name, amount }): Cell => [`  ${name}`.slice(0, LABEL - 1), written(amount)]);
  const rest = statement[other].lines_missing_by_account.length - cells.length;
  return [...cells, ...Array.from({ length: Math.max(0, rest) }, () => NOTHING)];
}

function sideCells(statement: PeriodStatement, side: 'bank' | 'books', name: string, written: (amount: number | null) => string): Cell[] {
  const { opening, receipts, payments, balance, stated_closing: stated, lines_missing: missing } = statement[side];
  const { lines_missing_by_account: accounts, closing_balance: closing } = statement[side];
  const isEarlier = statement.doubts.some((doubt) => doubt.code === 'balance_of_earlier_day' && doubt.side === side);
  const asOf = isEarlier && closing.as_of !== null ? ` for ${day(closing.as_of)}` : '';
  const mark = stated !== null ? `  as stated${asOf}` : balance === null ? '' : '  computed, not stated';
  const cancel = missing === 0 && accounts.length > 0;
  return [
    [name, ''],
    [`Opening balance ${day(statement.period.from)}`, written(opening)],
    ['Receipts', written(receipts)],
    ['Payments', written(payments)],
    missing === null || (missing === 0 && !cancel) ? NOTHING : ['Lines missing, or too many', cancel ? '' : written(missing)],
    ...accountCells(statement, side, written),
    [`Closing balance ${day(statement.period.to)}`, written(balance)],
    [mark, ''],
  ];
}

type Group =
  | 'deposits_in_transit'
  | 'outstanding_payments'
  | 'unbooked_receipts'
  | 'unbooked_payments'
  | 'match_differences'
  | 'bank_errors'
  | 'book_errors';

function groupCells(
  statement: PeriodStatement,
  groups: readonly (readonly [Group, string])[],
  written: (amount: number) => string,
): Cell[] {
  return groups
    .filter(([group]) => statement[group].count > 0)
    .map(([group, label]) => [`${label} (${statement[group].count})`, written(statement[group].total)]);
}

function itemLine(item: PeriodOpenItem, places: number, names: Readonly<Record<'bank' | 'books', string>>): string {
  const label = [item.reference, item.description === item.reference ? null : item.description].filter((text) => text !== null).join(' ');
  const [first] = item.causes;
  const cause = first === undefined ? '' : `\n      ${first.sentence}`;
  return `  ${day(item.date)} ${names[item.side].padEnd(7)}${amountText(item.amount, places).padStart(AMOUNT)}  ${label}${cause}`;
}

function signLines({ sign_offs: signOffs, changes, change_count: count, stale }: PeriodStatement): string[] {
  const words = { prepare: 'Prepared', review: 'Reviewed', close: 'Closed', reopen: 'Reopened' } as const;
  const lines = signOffs.map(({ kind, by, at, reason }) => `${words[kind]} by ${by}, ${at}${reason === null ? '' : `: ${reason}`}`);
  if (!stale) return lines;
  const listed = changes.slice(0, LISTED).map(({ kind, id, before, after }) => {
    const what = before === null ? 'came' : after === null ? 'went' : 'changed';
    return `  ${kind}${id === null ? '' : ` ${id}`} ${what}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`;
  });
  return [...lines, `${counted(count, 'change', 'changes')} since it was signed last:`, ...listed];
}

function pairs(left: readonly Cell[], right: readonly Cell[]): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, place) => row(left[place] ?? NOTHING, right[place] ?? NOTHING));
}

/** Whether the figures of all currencies agree, and why not. */
export function verdictText({ doubts, currencies }: Pick<PeriodStatement, 'doubts' | 'currencies'>): string {
  if (doubts.length === 0) return 'The figures agree.';
  const why = listed(doubts.map(({ text, currency }) => (currencies.length === 1 ? text : `${text} (${currency})`)));
  return doubts.some(({ amount }) => amount !== null) ? `The figures do not agree: ${why}.` : `Not proved: ${why}.`;
}

function openText({ open_item_count: open, proposed_item_count: proposed }: PeriodStatement): string {
  return `Open items: ${open}${ofWhich(proposed)}`;
}

/** A statement for people, the bank on the left and the books on the right. */
export function statementLines(statement: PeriodStatement): string[] {
  const { decimal_places: places, reconciliation, period, currency, state, stale } = statement;
  const written = (amount: number | null): string => (amount === null ? 'not known' : amountText(amount, places));
  const isNeutral = statement.bank_side === null;
  const names = isNeutral ? { bank: 'Side A', books: 'Side B' } : { bank: 'Bank', books: 'Books' };
  const ofBank: readonly (readonly [Group, string])[] = [
    ['deposits_in_transit', isNeutral ? 'Receipts only in B' : 'Deposits in transit'],
    ['outstanding_payments', isNeutral ? 'Payments only in B' : 'Outstanding payments'],
    ['bank_errors', isNeutral ? 'Errors of side A' : 'Bank errors'],
  ];
  const ofBooks: readonly (readonly [Group, string])[] = [
    ['unbooked_receipts', isNeutral ? 'Receipts only in A' : 'Unbooked receipts'],
    ['unbooked_payments', isNeutral ? 'Payments only in A' : 'Unbooked payments'],
    ['match_differences', 'Match differences'],
    ['book_errors', isNeutral ? 'Errors of side B' : 'Book errors'],
  ];
  const others = statement.currencies.filter((other) => other.currency !== currency).map((other) => other.currency);
  const hidden = statement.open_items.length - LISTED;
  return [
    `${reconciliation.name}, ${period.name} (${currency}): ${state}${stale ? ', changed since it was signed' : ''}`,
    ...(others.length === 0 ? [] : [`Statements of their own: ${others.join(', ')} (--currency)`]),
    '',
    ...pairs(sideCells(statement, 'bank', names.bank, written), sideCells(statement, 'books', names.books, written)).filter(
      (line) => line !== '',
    ),
    ...pairs(groupCells(statement, ofBank, written), groupCells(statement, ofBooks, written)),
    row(['Adjusted balance', written(statement.adjusted_bank)], ['Adjusted balance', written(statement.adjusted_books)]),
    '',
    `Unexplained: ${written(statement.unexplained)}`,
    verdictText(statement),
    ...(statement.open_items.length === 0 ? [] : ['', openText(statement)]),
    ...statement.open_items.slice(0, LISTED).map((item) => itemLine(item, places, names)),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
    ...(statement.warnings.length === 0 ? [] : ['', ...statement.warnings.map(({ message }) => `Note: ${message}`)]),
    ...(statement.sign_offs.length === 0 ? [] : ['', ...signLines(statement)]),
  ];
}
