export interface GridRow {
  /** Line of the file where the row begins, from 1. */
  readonly row: number;
  /** Cells, trimmed. */
  readonly cells: readonly string[];
  /** True where neither a line end nor the file's end closes the row: it may be cut off there. */
  readonly isTorn?: true;
}
