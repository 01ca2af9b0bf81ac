import { useMemo, useState } from 'react';
import type { BankAccountBalance, Coverage } from '../../../src-shared/contract/index.ts';
import { type ChartPoint, DayChart } from '../../components/day-chart.tsx';
import { PaneHeader } from '../../components/pane-header.tsx';
import { balanceLine } from '../../format/balance-line.ts';
import { dateText, shortDateText } from '../../format/dates.ts';
import { moneyText, plainAmount } from '../../format/money.ts';
import styles from './account.module.css';
import type { Scale } from './scale.ts';

interface BalanceChartProps {
  readonly balances: readonly BankAccountBalance[];
  readonly coverages: readonly Coverage[];
  readonly scale: Scale;
  /** Of the currencies in which the account has balances. */
  readonly isOneOfSeveral: boolean;
}

const MARKS = [
  { shape: 'dot', label: 'Statement' },
  { shape: 'square', label: 'Typed in' },
  { shape: 'diamond', label: 'First break' },
] as const;

/** The balance as a line over its days, with who said each and where it first breaks. */
export function BalanceChart({ balances, coverages, scale, isOneOfSeveral }: BalanceChartProps) {
  const points = useMemo(() => balanceLine(balances, coverages), [balances, coverages]);
  const [shown, setShown] = useState<ChartPoint | null>(null);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return null;
  const { currency, decimalPlaces } = scale;
  const amount = (minor: number): string =>
    currency === null ? plainAmount(minor, decimalPlaces) : moneyText(minor, currency, decimalPlaces);
  const read = shown ?? last;
  const broken = points.find(({ shape }) => shape === 'diamond');
  return (
    <section className={styles.chart} aria-labelledby={`balance-heading${currency ?? ''}`} data-testid="balance-chart">
      <PaneHeader title={isOneOfSeveral ? `Balance in ${currency ?? 'no currency'}` : 'Balance'} id={`balance-heading${currency ?? ''}`}>
        <span className={styles.legend} aria-hidden>
          {MARKS.filter(({ shape }) => points.some((point) => point.shape === shape)).map(({ shape, label }) => (
            <span key={shape} className={styles.key} data-shape={shape}>
              {label}
            </span>
          ))}
        </span>
        <span className={styles.read} aria-hidden>
          {dateText(read.date)} <b>{amount(read.value)}</b>
        </span>
      </PaneHeader>
      <p className={styles.words}>
        From {amount(first.value)} on {dateText(first.date)} to {amount(last.value)} on {dateText(last.date)}.
        {broken !== undefined && ` The statements first break on ${dateText(broken.date)}.`}
      </p>
      <DayChart points={points} valueText={(value) => plainAmount(value, decimalPlaces)} dateText={shortDateText} onPoint={setShown} />
    </section>
  );
}
