import type { Call, ReconciliationPeriod } from '../../src-shared/contract/index.ts';
import { datesOf, findPeriod, findReconciliation, type PeriodOptions, spanOf } from './find-period.ts';
import { EXIT, type Output } from './output.ts';
import { type Session, withSession } from './session.ts';
import { statementLines, wholeStatement } from './statement-text.ts';

/** Options of a close. Balances are minor units, money in positive. */
export interface CloseOptions extends PeriodOptions {
  readonly bankSide?: 'a' | 'b' | undefined;
  readonly openingBank?: number | undefined;
  readonly closingBank?: number | undefined;
  readonly openingBooks?: number | undefined;
  readonly closingBooks?: number | undefined;
  /** Names of the people who sign. */
  readonly prepare?: string | undefined;
  readonly review?: string | undefined;
  readonly close?: string | undefined;
  /** Reason for the reopening. */
  readonly reopen?: string | undefined;
  readonly unexplained?: string | undefined;
}

type Balance = NonNullable<Call<'periods.update'>['balances']>[number];

function balancesOf({ openingBank, closingBank, openingBooks, closingBooks, currency }: CloseOptions): Balance[] {
  const sides: Balance[] = [
    { side: 'bank', currency, opening: openingBank, stated_closing: closingBank },
    { side: 'books', currency, opening: openingBooks, stated_closing: closingBooks },
  ];
  return sides.filter(({ opening, stated_closing: closing }) => opening !== undefined || closing !== undefined);
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

async function change({ client }: Session, period: ReconciliationPeriod, options: CloseOptions): Promise<void> {
  const isSideNew = options.bankSide !== undefined && !(period.bank_side_given && period.bank_side === options.bankSide);
  // With another bank side, balances that were entered before belong to the other side.
  const balances = balancesOf(options).filter((balance) => isSideNew || !isEntered(period, balance));
  if (!isSideNew && balances.length === 0) return;
  await client.get('periods.update', { id: period.id, balances, ...(isSideNew ? { bank_side: options.bankSide } : {}) });
}

async function periodOf(session: Session, options: CloseOptions): Promise<number> {
  const span = spanOf(options.period);
  const reconciliation = await findReconciliation(session, options.reconciliation);
  const found = await findPeriod(session, reconciliation.id, span);
  if (found === null) {
    const asked = { reconciliation_id: reconciliation.id, ...datesOf(span), bank_side: options.bankSide, balances: balancesOf(options) };
    return (await session.client.get('periods.create', asked)).id;
  }
  if (options.reopen !== undefined) await session.client.get('periods.reopen', { id: found.id, reason: options.reopen });
  await change(session, found, options);
  return found.id;
}

/** Finds or makes a period, enters the given balances, signs as asked, and prints the statement. */
export async function closePeriod(options: CloseOptions, output: Output): Promise<number> {
  return withSession('close', options, output, async (session) => {
    const id = await periodOf(session, options);
    const { client } = session;
    if (options.prepare !== undefined) await client.get('periods.prepare', { id, by: options.prepare });
    if (options.review !== undefined) await client.get('periods.review', { id, by: options.review });
    if (options.close !== undefined) await client.get('periods.close', { id, by: options.close, unexplained_reason: options.unexplained });
    const statement = await wholeStatement(session, id, options.currency);
    output.print(statement, statementLines(statement));
    // Doubts about the figures are in the statement. A refused signature has thrown before this.
    return EXIT.fine;
  });
}
