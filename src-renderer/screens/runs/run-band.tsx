import { Button, Progress, Text } from '@mantine/core';
import type { JobProgress } from '../../api/follow-job.ts';
import { countText } from '../../format/counts.ts';
import { plainWords } from '../../format/words.ts';
import styles from '../reconciliations/reconciliation.module.css';
import { say } from '../../../src-shared/words/say.ts';

interface RunBandProps {
  readonly progress: JobProgress;
  /** Who or what started the run; null when it was the user. */
  readonly origin: string | null;
  readonly onCancel: () => void;
}

/** The running run: its phase, its progress, and a cancel button. */
export function RunBand({ progress, origin, onCancel }: RunBandProps) {
  const phase = progress.phase === '' ? say('runs.runBand.running') : plainWords(progress.phase);
  return (
    <div className={styles.runBand} data-testid="run-progress">
      <Text size="sm" fw={560} aria-live="polite" miw="9rem" component="div">
        {phase}
        {origin !== null && (
          <Text size="xs" c="dimmed" fw={400} data-testid="run-origin">
            {origin}
          </Text>
        )}
      </Text>
      <Progress value={Math.max(progress.progress, 1)} flex={1} miw="6rem" aria-label={say('runs.runBand.progressOfTheRun')} animated />
      <Text size="sm" c="dimmed" className="tabular">
        {progress.progress} %
        {progress.total > 0 && say('runs.runBand.of', { processed: countText(progress.processed), total: countText(progress.total) })}
      </Text>
      <Button variant="default" size="xs" onClick={onCancel} data-testid="run-cancel">
        {say('runs.runBand.cancel')}
      </Button>
    </div>
  );
}
