import { Skeleton, Text } from '@mantine/core';
import type { Reconciliation, ReconciliationSummary } from '../../../src-shared/contract/index.ts';
import { Proportion } from '../../components/proportion.tsx';
import { countText, listText } from '../../format/counts.ts';
import { type CurrencySum, differencesOf, moneyText } from '../../format/money.ts';
import styles from './reconciliation.module.css';

type SideFigures = ReconciliationSummary['side_a'];
type Net = 'net' | 'unmatched_net' | 'adjusted_net';

interface SummaryBandProps {
  readonly reconciliation: Reconciliation;
  readonly summary: ReconciliationSummary | undefined;
}

/** Both sides' counts and nets, and by how much they differ. */
export function SummaryBand({ reconciliation, summary }: SummaryBandProps) {
  if (summary === undefined) return <Skeleton height={104} radius="lg" style={{ flexShrink: 0 }} />;
  return (
    <section className={`card ${styles.summary}`} aria-label="Summary" data-testid="summary">
      <SideFacts side="A" names={listText(reconciliation.side_a_streams.map((stream) => stream.name))} figures={summary.side_a} />
      <SideFacts side="B" names={listText(reconciliation.side_b_streams.map((stream) => stream.name))} figures={summary.side_b} />
      <Differences reconciliation={reconciliation} summary={summary} />
    </section>
  );
}

function SideFacts({ side, names, figures }: { readonly side: string; readonly names: string; readonly figures: SideFigures }) {
  const money = (member: 'net' | 'unmatched_net'): string =>
    figures.totals.map((total) => moneyText(total[member], total.currency, total.decimal_places)).join(', ') || '–';
  const isOneCurrency = figures.totals.length <= 1;
  return (
    <div className={styles.side}>
      <div className={styles.titleRow}>
        <div className={styles.panelTitle}>
          <span className={styles.sideMark} aria-hidden>
            {side}
          </span>
          <Text fw={580} size="sm" className="truncate" title={names}>
            {names}
          </Text>
        </div>
        {isOneCurrency && <Fact label="net" value={money('net')} />}
      </div>
      <Proportion label={`Side ${side}`} matched={figures.matched} proposed={figures.proposed} open={figures.unmatched} size={6} />
      <div className={styles.factRow}>
        <div className={styles.counts}>
          <Fact label="matched" value={countText(figures.matched)} mark="matched" />
          <Fact label="open" value={countText(figures.unmatched)} mark="open" />
          {figures.proposed > 0 && <Fact label="proposed" value={countText(figures.proposed)} mark="proposed" />}
        </div>
        {isOneCurrency && <Fact label="open net" value={money('unmatched_net')} />}
      </div>
      {!isOneCurrency && <Nets totals={figures.totals} />}
    </div>
  );
}

/** Nets of several currencies, one a column. */
function Nets({ totals }: { readonly totals: SideFigures['totals'] }) {
  const row = (label: string, member: Net) => (
    <tr>
      <th scope="row">{label}</th>
      {totals.map((total) => (
        <td key={total.currency}>{moneyText(total[member], total.currency, total.decimal_places)}</td>
      ))}
    </tr>
  );
  return (
    <div className={styles.netsFrame}>
      <table className={styles.nets}>
        <tbody>
          {row('net', 'net')}
          {row('open net', 'unmatched_net')}
          {totals.some((total) => total.adjusted_net !== 0) && row('adjusted', 'adjusted_net')}
        </tbody>
      </table>
    </div>
  );
}

function Fact({ label, value, mark }: { readonly label: string; readonly value: string; readonly mark?: 'matched' | 'proposed' | 'open' }) {
  return (
    <span className={styles.fact}>
      {mark !== undefined && <span className={styles.dot} data-mark={mark} aria-hidden />}
      {mark === undefined && <span className={styles.label}>{label}</span>}
      <span className={styles.value}>{value}</span>
      {mark !== undefined && <span className={styles.label}>{label}</span>}
    </span>
  );
}

function sums(figures: SideFigures, member: Net): CurrencySum[] {
  return figures.totals.map((total) => ({ currency: total.currency, decimal_places: total.decimal_places, net: total[member] }));
}

function Differences({ reconciliation, summary }: { readonly reconciliation: Reconciliation; readonly summary: ReconciliationSummary }) {
  const { sign_convention: signs } = reconciliation;
  const differences = (member: Net): CurrencySum[] => differencesOf(sums(summary.side_a, member), sums(summary.side_b, member), signs);
  const of = (member: 'net' | 'unmatched_net'): string[] =>
    differences(member).map((sum) => moneyText(sum.net, sum.currency, sum.decimal_places));
  // What lines in adjusted matches differ by is what their adjustments take away again. Magnitudes do not add up so.
  const adjusted = signs === 'any' ? [] : differences('adjusted_net').filter((sum) => sum.net !== 0);
  const all = of('net');
  return (
    <div className={styles.differences}>
      <Text size="xs" c="dimmed">
        Difference, A against B
      </Text>
      <Text fw={640} className={all.length > 1 ? styles.value : styles.bigValue} data-testid="difference">
        {all.join('\n') || '–'}
      </Text>
      {all.length === 1 && (
        <Text size="xs" c="dimmed" className="tabular">
          of the open lines {of('unmatched_net').join(', ')}
        </Text>
      )}
      {all.length === 1 && adjusted.length > 0 && (
        <Text size="xs" c="dimmed" className="tabular" data-testid="adjusted">
          of adjusted matches {adjusted.map((sum) => moneyText(-sum.net, sum.currency, sum.decimal_places)).join(', ')}
        </Text>
      )}
    </div>
  );
}
