import { SegmentedControl } from '@mantine/core';
import type { PeriodStatement } from '../../../src-shared/contract/index.ts';

interface CurrencySwitchProps {
  readonly statement: PeriodStatement;
  readonly onChange: (currency: string) => void;
}

/** Each currency has a statement of its own. */
export function CurrencySwitch({ statement, onChange }: CurrencySwitchProps) {
  const { currency, currencies } = statement;
  if (currencies.length < 2) return null;
  return (
    <SegmentedControl
      size="xs"
      aria-label="Currency of the statement"
      value={currency}
      data={currencies.map((each) => ({
        value: each.currency,
        label: each.agrees ? each.currency : `${each.currency} ·`,
      }))}
      onChange={onChange}
      data-testid="currency-switch"
    />
  );
}
