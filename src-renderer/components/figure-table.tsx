import type { ComponentProps, CSSProperties, ReactNode } from 'react';
import styles from './figure-table.module.css';
import { classes } from './primitives.tsx';

export interface Column {
  /** The heading. A table without any heading has no head. */
  readonly head?: ReactNode;
  /** The tooltip of the heading. */
  readonly title?: string | undefined;
  /** Whether the cells are figures, so that the heading stands at the right. The cells themselves have the class `amount`. */
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
}

const size = (width: number | string | undefined): string | undefined => (typeof width === 'number' ? `${width}px` : width);

/**
 * The table for lines and figures. The caller gives the columns and the bodies (`tbody`, `tfoot`); a cell of class `amount` is a figure, one of class
 * `wrap` has several lines, a row with `data-total` is a sum. The first and the last column keep the distance of the pane from its edges.
 */
export function FigureTable({ columns, head, isWrapping = false, isFitted = false, className, children, ...rest }: FigureTableProps) {
  const hasHeads = columns.some((column) => column.head !== undefined);
  return (
    <table
      className={classes(styles.table, className)}
      data-wrapping={isWrapping || undefined}
      data-fitted={isFitted || undefined}
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
              // oxlint-disable-next-line react/no-array-index-key -- a column has no name but its place
              <th key={place} scope="col" title={column.title} className={classes(column.isFigure && 'amount', column.className)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
      )}
      {children}
    </table>
  );
}
