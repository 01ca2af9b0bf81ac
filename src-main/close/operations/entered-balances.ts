import type { Input } from '../../../src-shared/contract/index.ts';
import { decimalPlacesOf } from '../../../src-shared/values/money.ts';
import type { WriteHandle } from '../../database/database.ts';
import { refuseField } from '../../service/answers.ts';
import { balancesOfPeriod, putPeriodBalance } from '../store/period-balances.ts';
import { closeSource } from '../work/close-source.ts';

type Given = NonNullable<Input<'periods.update'>['balances']>;

/** Stores balances that somebody enters for a period, each where it is said; null of a balance takes away what was entered. Answers a refusal, or null. */
export function enterBalances(write: WriteHandle, periodId: number, given: Given) {
  if (given.length === 0) return null;
  const { bankSide, currencies } = closeSource(write, periodId);
  const [only] = currencies;
  for (const [place, { side: slot, currency: named, opening, stated_closing: closing }] of given.entries()) {
    const currency = named ?? (currencies.length === 1 ? only?.currency : undefined);
    if (currency === undefined) {
      const all = currencies.map((lines) => lines.currency).join(', ');
      return refuseField(
        'validation_failed',
        `balances.${place}.currency`,
        `The period has lines in ${all}: say of which currency the balance is.`,
      );
    }
    const side = (slot === 'bank') === (bankSide === 'a') ? 'a' : 'b';
    const before = balancesOfPeriod(write, periodId).find((row) => row.currency === currency && row.side === side);
    putPeriodBalance(write, {
      period_id: periodId,
      currency,
      side,
      decimal_places: currencies.find((lines) => lines.currency === currency)?.decimalPlaces ?? decimalPlacesOf(currency),
      opening: opening === undefined ? (before?.opening ?? null) : opening,
      stated_closing: closing === undefined ? (before?.stated_closing ?? null) : closing,
    });
  }
  return null;
}
