import { Skeleton } from '@mantine/core';
import { Fragment } from 'react';
import type { Reconciliation, ReconciliationSummary } from '../../../src-shared/contract/index.ts';
import { counted, countText } from '../../format/counts.ts';
import { plainAmount } from '../../format/money.ts';
import { sideNames } from '../../format/side-names.ts';
import {
  COLUMNS,
  differenceLabel,
  type SummaryColumn,
  type SummaryRow,
  type SummaryTable,
  summaryTables,
} from '../../format/summary-table.ts';
import styles from './summary.module.css';

interface SummaryBandProps {
  readonly reconciliation: Reconciliation;
  readonly summary: ReconciliationSummary | undefined;
}

const HEADS: Readonly<Record<SummaryColumn, string>> = { matched: 'Matched', open: 'Open', proposed: 'of which proposed', total: 'Total' };
/** What stands in front of a column, for the eye that adds. */
const SIGNS: Readonly<Record<SummaryColumn, string>> = { matched: '', open: '+', proposed: '', total: '=' };

/** Matched + open = total of both sides, with what is proposed of the open lines, and the difference below: in columns, one block a currency. */
export function SummaryBand({ reconciliation, summary }: SummaryBandProps) {
  if (summary === undefined) return <Skeleton height={104} radius="lg" style={{ flexShrink: 0 }} />;
  const tables = summaryTables(summary, reconciliation.sign_convention);
  const names = sideNames(reconciliation);
  return (
    <section className={styles.summary} aria-label="Summary" data-testid="summary">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col" className={styles.corner}>
              {tables.length === 1 ? tables[0]?.currency : ''}
            </th>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" colSpan={3}>
                <span className={styles.dot} data-mark={column} aria-hidden />
                {HEADS[column]}
              </th>
            ))}
          </tr>
        </thead>
        {tables.length === 0 && (
          <tbody>
            <tr>
              <td className={styles.none} colSpan={1 + 3 * COLUMNS.length}>
                Neither side has a line.
              </td>
            </tr>
          </tbody>
        )}
        {tables.map((table) => (
          <Block key={table.currency} table={table} names={names} isOnly={tables.length === 1} differing={summary.differing_matches} />
        ))}
      </table>
    </section>
  );
}

interface BlockProps {
  readonly table: SummaryTable;
  readonly names: { readonly a: string; readonly b: string };
  readonly isOnly: boolean;
  /** Matches with a difference, of all currencies. */
  readonly differing: number;
}

function Block({ table, names, isOnly, differing }: BlockProps) {
  const { adjusted, left, difference, decimal_places: places } = table;
  const last = left ?? difference;
  const label = differenceLabel(table);
  const where = isOnly && differing > 0 ? counted(differing, 'match', 'matches') : '';
  return (
    <tbody data-testid={`summary-${table.currency}`}>
      {!isOnly && (
        <tr>
          <th scope="rowgroup" className={styles.currency} colSpan={1 + 3 * COLUMNS.length}>
            {table.currency}
          </th>
        </tr>
      )}
      <Row mark="A" label={names.a} row={table.a} places={places} />
      <Row mark="B" label={names.b} row={table.b} places={places} />
      <Row
        label={label}
        row={difference}
        places={places}
        kind={adjusted === null ? 'last' : 'sum'}
        where={adjusted === null ? where : ''}
      />
      {adjusted !== null && left !== null && (
        <>
          <Row label="Adjustments" row={adjusted} places={places} kind="adjusted" />
          <Row label="Difference left" row={last} places={places} kind="last" where={where} />
        </>
      )}
    </tbody>
  );
}

interface RowProps {
  readonly mark?: 'A' | 'B';
  readonly label: string;
  readonly row: SummaryRow;
  readonly places: number;
  readonly kind?: 'sum' | 'adjusted' | 'last';
  /** How many matches the difference of the matched lines is in. */
  readonly where?: string;
}

function Row({ mark, label, row, places, kind, where = '' }: RowProps) {
  return (
    <tr data-kind={kind} data-testid={kind === undefined ? undefined : `summary-${kind}`}>
      <th scope="row" title={label}>
        {mark !== undefined && (
          <span className={styles.mark} aria-hidden>
            {mark}
          </span>
        )}
        <span className={styles.name}>{label}</span>
      </th>
      {COLUMNS.map((column) => {
        const { count, net } = row[column];
        const isOpen = kind === 'last' && net !== 0;
        return (
          <Fragment key={column}>
            <td className={styles.sign} aria-hidden>
              {SIGNS[column]}
            </td>
            <td className={styles.count}>{count === null ? (column === 'matched' ? where : '') : countText(count)}</td>
            <td
              className={styles.net}
              data-open={isOpen || undefined}
              data-part={column === 'proposed' || undefined}
              data-testid={kind === 'last' && column === 'total' ? 'difference' : undefined}
            >
              {plainAmount(net, places)}
            </td>
          </Fragment>
        );
      })}
    </tr>
  );
}
