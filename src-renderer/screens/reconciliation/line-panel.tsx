import { CloseButton, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import type { Reconciliation, ReconciliationSummary } from '../../../src-shared/contract/index.ts';
import { countText, listText } from '../../format/counts.ts';
import type { Side } from '../../state/selection.ts';
import { LineGrid } from './line-grid.tsx';
import styles from './reconciliation.module.css';

interface LinePanelProps {
  readonly reconciliation: Reconciliation;
  readonly side: Side;
  readonly summary: ReconciliationSummary['side_a'] | undefined;
}

const SEARCH_DELAY_MS = 180;

/** One side: its name, search, and the lines that are left. */
export function LinePanel({ reconciliation, side, summary }: LinePanelProps) {
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search.trim(), SEARCH_DELAY_MS);
  const [count, setCount] = useState<number | null>(null);
  const streams = side === 'a' ? reconciliation.side_a_streams : reconciliation.side_b_streams;
  const names = listText(streams.map((stream) => stream.name));
  const label = `Side ${side.toUpperCase()}, ${names}, open lines`;
  const currencies = summary?.totals.map((total) => total.currency) ?? [];
  return (
    <div className={`card ${styles.panel}`}>
      <div className={styles.panelHead}>
        <div className={styles.panelTitle}>
          <span className={styles.sideMark} aria-hidden>
            {side.toUpperCase()}
          </span>
          <Text fw={580} size="sm" className="truncate" title={names}>
            {names}
          </Text>
          <Text size="xs" c="dimmed" className="tabular" aria-live="polite">
            {count === null ? '' : `${countText(count)} ${asked === '' ? 'open' : 'found'}`}
            {count !== null && currencies.length === 1 && ` · ${currencies[0] ?? ''}`}
          </Text>
        </div>
        <TextInput
          size="xs"
          type="search"
          placeholder="Search"
          aria-label={`Search side ${side.toUpperCase()}`}
          leftSection={<IconSearch size={14} aria-hidden />}
          rightSection={search === '' ? null : <CloseButton size="xs" aria-label="Clear the search" onClick={() => setSearch('')} />}
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.currentTarget.value)}
          className={styles.search}
          data-testid={`search-${side}`}
        />
      </div>
      <div className={styles.gridFrame}>
        <LineGrid
          reconciliationId={reconciliation.id}
          side={side}
          label={label}
          streams={streams}
          isMixed={currencies.length > 1}
          search={asked}
          onCount={setCount}
        />
        {count === 0 && <NothingLeft isSearching={asked !== ''} />}
      </div>
    </div>
  );
}

function NothingLeft({ isSearching }: { readonly isSearching: boolean }) {
  return (
    <div className={styles.overlay}>
      <Text size="sm" c="dimmed">
        {isSearching ? 'No open line has these words.' : 'Nothing is left on this side.'}
      </Text>
    </div>
  );
}
