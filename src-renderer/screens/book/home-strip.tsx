import { Button, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import type { Output } from '../../../src-shared/contract/index.ts';
import { AgeLegend } from '../../components/age-bar.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { countText } from '../../format/counts.ts';
import styles from './home.module.css';

/** From so many on there is something to search, and pages. */
const MANY = 12;
export const PAGE_ROWS = 50;

interface HomeStripProps {
  readonly home: Output<'book.home'>;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}

/** How many reconciliations there are and how they stand, the search among many, and what the colours mean. */
export function HomeStrip({ home, search, onSearch, offset, onOffset }: HomeStripProps) {
  const { states, total } = home;
  const all = states.open + states.prepared + states.reviewed + states.closed;
  return (
    <div className={styles.strip}>
      <Count count={all} label={all === 1 ? 'reconciliation' : 'reconciliations'} />
      <span className={styles.rule} aria-hidden />
      <Count count={states.closed} label="closed" />
      <Count count={states.reviewed} label="reviewed" />
      <Count count={states.prepared} label="prepared" />
      <Count count={states.open} label="still open" isOpen={states.open > 0} />
      <span className={styles.grow} />
      {all > MANY && <Search text={search} onChange={onSearch} />}
      {total > PAGE_ROWS && <Pages total={total} offset={offset} onOffset={onOffset} />}
      <span className={styles.widest}>
        <AgeLegend />
      </span>
    </div>
  );
}

function Count({ count, label, isOpen = false }: { readonly count: number; readonly label: string; readonly isOpen?: boolean }) {
  return (
    <span className={styles.key}>
      <b data-open={isOpen || undefined}>{countText(count)}</b> {label}
    </span>
  );
}

function Search({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => input.current?.focus() });
  return (
    <TextInput
      ref={input}
      w={200}
      value={text}
      placeholder="Search by name"
      aria-label="Search reconciliations by name"
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={<KeyHint keys="/" />}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        onChange('');
        event.currentTarget.blur();
      }}
      data-testid="home-search"
    />
  );
}

function Pages({
  total,
  offset,
  onOffset,
}: {
  readonly total: number;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}) {
  const last = Math.min(total, offset + PAGE_ROWS);
  return (
    <span className={styles.pages} data-testid="home-pages">
      <span className="tabular">
        {countText(offset + 1)}–{countText(last)} of {countText(total)}
      </span>
      <Button size="xs" variant="default" disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - PAGE_ROWS))}>
        Back
      </Button>
      <Button size="xs" variant="default" disabled={last >= total} onClick={() => onOffset(offset + PAGE_ROWS)}>
        Next
      </Button>
    </span>
  );
}
