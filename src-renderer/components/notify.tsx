import { Button, Group, Text } from '@mantine/core';
import { type NotificationData, notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react';
import type { Failure } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

const DONE_MS = 6_000;
/** A failure stays longer than a success, for it is read whole. Hovering keeps it. */
const FAILURE_MS = 15_000;
/** The notification of the last success. Only the newest is visible; failures stay beside it. */
let shownDone: string | null = null;

/** Shows the service's message for a while, or until the user closes it. */
export function notifyFailure(title: string, failure: Pick<Failure, 'message'>): void {
  const shown: NotificationData & Readonly<Record<'data-testid', string>> = {
    // A repeated failure has the same id and is shown once.
    id: `${title} ${failure.message}`,
    title,
    message: failure.message,
    color: 'red',
    icon: <IconAlertTriangle size={18} aria-hidden />,
    autoClose: FAILURE_MS,
    withBorder: true,
    role: 'alert',
    closeButtonProps: { 'aria-label': say('common.notify.closeThisMessage') },
    'data-testid': 'error-notification',
  };
  notifications.show(shown);
}

/** Says why a key or a button did nothing. */
export function notifyIdle(title: string): void {
  notifications.show({
    id: title,
    message: title,
    color: 'gray',
    icon: <IconInfoCircle size={18} aria-hidden />,
    autoClose: DONE_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': say('common.notify.closeThisMessage') },
  });
}

/** Confirms a success, with an undo button when `onUndo` is given. */
export function notifyDone(title: string, onUndo?: () => void): void {
  if (shownDone !== null) notifications.hide(shownDone);
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap" gap="md">
        <Text size="sm">{title}</Text>
        {onUndo !== undefined && (
          <Button
            size="compact-sm"
            variant="light"
            style={{ flexShrink: 0 }}
            onClick={() => {
              notifications.hide(id);
              onUndo();
            }}
          >
            {say('common.notify.undo')}
          </Button>
        )}
      </Group>
    ),
    color: 'pine',
    icon: <IconCheck size={18} aria-hidden />,
    autoClose: DONE_MS,
    withBorder: true,
    closeButtonProps: { 'aria-label': say('common.notify.closeThisMessage') },
  });
  shownDone = id;
}
