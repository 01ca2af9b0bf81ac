import type { Learned } from '../../../src-shared/contract/index.ts';
import styles from './evidence.module.css';

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const HEIGHT = 96;
const BAR = 34;
const GAP = 6;
const LABEL = 30;

function daysText({ from_day: from, to_day: to }: Learned['lags'][number]): string {
  return from === to ? String(from).replace('-', '−') : `${from}…${to}`.replaceAll('-', '−');
}

/** One below the other: a span is wider than its bar. */
function dayLines(bin: Learned['lags'][number]): string[] {
  const minus = (days: number): string => String(days).replace('-', '−');
  return bin.from_day === bin.to_day ? [minus(bin.from_day)] : [minus(bin.from_day), `to ${minus(bin.to_day)}`];
}

/** Shares of true pairs by the days between their lines, as bars; of strangers as a line beside. */
export function LagChart({ bins }: { readonly bins: Learned['lags'] }) {
  const most = Math.max(0.01, ...bins.map(({ m, u }) => Math.max(m, u)));
  const top = (share: number): number => HEIGHT - (share / most) * (HEIGHT - 14);
  const words = bins.map((bin) => `${daysText(bin)} days: ${percent(bin.m)} of true pairs`).join(', ');
  const width = bins.length * (BAR + GAP);
  return (
    <figure className={styles.chart} aria-label={words}>
      <svg viewBox={`0 0 ${width} ${HEIGHT + LABEL}`} style={{ width, maxWidth: '100%' }} aria-hidden>
        {bins.map((bin, index) => {
          const left = index * (BAR + GAP);
          return (
            <g key={bin.from_day}>
              <rect className={styles.bar} x={left} y={top(bin.m)} width={BAR} height={HEIGHT - top(bin.m)} rx={2} />
              <line className={styles.strangers} x1={left} x2={left + BAR} y1={top(bin.u)} y2={top(bin.u)} />
              {bin.m >= 0.005 && (
                <text className={styles.share} x={left + BAR / 2} y={top(bin.m) - 3}>
                  {percent(bin.m)}
                </text>
              )}
              {dayLines(bin).map((text, line) => (
                <text key={text} className={styles.day} x={left + BAR / 2} y={HEIGHT + 13 + line * 12}>
                  {text}
                </text>
              ))}
            </g>
          );
        })}
      </svg>
      <figcaption className={styles.caption}>Bars: pairs that belong together. Lines: strangers of the same amount.</figcaption>
    </figure>
  );
}
