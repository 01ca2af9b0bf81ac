export interface GridRow {
  /** Line of the file where the row begins, from 1. */
  readonly row: number;
  /** Cells, trimmed. */
  readonly cells: readonly string[];
  /** Nothing ends the row, and the file neither: it may be cut off there. */
  readonly isTorn?: true;
}
