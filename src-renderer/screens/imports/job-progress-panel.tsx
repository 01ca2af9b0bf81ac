import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { JobProgress } from '../../api/follow-job.ts';
import { progressText } from '../../format/job-words.ts';

interface JobProgressPanelProps {
  readonly title: string;
  readonly progress: JobProgress | null;
  readonly onCancel: () => void;
}

/** A job that is being waited for. */
export function JobProgressPanel({ title, progress, onCancel }: JobProgressPanelProps) {
  const percent = progress?.progress ?? 0;
  return (
    <Stack className="card" p="xl" gap="sm" data-testid="import-progress">
      <Group justify="space-between" wrap="nowrap">
        <Text fw={560} className="truncate">
          {title}
        </Text>
        <Button variant="default" size="xs" onClick={onCancel} data-testid="import-cancel">
          Cancel
        </Button>
      </Group>
      <Progress value={Math.max(percent, 2)} animated={percent < 100} aria-label={title} />
      <Text size="sm" c="dimmed" aria-live="polite" className="tabular">
        {progress === null ? 'Starting' : progressText(progress)}
      </Text>
    </Stack>
  );
}
