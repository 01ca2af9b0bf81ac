import { useCommand } from '../../api/use-query.ts';
import { WriteButton } from '../../components/writing.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import type { ListedRow } from '../../state/row-decisions.ts';

interface TakeNewProps {
  readonly row: ListedRow;
  readonly recordId: number;
}

/** Puts what the file says now in the place of the line that has the same id, which must not be matched. */
export function TakeNew({ row, recordId }: TakeNewProps) {
  const update = useCommand('records.update', (failure) => notifyFailure('The line stays as it is', failure));
  const { date, amount, direction, description } = row;
  if (date === null || amount === null || direction === null) return null;
  return (
    <WriteButton
      variant="light"
      size="compact-xs"
      loading={update.isRunning}
      onClick={() => void update.run({ id: recordId, date, amount, direction, description })}
      aria-label={`Take the new one: row ${row.row}`}
      data-testid={`take-new-${row.row}`}
    >
      Take the new one
    </WriteButton>
  );
}
