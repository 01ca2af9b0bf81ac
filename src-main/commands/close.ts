import type { Call, PeriodStatement, ReconciliationPeriod } from '../../src-shared/contract/index.ts';
import { signedMinorOfText } from '../../src-shared/values/amount-input.ts';
import { say } from '../../src-shared/words/say.ts';
import { datesOf, findPeriod, findReconciliation, type PeriodOptions, spanOf } from './find-period.ts';
import { CommandError, EXIT, moneyText, type Output } from './output.ts';
import { type Session, withSession } from './session.ts';
import { statementLines, wholeStatement } from './statement-text.ts';

/** Options of a close. Balances are texts in currency units, money in positive. */
export interface CloseOptions extends PeriodOptions {
  readonly bankSide?: 'a' | 'b' | undefined;
  readonly openingBank?: string | undefined;
  readonly closingBank?: string | undefined;
  readonly openingBooks?: string | undefined;
  readonly closingBooks?: string | undefined;
  /** Names of the people who sign. */
  readonly prepare?: string | undefined;
  readonly review?: string | undefined;
  readonly close?: string | undefined;
  /** Reason for the reopening. */
  readonly reopen?: string | undefined;
  readonly unexplained?: string | undefined;
  /** Takes balances as they are read, also where they fit the lines only as minor units. */
  readonly yes?: boolean | undefined;
}

type Balance = NonNullable<Call<'periods.update'>['balances']>[number];

const BALANCES = [
  ['--opening-bank', 'bank', 'opening', 'openingBank'],
  ['--closing-bank', 'bank', 'stated_closing', 'closingBank'],
  ['--opening-books', 'books', 'opening', 'openingBooks'],
  ['--closing-books', 'books', 'stated_closing', 'closingBooks'],
] as const;

/**
 * Whether an amount can be read in one way: it is written as this currency is, with digits in groups of three or none and either decimal mark, and
 * no group of three digits looks like decimal places.
 */
function isPlain(text: string, minor: number, places: number): boolean {
  const grouped = moneyText(minor, places, null);
  const bare = grouped.replaceAll(',', '');
  const swapped = [grouped, bare].map((each) => each.replaceAll(/[.,]/g, (mark) => (mark === ',' ? '.' : ',')));
  const written = text.replaceAll(/[\s'’]/g, '').replace('\u2212', '-');
  const isPlaces = places === 0 ? written === bare : places !== 3 || /[.,].*[.,]/.test(written);
  return isPlaces && [grouped, bare, ...swapped].includes(written);
}

/** Returns the balances that are given, as the currency of the period reads them, and notes how each was read. */
async function balancesOf({ client }: Session, periodId: number, options: CloseOptions, output: Output): Promise<Balance[]> {
  const given = BALANCES.flatMap(([flag, side, kind, name]) => {
    const text = options[name];
    return text === undefined ? [] : [{ flag, side, kind, text }];
  });
  if (given.length === 0) return [];
  const { statement } = await client.get('periods.get', { id: periodId, currency: options.currency });
  const { currency, decimal_places: places } = statement;
  const sides = new Map<'bank' | 'books', Balance>();
  for (const { flag, side, kind, text } of given) {
    const minor = signedMinorOfText(text, places);
    if (minor === null) {
      throw new CommandError(EXIT.usage, 'usage', say('commands.close.isNoAmount', { flag, text, currency, places }));
    }
    if (!isPlain(text, minor, places)) output.note(say('commands.close.isReadAs', { flag, read: moneyText(minor, places, currency) }));
    sides.set(side, { ...(sides.get(side) ?? { side, currency: options.currency }), [kind]: minor });
  }
  if (places > 0 && options.yes !== true && given.every(({ text }) => !/[.,]\d{1,3}$/u.test(text))) {
    for (const balance of sides.values()) {
      const read = suspectOf(balance, statement[balance.side], 10 ** places);
      if (read === null) continue;
      const [is, was] = [moneyText(read.minor, places, currency), moneyText(read.minor / 10 ** places, places, currency)];
      throw new CommandError(EXIT.usage, 'hundredfold', say('commands.close.looksLikeMinorUnits', { is, was }));
    }
  }
  return [...sides.values()];
}

/** By how much nearer the balances must come to the lines before they are taken for minor units. */
const NEARER = 20;

/** Returns a given balance that fits the lines of its side only as minor units, in which scripts gave it once; null where none does. */
function suspectOf(
  { opening, stated_closing: closing }: Balance,
  side: Pick<PeriodStatement['bank'], 'opening' | 'receipts' | 'payments' | 'stated_closing'>,
  unit: number,
): { readonly minor: number } | null {
  const minor = closing ?? opening ?? null;
  const [from, to] = [opening ?? side.opening, closing ?? side.stated_closing];
  if (minor === null || from === null || to === null) return null;
  const gap = (start: number, end: number): number => Math.abs(end - start - side.receipts - side.payments);
  const asMinor = (value: number, isGiven: boolean): number => (isGiven ? value / unit : value);
  const asRead = gap(from, to);
  const asMinorUnits = gap(
    asMinor(from, opening !== undefined && opening !== null),
    asMinor(to, closing !== undefined && closing !== null),
  );
  // Of two given balances both shrink, so any movement between them comes nearer to zero; minor units have to come near to the lines as well.
  const isOneKnown = opening === undefined || opening === null || closing === undefined || closing === null;
  const nearest = isOneKnown ? asRead : Math.min(asRead, Math.abs(side.receipts + side.payments));
  return asRead > 0 && asMinorUnits * NEARER <= nearest ? { minor } : null;
}

/** Whether exactly this balance is entered already. */
function isEntered(period: ReconciliationPeriod, { side, currency, opening, stated_closing: closing }: Balance): boolean {
  return period.balances.some(
    (entered) =>
      entered.side === side &&
      (currency === undefined ? period.balances.every((other) => other.currency === entered.currency) : entered.currency === currency) &&
      (opening === undefined || entered.opening === opening) &&
      (closing === undefined || entered.stated_closing === closing),
  );
}

async function change(session: Session, period: ReconciliationPeriod, options: CloseOptions, output: Output): Promise<void> {
  const isSideNew = options.bankSide !== undefined && !(period.bank_side_given && period.bank_side === options.bankSide);
  // With another bank side, balances that were entered before belong to the other side.
  const given = await balancesOf(session, period.id, options, output);
  const balances = given.filter((balance) => isSideNew || !isEntered(period, balance));
  if (!isSideNew && balances.length === 0) return;
  await session.client.get('periods.update', { id: period.id, balances, ...(isSideNew ? { bank_side: options.bankSide } : {}) });
}

async function periodOf(session: Session, options: CloseOptions, output: Output): Promise<number> {
  const { client } = session;
  const span = spanOf(options.period);
  const reconciliation = await findReconciliation(session, options.reconciliation);
  const found = await findPeriod(session, reconciliation.id, span);
  if (found !== null) {
    if (options.reopen !== undefined) await client.get('periods.reopen', { id: found.id, reason: options.reopen });
    await change(session, found, options, output);
    return found.id;
  }
  const asked = { reconciliation_id: reconciliation.id, ...datesOf(span), bank_side: options.bankSide };
  const made = await client.get('periods.create', asked);
  try {
    await change(session, made, options, output);
  } catch (error) {
    // Balances that were refused leave no period behind.
    await client.call('periods.remove', { id: made.id });
    throw error;
  }
  return made.id;
}

/** Whether the review that is asked for together with the close stands already: the close alone was refused before, such as for want of a reason. */
async function isReviewed({ client }: Session, id: number, { review, close }: CloseOptions): Promise<boolean> {
  if (close === undefined) return false;
  const { state, stale, reviewed_by: by } = await client.get('periods.get', { id });
  return state === 'reviewed' && !stale && by === review?.trim();
}

/** Finds or makes a period, enters the given balances, signs as asked, and prints the statement. */
export async function closePeriod(options: CloseOptions, output: Output): Promise<number> {
  return withSession('close', options, output, async (session) => {
    const id = await periodOf(session, options, output);
    const { client } = session;
    if (options.prepare !== undefined) await client.get('periods.prepare', { id, by: options.prepare });
    if (options.review !== undefined && !(await isReviewed(session, id, options)))
      await client.get('periods.review', { id, by: options.review });
    if (options.close !== undefined) await client.get('periods.close', { id, by: options.close, unexplained_reason: options.unexplained });
    const statement = await wholeStatement(session, id, options.currency);
    output.print(statement, statementLines(statement));
    // Doubts about the figures are in the statement. A refused signature has thrown before this.
    return EXIT.fine;
  });
}
