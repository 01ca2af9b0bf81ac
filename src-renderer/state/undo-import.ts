import { createStore } from 'zustand/vanilla';

/** The import that the undo dialog asks about; null when it is closed. */
export const undoImport = createStore<{ readonly batchId: number | null }>()(() => ({ batchId: null }));

export function askToUndoImport(batchId: number | null): void {
  undoImport.setState({ batchId });
}
