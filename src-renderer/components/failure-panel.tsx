import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import type { Failure } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

interface FailurePanelProps {
  readonly title: string;
  readonly failure: Pick<Failure, 'message'>;
  readonly onRetry?: () => void;
}

/** Shows a failure in place of the content that could not be loaded. */
export function FailurePanel({ title, failure, onRetry }: FailurePanelProps) {
  return (
    <Alert color="red" icon={<IconAlertTriangle size={20} aria-hidden />} title={title} data-testid="failure-panel">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{failure.message}</Text>
        {onRetry !== undefined && (
          <Button size="xs" variant="default" leftSection={<IconRefresh size={14} aria-hidden />} onClick={() => onRetry()}>
            {say('common.failurePanel.tryAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

interface FailureAlertProps {
  readonly title: string;
  /** Nothing is rendered when it is null. */
  readonly failure: Failure | null;
}

/** Shows inside a dialog why its command failed. The dialog stays open. */
export function FailureAlert({ title, failure }: FailureAlertProps) {
  if (failure === null) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} aria-hidden />} title={title} role="alert">
      {failure.message}
    </Alert>
  );
}
