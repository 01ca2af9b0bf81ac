import { createStore } from 'zustand/vanilla';

/** The import whose undoing is being asked about; null when nobody asks. */
export const undoImport = createStore<{ readonly batchId: number | null }>()(() => ({ batchId: null }));

export function askToUndoImport(batchId: number | null): void {
  undoImport.setState({ batchId });
}
