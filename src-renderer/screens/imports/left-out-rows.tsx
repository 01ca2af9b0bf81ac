import { Button, Group, SegmentedControl, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { ImportOverrule, ImportResult } from '../../../src-shared/contract/index.ts';
import { counted, countText } from '../../format/counts.ts';
import { withDecision, withoutDecision } from '../../state/row-decisions.ts';
import styles from './import.module.css';
import { KeptRows } from './kept-rows.tsx';
import { RowsPager } from './rows-pager.tsx';
import type { ImportProcess } from './use-import.ts';

type Shown = 'skipped' | 'rejected' | 'kept';

interface LeftOutRowsProps {
  readonly process: ImportProcess;
  readonly result: ImportResult;
}

/** The rows of an import by what became of them, all of them page by page; those that did not go in can be imported all the same. */
export function LeftOutRows({ process, result }: LeftOutRowsProps) {
  const [decided, setDecided] = useState<readonly ImportOverrule[]>([]);
  const { skipped, rejected, kept, batch_id: batchId } = result;
  const views = [
    ...(skipped === 0 ? [] : [{ value: 'skipped', label: `Skipped (${countText(skipped)})` }]),
    ...(rejected === 0 ? [] : [{ value: 'rejected', label: `Not readable (${countText(rejected)})` }]),
    ...(kept === 0 || batchId === null ? [] : [{ value: 'kept', label: `Imported (${countText(kept)})` }]),
  ];
  const [chosen, setChosen] = useState(views[0]?.value);
  const { jobId, file } = process.flow;
  if (views.length === 0 || jobId === null) return null;
  const decisions = {
    takesNew: true,
    onDecide: (overrule: ImportOverrule) => setDecided((before) => withDecision(before, overrule)),
    onTakeBack: (row: Pick<ImportOverrule, 'row' | 'occurrence'>) => setDecided((before) => withoutDecision(before, row)),
  };
  return (
    <section aria-labelledby="left-out-heading" data-testid="left-out-rows">
      <div className={styles.headingRow}>
        <Title order={3} id="left-out-heading">
          {skipped + rejected === 0 ? 'Rows' : `${counted(skipped + rejected, 'row')} not taken in`}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Rows on show"
          data={views}
          value={chosen ?? ''}
          onChange={setChosen}
          data-testid="rows-view"
        />
      </div>
      {chosen === 'kept' && batchId !== null ? (
        <KeptRows batchId={batchId} kept={kept} />
      ) : (
        <RowsPager
          key={chosen}
          label="Rows not taken in"
          jobId={jobId}
          outcome={asOutcome(chosen)}
          currency={result.currency}
          pending={decided}
          decisions={file === null ? null : decisions}
        />
      )}
      {decided.length > 0 && (
        <Group mt="sm" gap="sm">
          <Button loading={process.isDeciding} onClick={() => void process.importDecided(decided)} data-testid="import-decided">
            Import {counted(decided.length, 'row')} all the same
          </Button>
          <Button variant="subtle" color="gray" onClick={() => setDecided([])}>
            Leave them out
          </Button>
          <Text size="sm" c="dimmed">
            They go in as an import of their own.
          </Text>
        </Group>
      )}
    </section>
  );
}

function asOutcome(shown: string | undefined): Exclude<Shown, 'kept'> {
  return shown === 'rejected' ? 'rejected' : 'skipped';
}
