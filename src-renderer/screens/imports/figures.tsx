import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleDashed, IconShieldCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { Amount } from '../../components/amount.tsx';
import { dateRangeText } from '../../format/dates.ts';
import { PROOF_LABELS, proofSentence } from '../../format/proofs.ts';
import styles from './import.module.css';

const LOOKS = {
  proved: { color: 'pine', Icon: IconShieldCheck },
  unproved: { color: 'gray', Icon: IconCircleDashed },
  broken: { color: 'red', Icon: IconAlertTriangle },
} as const;

/** Totals, balances and their proof in words. */
export function Figures({ result }: { readonly result: ImportResult }) {
  const { currency, decimal_places: scale } = result;
  const { color, Icon } = LOOKS[result.proof];
  const money = (minor: number | null): ReactNode =>
    minor === null ? '–' : <Amount minor={minor} currency={currency} decimalPlaces={scale} />;
  return (
    <section aria-label="Totals and proof" className={styles.stack}>
      <dl className={`card ${styles.figures}`}>
        <Figure label="Dates" value={dateRangeText(result.date_range_start, result.date_range_end) || '–'} />
        <Figure label="Opening balance" value={money(result.opening_balance)} />
        <Figure label="Money in" value={perCurrency(result, (total) => total.credits)} />
        <Figure label="Money out" value={perCurrency(result, (total) => -total.debits)} />
        <Figure label="Closing balance" value={money(result.closing_balance)} />
      </dl>
      <Alert color={color} icon={<Icon size={20} aria-hidden />} title={PROOF_LABELS[result.proof]} data-testid="import-proof">
        <Text size="sm">{proofSentence(result)}</Text>
      </Alert>
    </section>
  );
}

/** One amount a currency: a sum over several currencies is no amount of money. */
function perCurrency({ totals }: ImportResult, minorOf: (total: ImportResult['totals'][number]) => number): ReactNode {
  if (totals.length === 0) return '–';
  return totals.map((total) => (
    <div key={total.currency}>
      <Amount minor={minorOf(total)} currency={total.currency} decimalPlaces={total.decimal_places} />
    </div>
  ));
}

function Figure({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd className="tabular">{value}</dd>
    </div>
  );
}
