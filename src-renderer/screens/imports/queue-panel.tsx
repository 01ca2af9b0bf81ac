import { Badge, Button, Group, Progress, Table, Text, Title } from '@mantine/core';
import { counted } from '../../format/counts.ts';
import { progressText } from '../../format/job-words.ts';
import { isWorking, type QueueLine, shareOfQueue } from '../../state/import-queue.ts';
import styles from './import.module.css';
import type { ImportQueue } from './use-import-queue.ts';

const STATES: Readonly<Record<QueueLine['state'], { readonly color: string; readonly label: string }>> = {
  waiting: { color: 'gray', label: 'Waiting' },
  reading: { color: 'blue', label: 'Reading' },
  importing: { color: 'blue', label: 'Importing' },
  done: { color: 'pine', label: 'Imported' },
  look: { color: 'orange', label: 'To look at' },
  failed: { color: 'red', label: 'Not read' },
  cancelled: { color: 'gray', label: 'Cancelled' },
  opened: { color: 'gray', label: 'Opened' },
};

interface QueuePanelProps {
  readonly queue: ImportQueue;
  readonly onOpen: (line: QueueLine) => void;
}

/** Several files, with a line for each of what came of it. */
export function QueuePanel({ queue, onOpen }: QueuePanelProps) {
  const { lines, progress } = queue;
  const isBusy = isWorking(lines);
  const done = lines.filter(({ state }) => state === 'done').length;
  return (
    <section aria-labelledby="queue-heading" data-testid="import-queue">
      <div className={styles.headingRow}>
        <Title order={2} id="queue-heading" aria-live="polite">
          {done} of {counted(lines.length, 'file')} imported
        </Title>
        {isBusy ? (
          <Button variant="default" size="xs" onClick={queue.cancel} data-testid="queue-cancel">
            Cancel the rest
          </Button>
        ) : (
          <Button variant="subtle" size="compact-sm" onClick={queue.clear} data-testid="queue-clear">
            Clear the list
          </Button>
        )}
      </div>
      {isBusy && <UnderWay lines={lines} progress={progress} />}
      <div className={`card ${styles.table}`}>
        <Table.ScrollContainer minWidth={480} maxHeight={320} type="native" tabIndex={0} aria-label="Files">
          <Table verticalSpacing={6}>
            <Table.Tbody>
              {lines.map((line, index) => (
                <Table.Tr key={line.file.token} data-testid={`queue-line-${index}`}>
                  <Table.Td className={styles.queueFile}>{line.file.name}</Table.Td>
                  <Table.Td>
                    <Text size="sm">{line.words}</Text>
                  </Table.Td>
                  <Table.Td>
                    <Group gap="xs" justify="flex-end" wrap="nowrap">
                      <Badge color={STATES[line.state].color}>{STATES[line.state].label}</Badge>
                      {line.state === 'look' && (
                        <Button
                          size="compact-xs"
                          disabled={isBusy}
                          aria-label={`Open ${line.file.name}`}
                          onClick={() => {
                            queue.open(index);
                            onOpen(line);
                          }}
                          data-testid={`queue-open-${index}`}
                        >
                          Open
                        </Button>
                      )}
                    </Group>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
    </section>
  );
}

/** One bar for all files, and how far the one under way is. */
function UnderWay({ lines, progress }: Pick<ImportQueue, 'lines' | 'progress'>) {
  const current = lines.find(({ state }) => state === 'reading' || state === 'importing');
  return (
    <div>
      <Progress value={Math.max(shareOfQueue(lines, progress?.progress ?? 0), 2)} animated aria-label="All files" mb={6} />
      <Text size="sm" c="dimmed" className={styles.wrapping} mb="xs" data-testid="queue-progress">
        {current?.file.name ?? ''}
        {progress !== null && `: ${progressText(progress)}`}
      </Text>
    </div>
  );
}
