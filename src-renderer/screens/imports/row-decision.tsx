import { Button } from '@mantine/core';
import type { ImportOverrule, ImportPreview } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';

type PreviewRow = ImportPreview['rows'][number];

export interface RowDecisions {
  readonly onDecide: (overrule: ImportOverrule) => void;
  readonly onTakeBack: (row: PreviewRow) => void;
  readonly onCorrect: (row: PreviewRow) => void;
  /** Whether the file is imported, so that a row can replace the record with the same id. */
  readonly takesNew?: boolean;
}

/** The decisions that a person can make about a row. */
export function RowDecision({ row, onDecide, onTakeBack, onCorrect }: RowDecisions & { readonly row: PreviewRow }) {
  const place = { row: row.row, occurrence: row.occurrence };
  const [words, act] = row.is_overruled
    ? [say('imports.rowDecision.takeBack'), () => onTakeBack(row)]
    : row.outcome === 'rejected'
      ? [say('imports.rowDecision.correct'), () => onCorrect(row)]
      : row.outcome === 'duplicate'
        ? [say('imports.rowDecision.importAnyway'), () => onDecide({ ...place, action: 'import' })]
        : [say('imports.rowDecision.leaveOut'), () => onDecide({ ...place, action: 'leave_out' })];
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      onClick={act}
      aria-label={say('imports.rowDecision.row', { words, row: row.row })}
      data-testid={`decide-${row.row}`}
    >
      {words}
    </Button>
  );
}
