import type { ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import type { ReadHandle } from '../../database/database.ts';
import { type PeriodSpan, periodText } from '../../domain/ledger/index.ts';
import { reconciliationById } from '../../reconciliations/store/reconciliations.ts';
import { timestampOf, timestampOrNull } from '../../service/answers.ts';
import { balancesOfPeriod } from '../store/period-balances.ts';
import type { PeriodRow } from '../store/periods.ts';
import { closeSides } from '../work/close-source.ts';

export function spanOf({ first_day: from, last_day: to }: Pick<PeriodRow, 'first_day' | 'last_day'>): PeriodSpan {
  return { from, to };
}

/** Returns the name of a period, such as `June 2026`. */
export function nameOf(row: Pick<PeriodRow, 'first_day' | 'last_day'>): string {
  return periodText(spanOf(row));
}

interface Bank {
  readonly bankSide: 'a' | 'b';
  readonly isNeutral: boolean;
  readonly isGiven: boolean;
}

/** Returns the bank side of a reconciliation. */
function bankOf(read: ReadHandle, reconciliationId: number): Bank {
  const reconciliation = present(reconciliationById(read, reconciliationId), 'reconciliation');
  return { ...closeSides(read, reconciliation), isGiven: reconciliation.bank_side !== null };
}

function viewOf(read: ReadHandle, row: PeriodRow, stale: boolean, bank: Bank): ReconciliationPeriod {
  return {
    id: row.id,
    reconciliation_id: row.reconciliation_id,
    name: nameOf(row),
    from: isoFromDay(row.first_day),
    to: isoFromDay(row.last_day),
    state: row.state,
    stale,
    bank_side: bank.isNeutral ? null : bank.bankSide,
    bank_side_given: bank.isGiven,
    prepared_by: row.prepared_by,
    prepared_at: timestampOrNull(row.prepared_at),
    reviewed_by: row.reviewed_by,
    reviewed_at: timestampOrNull(row.reviewed_at),
    closed_by: row.closed_by,
    closed_at: timestampOrNull(row.closed_at),
    balances: balancesOfPeriod(read, row.id).map((balance) => ({
      side: balance.side === bank.bankSide ? 'bank' : 'books',
      currency: balance.currency,
      decimal_places: balance.decimal_places,
      opening: balance.opening,
      stated_closing: balance.stated_closing,
    })),
    created_at: timestampOf(row.created_at),
  };
}

/** Returns periods in the form of the contract. `stale` has one entry per period, in the same order. */
export function periodViews(read: ReadHandle, rows: readonly PeriodRow[], stale: readonly boolean[]): ReconciliationPeriod[] {
  const banks = new Map<number, Bank>();
  return rows.map((row, place) => {
    const bank = banks.get(row.reconciliation_id) ?? bankOf(read, row.reconciliation_id);
    banks.set(row.reconciliation_id, bank);
    return viewOf(read, row, stale[place] ?? false, bank);
  });
}

export function periodView(read: ReadHandle, row: PeriodRow, stale: boolean): ReconciliationPeriod {
  return present(periodViews(read, [row], [stale])[0], 'period');
}
