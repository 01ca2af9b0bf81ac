import type { UnpublishedImport } from '../../wiping/cleanup.ts';
import type { Share } from '../../worker/write-slices.ts';

/** How long a transaction of rows holds the write lock. */
export const SHARE: Share = { milliseconds: 40, firstRows: 500, fewestRows: 100, mostRows: 8_000 };

/** The ends of indices are written again with each transaction: the log takes up many before the book does. */
export const ROWS_PER_CHECKPOINT = 200_000;

/** Rows go to the ends of indices, and into lists in their order: few pages are needed again. */
export const IMPORT_CACHE_KIB = 16_384;

/** A batch that is being written. */
export type Opened = UnpublishedImport;
