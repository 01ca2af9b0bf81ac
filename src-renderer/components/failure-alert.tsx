import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Failure } from '../../src-shared/contract/index.ts';

interface FailureAlertProps {
  /** What did not happen. */
  readonly title: string;
  /** Nothing is shown without one. */
  readonly failure: Failure | null;
}

/** Says in a dialog why what it asked for did not happen; the dialog stays. */
export function FailureAlert({ title, failure }: FailureAlertProps) {
  if (failure === null) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} aria-hidden />} title={title} role="alert">
      {failure.message}
    </Alert>
  );
}
