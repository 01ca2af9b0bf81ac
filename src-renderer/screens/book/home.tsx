import { Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useState } from 'react';
import type { Output } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { HomeStrip, PAGE_ROWS } from './home-strip.tsx';
import { HomeTable } from './home-table.tsx';
import styles from './home.module.css';
import { NeedsList } from './needs-list.tsx';
import { RecentImports } from './recent-imports.tsx';
import { StaleChecks } from './stale-checks.tsx';

type HomeAnswer = Output<'book.home'>;

/** What was on show stays while the next page or search is fetched. */
function useHome(input: { readonly limit: number; readonly offset: number; readonly q?: string }) {
  const query = useQuery('book.home', input);
  const [held, setHeld] = useState<HomeAnswer | undefined>(undefined);
  if (query.value !== undefined && query.value !== held) setHeld(query.value);
  return { ...query, value: query.value ?? held };
}

/** Every reconciliation of the book, what it waits for, and the last imports. */
export function Home() {
  const [search, setSearch] = useState('');
  const [offset, setOffset] = useState(0);
  const [q] = useDebouncedValue(search.trim(), 200);
  const home = useHome({ limit: PAGE_ROWS, offset, ...(q === '' ? {} : { q }) });
  const [staleOf, setStaleOf] = useState<ReadonlyMap<number, readonly number[]>>(new Map());
  const onFound = useCallback((id: number, periods: readonly number[]) => setStaleOf((before) => new Map([...before, [id, periods]])), []);
  if (home.failure !== undefined && home.value === undefined) {
    return (
      <div className={styles.failure}>
        <FailurePanel title="The reconciliations could not be read" failure={home.failure} onRetry={home.refetch} />
      </div>
    );
  }
  if (home.value === undefined) return <HomeSkeleton />;
  const { rows, imports } = home.value;
  const stale = new Set([...staleOf.values()].flat());
  return (
    <>
      <HomeStrip
        home={home.value}
        search={search}
        onSearch={(text) => {
          setSearch(text);
          setOffset(0);
        }}
        offset={offset}
        onOffset={setOffset}
      />
      <div className={styles.rows}>
        <HomeTable home={home.value} stale={stale} />
        {rows.length === 0 && <p className={styles.none}>No reconciliation of that name.</p>}
      </div>
      <div className={styles.two}>
        <NeedsList rows={rows} stale={stale} />
        <RecentImports imports={imports} />
      </div>
      <StaleChecks rows={rows} onFound={onFound} />
    </>
  );
}

/** The names are there at once; the figures of large books take a moment. */
function HomeSkeleton() {
  const { value } = useQuery('reconciliations.list', { limit: 100 });
  return (
    <div className={styles.skeleton} aria-busy="true" aria-label="Loading">
      {(value?.data ?? []).slice(0, PAGE_ROWS).map(({ id, name }) => (
        <div key={id} className={styles.waiting}>
          <PlaceLink place={{ screen: 'reconciliation', id }} title={name}>
            {name}
          </PlaceLink>
          <Skeleton height={12} />
        </div>
      ))}
    </div>
  );
}
