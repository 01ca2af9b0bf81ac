import { useState } from 'react';
import type { SyncVerified } from '../../../src-shared/contract/index.ts';
import { StateBadge } from '../../components/state-badge.tsx';
import { counted, countText } from '../../format/counts.ts';
import { fingerprint, rowState, sideSumText } from '../../format/sync-agreement.ts';
import { DifferingRow } from './differing-row.tsx';
import own from './history.module.css';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';

type Row = SyncVerified['rows'][number];

/** So many that agree are listed before the others are asked for. */
const LISTED = 20;

interface AgreementTableProps {
  readonly kind: Row['resource'];
  /** Those that differ first. */
  readonly rows: readonly Row[];
  readonly control: SyncControl;
  readonly canRepair: boolean;
}

/** Streams by their lines, or reconciliations by their matches. */
export function AgreementTable({ kind, rows, control, canRepair }: AgreementTableProps) {
  const [isLong, setLong] = useState(false);
  const differing = rows.filter(({ equal }) => !equal);
  const equal = rows.filter((row) => row.equal);
  const shown = isLong || equal.length <= LISTED ? equal : equal.slice(0, LISTED);
  const hasCurrency = new Set(rows.map(({ currency }) => currency)).size > 1;
  const isLines = kind === 'records';
  if (rows.length === 0) return null;
  return (
    <table className={`${styles.table} ${own.agreement}`} data-testid={`agreement-${kind}`}>
      <colgroup>
        <col />
        <col className={own.rowCount} />
        <col className={own.rowSum} />
        <col className={own.hash} />
        <col className={own.rowState} />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{isLines ? counted(rows.length, 'stream') : counted(rows.length, 'reconciliation')}</th>
          <th scope="col" className={styles.num}>
            {isLines ? 'Lines' : 'Matches'}
          </th>
          <th scope="col" className={styles.num}>
            {isLines ? 'Sum' : 'Lines in them'}
          </th>
          <th scope="col" className={styles.num}>
            Fingerprint
          </th>
          <th scope="col">Result</th>
        </tr>
      </thead>
      {differing.map((row) => (
        <DifferingRow key={keyOf(row)} row={row} hasCurrency={hasCurrency} control={control} canRepair={canRepair} />
      ))}
      <tbody>
        {shown.map((row) => (
          <EqualRow key={keyOf(row)} row={row} hasCurrency={hasCurrency} />
        ))}
        {shown.length < equal.length && (
          <tr>
            <td colSpan={5}>
              <button type="button" className={own.link} onClick={() => setLong(true)} data-testid="more-agreeing">
                {countText(equal.length - shown.length)} others agree, show them
              </button>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

const keyOf = ({ resource, name, currency }: Row): string => `${resource} ${name} ${currency ?? ''}`;

function EqualRow({ row, hasCurrency }: { readonly row: Row; readonly hasCurrency: boolean }) {
  const state = rowState(row);
  return (
    <tr>
      <th scope="row" title={row.name}>
        {row.name} {hasCurrency && <span className={styles.quiet}>{row.currency}</span>}
      </th>
      <td className={styles.num}>{countText(row.local.count)}</td>
      <td className={`${styles.num} ${own.sumCell}`}>{sideSumText(row, row.local.sum)}</td>
      <td className={`${styles.num} ${styles.quiet}`} title={row.local.hash}>
        {fingerprint(row.local.hash)}
      </td>
      <td>
        <StateBadge tone={state.tone} isPlain>
          {state.words}
        </StateBadge>
      </td>
    </tr>
  );
}
