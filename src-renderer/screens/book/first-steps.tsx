import { Stack, Text } from '@mantine/core';
import { IconFileImport, IconPlus } from '@tabler/icons-react';
import type { Output } from '../../../src-shared/contract/index.ts';
import { PaneHeader } from '../../components/pane-header.tsx';
import { StreamTable } from '../../components/stream-table.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { counted } from '../../format/counts.ts';
import { useNavigation } from '../../state/navigation.ts';
import styles from './home.module.css';
import { ImportButton } from './recent-imports.tsx';

interface FirstStepsProps {
  readonly streams: Output<'book.overview'>['streams'];
  readonly canReconcile: boolean;
}

/** A book with files and no reconciliation: what is here, and what comes next. */
export function FirstSteps({ streams, canReconcile }: FirstStepsProps) {
  const go = useNavigation((state) => state.go);
  const open = useNavigation((state) => state.open);
  const records = streams.reduce((sum, { stream }) => sum + stream.record_count, 0);
  return (
    <div className={styles.steps}>
      <Stack className={styles.hint} align="flex-start" gap="sm">
        <Text fw={600} size="lg">
          {canReconcile ? 'Tie two streams together' : 'One more file, and you can reconcile'}
        </Text>
        <Text c="dimmed">
          {canReconcile
            ? 'A reconciliation puts a ledger beside a bank statement, matches what agrees, and shows what is left on both sides.'
            : 'A reconciliation needs two streams, such as a bank statement and the ledger it should agree with.'}
        </Text>
        {canReconcile ? (
          <WriteButton leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open('new_reconciliation')}>
            New reconciliation
          </WriteButton>
        ) : (
          <WriteButton leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => go({ screen: 'import', streamKey: null })}>
            Import the second file
          </WriteButton>
        )}
      </Stack>
      <section aria-labelledby="streams-heading">
        <PaneHeader title="Streams" id="streams-heading" count={`${counted(streams.length, 'stream')}, ${counted(records, 'record')}`}>
          <ImportButton />
        </PaneHeader>
        <div className={styles.streams}>
          <StreamTable streams={streams} />
        </div>
      </section>
    </div>
  );
}
