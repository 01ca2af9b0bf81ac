import { SegmentedControl, Title } from '@mantine/core';
import { useState } from 'react';
import type { ImportPreview } from '../../../src-shared/contract/index.ts';
import { countText } from '../../format/counts.ts';
import styles from './import.module.css';
import { RowsPager } from './rows-pager.tsx';
import { RowsTable } from './rows-table.tsx';
import type { ImportProcess } from './use-import.ts';

type Shown = 'first' | 'skipped' | 'rejected';

interface FirstRowsProps {
  readonly preview: ImportPreview;
  readonly process: ImportProcess;
}

/** The rows that the open question is about, whether they are in already. */
function askedIn({ questions, overlap }: ImportPreview['result']): (row: { readonly row: number; readonly occurrence: number }) => boolean {
  if (!questions.some(({ about }) => about === 'overlap')) return () => false;
  const keyOf = ({ row, occurrence }: { readonly row: number; readonly occurrence: number }): string => `${row} ${occurrence}`;
  const asked = new Set(overlap.map(keyOf));
  return (row) => asked.has(keyOf(row));
}

/** The first rows as they will stand in the book, and all of those that will not. */
export function FirstRows({ preview, process }: FirstRowsProps) {
  const { rows, result } = preview;
  const [chosen, setChosen] = useState<Shown>('first');
  const { jobId } = process.flow;
  if (rows.length === 0) return null;
  const decisions = { onDecide: process.decide, onTakeBack: process.takeBack };
  const views = [
    { value: 'first', label: 'First rows' },
    ...(result.skipped === 0 ? [] : [{ value: 'skipped', label: `Skipped (${countText(result.skipped)})` }]),
    ...(result.rejected === 0 ? [] : [{ value: 'rejected', label: `Not readable (${countText(result.rejected)})` }]),
  ];
  const shown = views.some(({ value }) => value === chosen) ? chosen : 'first';
  return (
    <section aria-labelledby="rows-heading">
      <div className={styles.headingRow}>
        <Title order={2} id="rows-heading">
          {shown === 'first' ? 'First rows' : 'Rows that do not go in'}
        </Title>
        {views.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label="Rows on show"
            data={views}
            value={shown}
            onChange={(value) => setChosen(value === 'skipped' || value === 'rejected' ? value : 'first')}
            data-testid="rows-view"
          />
        )}
      </div>
      {shown === 'first' || jobId === null ? (
        <RowsTable label="First rows" rows={rows} currency={result.currency} decisions={decisions} isAsked={askedIn(result)} />
      ) : (
        <RowsPager
          key={shown}
          label="Rows that do not go in"
          jobId={jobId}
          outcome={shown}
          currency={result.currency}
          pending={[]}
          decisions={decisions}
        />
      )}
    </section>
  );
}
