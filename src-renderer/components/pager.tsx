import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { countText } from '../format/counts.ts';
import styles from './page.module.css';

interface PagerProps {
  /** Plural noun of the list: `items`. */
  readonly what: string;
  readonly page: number;
  readonly count: number;
  /** Items on one page. */
  readonly size: number;
  readonly onPage: (page: number) => void;
}

/** Moves between the pages of a long list. */
export function Pager({ what, page, count, size, onPage }: PagerProps) {
  const last = Math.min(count, (page + 1) * size);
  return (
    <div className={styles.pager} data-testid={`${what}-pager`}>
      <ActionIcon
        variant="default"
        aria-label={`Earlier ${what}`}
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
        data-testid={`earlier-${what}`}
      >
        <IconChevronLeft size={15} aria-hidden />
      </ActionIcon>
      <span aria-live="polite">
        {countText(page * size + 1)} to {countText(last)} of {countText(count)}
      </span>
      <ActionIcon
        variant="default"
        aria-label={`Later ${what}`}
        disabled={last >= count}
        onClick={() => onPage(page + 1)}
        data-testid={`later-${what}`}
      >
        <IconChevronRight size={15} aria-hidden />
      </ActionIcon>
    </div>
  );
}
