import { VisuallyHidden } from '@mantine/core';
import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import styles from './figure-table.module.css';
import { classes } from './primitives.tsx';

export interface Column {
  /** The heading. A table without any heading has no head. */
  readonly head?: ReactNode;
  /** Names a column without a heading for screen readers. */
  readonly label?: string;
  /** The tooltip of the heading. */
  readonly title?: string | undefined;
  /** Whether the cells are figures, so that the heading is aligned right. The cells themselves have the class `amount`. */
  readonly isFigure?: boolean;
  /** In pixels, or as CSS. Columns without a width share what the others leave. */
  readonly width?: number | string;
  /** The width in a room below 1180 px, if it is another one. */
  readonly narrow?: number | string;
  /** The width in a room of 1380 px and more, if it is another one. */
  readonly wide?: number | string;
  /** Class of the column and its heading, for rules that hide it. */
  readonly className?: string | undefined;
}

interface FigureTableProps extends ComponentProps<'table'> {
  readonly columns: readonly Column[];
  /** Takes the place of the headings of the columns, for a head of several rows. */
  readonly head?: ReactNode;
  /** Whether texts wrap. Otherwise a row has one line, and a text that does not fit ends with dots; the caller gives it as tooltip. */
  readonly isWrapping?: boolean;
  /** Whether columns are as wide as their cells, as far as they fit. */
  readonly isFitted?: boolean;
  /** Whether the head stays while the body scrolls. */
  readonly isSticky?: boolean;
}

const size = (width: number | string | undefined): string | undefined => (typeof width === 'number' ? `${width}px` : width);

/**
 * The table for lines and figures. The caller gives the columns and the bodies (`tbody`, `tfoot`); a cell of class `amount` is a figure, one of class
 * `wrap` has several lines, one of class `rest` takes what the other columns of a fitted table leave, a row with `data-total` is a sum. The first and the last column keep the distance of the pane from its edges.
 */
export function FigureTable({
  columns,
  head,
  isWrapping = false,
  isFitted = false,
  isSticky = false,
  className,
  children,
  ...rest
}: FigureTableProps) {
  const hasHeads = columns.some((column) => column.head !== undefined);
  return (
    <table
      className={classes(styles.table, className)}
      data-wrapping={isWrapping || undefined}
      data-fitted={isFitted || undefined}
      data-sticky={isSticky || undefined}
      {...rest}
    >
      <colgroup>
        {columns.map(({ width, narrow, wide, className: name }, place) => (
          <col
            // oxlint-disable-next-line react/no-array-index-key -- a column has no name but its place
            key={place}
            className={name}
            style={{ '--col': size(width), '--col-narrow': size(narrow), '--col-wide': size(wide) } as CSSProperties}
          />
        ))}
      </colgroup>
      {head}
      {head === undefined && hasHeads && (
        <thead>
          <tr>
            {columns.map((column, place) => (
              <th
                // oxlint-disable-next-line react/no-array-index-key -- a column has no name but its place
                key={place}
                scope="col"
                title={column.title ?? (typeof column.head === 'string' ? column.head : undefined)}
                className={classes(column.isFigure && 'amount', column.className)}
              >
                {column.head}
                {column.head === undefined && column.label !== undefined && <VisuallyHidden>{column.label}</VisuallyHidden>}
              </th>
            ))}
          </tr>
        </thead>
      )}
      {children}
    </table>
  );
}

interface TableFrameProps extends ComponentProps<'div'> {
  /** The least width of the table in pixels. In a narrower room it scrolls. */
  readonly least: number;
  /** The greatest height in pixels, or as CSS. A longer table scrolls. */
  readonly highest?: number | string;
}

/** Scrolls the one `FigureTable` in it. A frame that the keyboard should reach has `tabIndex` and `aria-label`. */
export function TableFrame({ least, highest, className, children, ...rest }: TableFrameProps) {
  return (
    <div
      className={classes(styles.frame, className)}
      style={{ '--least': size(least), '--highest': size(highest) } as CSSProperties}
      {...rest}
    >
      {children}
    </div>
  );
}
