import { Button, CloseButton, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Stream } from '../../../src-shared/contract/index.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { RECORD_STATE_NAMES, RECORD_STATES } from '../../format/record-words.ts';
import { type FilterFaults, isFiltered, NO_FILTERS, useRecordFilters } from '../../state/record-filters.ts';
import styles from './records.module.css';

interface FilterBarProps {
  readonly streams: readonly Stream[];
  readonly faults: FilterFaults;
  /** All listed amounts have the same decimal places, so that a bound means the same for each. */
  readonly hasBounds: boolean;
}

const STATE_CHOICES = RECORD_STATES.map((value) => ({ value, label: RECORD_STATE_NAMES[value] }));
const NO_BOUNDS = 'The streams have currencies with different decimals: pick a stream first';

/** What narrows the list. */
export function FilterBar({ streams, faults, hasBounds }: FilterBarProps) {
  const { filters, change, clear } = useRecordFilters();
  useShortcuts({ '/': () => document.querySelector<HTMLInputElement>('[data-testid="search-records"]')?.focus() });
  const names = streams.map(({ key, name }) => ({ value: key, label: name }));
  return (
    <search className={styles.filters} aria-label="Filters">
      <TextInput
        size="xs"
        type="search"
        placeholder="Search"
        aria-label="Search all lines"
        aria-keyshortcuts="/"
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={
          filters.search === '' ? null : <CloseButton size="xs" aria-label="Clear the search" onClick={() => change({ search: '' })} />
        }
        value={filters.search}
        maxLength={200}
        onChange={(event) => change({ search: event.currentTarget.value })}
        className={styles.search}
        data-testid="search-records"
      />
      <Select
        size="xs"
        aria-label="Stream"
        placeholder="All streams"
        data={names}
        value={filters.streamKey}
        searchable
        clearable
        nothingFoundMessage="No stream has this name"
        onChange={(streamKey) => change({ streamKey })}
        className={styles.stream}
        data-testid="records-stream"
      />
      <Select
        size="xs"
        aria-label="State"
        data={STATE_CHOICES}
        value={filters.state}
        allowDeselect={false}
        onChange={(value) => change({ state: RECORD_STATES.find((state) => state === value) ?? NO_FILTERS.state })}
        className={styles.state}
        data-testid="records-state"
      />
      <Bound name="from" label="First day" type="date" fault={faults.from} />
      <Bound name="to" label="Last day" type="date" fault={faults.to} />
      <Bound name="least" label="Amount from" type="text" fault={faults.least} blocked={hasBounds ? undefined : NO_BOUNDS} />
      <Bound name="most" label="Amount to" type="text" fault={faults.most} blocked={hasBounds ? undefined : NO_BOUNDS} />
      {isFiltered(filters) && (
        <Button size="xs" variant="default" onClick={clear} data-testid="clear-filters">
          Clear
        </Button>
      )}
    </search>
  );
}

interface BoundProps {
  readonly name: 'from' | 'to' | 'least' | 'most';
  readonly label: string;
  readonly type: 'date' | 'text';
  readonly fault: string | undefined;
  /** Why nothing can be typed. */
  readonly blocked?: string | undefined;
}

function Bound({ name, label, type, fault, blocked }: BoundProps) {
  const value = useRecordFilters(({ filters }) => filters[name]);
  const change = useRecordFilters((state) => state.change);
  return (
    <TextInput
      size="xs"
      type={type}
      aria-label={label}
      title={blocked ?? label}
      placeholder={type === 'text' ? label : undefined}
      {...(type === 'date' && {
        leftSection: <span className={styles.dayLabel}>{name === 'from' ? 'From' : 'To'}</span>,
        leftSectionWidth: 40,
      })}
      inputMode={type === 'text' ? 'decimal' : undefined}
      value={value}
      disabled={blocked !== undefined}
      error={fault}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      className={type === 'date' ? styles.day : styles.bound}
      data-testid={`records-${name}`}
    />
  );
}
