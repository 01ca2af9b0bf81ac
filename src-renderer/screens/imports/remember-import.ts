import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { counted } from '../../format/counts.ts';
import { undoStack } from '../../state/undo-stack.ts';

/** What went in can be taken back by the undo of the window. */
export function rememberImport({ batch_id: batchId, kept }: ImportResult): void {
  if (batchId === null) return;
  undoStack.getState().push({ kind: 'remove_import', targetId: batchId, label: `import of ${counted(kept, 'record')}` });
}
