import { Radio, Stack } from '@mantine/core';
import type { ImportResult } from '../../../src-shared/contract/index.ts';
import styles from './import.module.css';
import type { ImportProcess } from './use-import.ts';

interface BatchLinesProps {
  readonly batches: NonNullable<ImportResult['batches']>;
  readonly process: ImportProcess;
}

/** What becomes of entries that hold several transactions; the stream keeps it when the file goes in. */
export function BatchLines({ batches: { entries, parts, lines }, process }: BatchLinesProps) {
  const holds = entries === 1 ? `One entry holds ${parts} transactions` : `${entries} entries hold ${parts} transactions`;
  return (
    <Radio.Group
      label={`${holds}, which add up to ${entries === 1 ? 'it' : 'them'}`}
      description="The stream keeps this for its next files. What is in the stream stays as it is, and nothing goes in twice."
      className={styles.choiceOfFile}
      value={lines}
      onChange={(value) => process.readBy({ answers: { batch_lines: value === 'parts' ? 'parts' : 'entry' } })}
      data-testid="batch-lines"
    >
      <Stack gap="xs" mt="xs">
        <Radio value="entry" label="One line for each entry, which names its transactions" data-testid="batch-lines-entry" />
        <Radio value="parts" label="A line for each transaction" data-testid="batch-lines-parts" />
      </Stack>
    </Radio.Group>
  );
}
