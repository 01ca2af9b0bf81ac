import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Failure } from '../../src-shared/contract/index.ts';

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
