import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type ItemStatus, STATUS_WORDS } from '../../format/close-words.ts';
import styles from './open-items.module.css';

interface StatusCellProps {
  readonly status: ItemStatus;
  readonly name: string;
  readonly isOpen: boolean;
  readonly tabIndex: number;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly onChange: (status: ItemStatus) => void;
}

/** What the item is held to be, by a menu. */
export function StatusCell({ status, name, isOpen, tabIndex, onOpen, onClose, onChange }: StatusCellProps) {
  return (
    <Menu
      opened={isOpen}
      onChange={(opened) => (opened ? onOpen() : onClose())}
      position="bottom-start"
      width={170}
      shadow="md"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button
          type="button"
          className={styles.cell}
          tabIndex={tabIndex}
          aria-label={`Status of ${name}: ${STATUS_WORDS[status]}`}
          data-testid="item-status"
        >
          {STATUS_WORDS[status]}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(STATUS_WORDS) as ItemStatus[]).map((each) => (
          <Menu.Item
            key={each}
            leftSection={<IconCheck size={14} aria-hidden style={{ visibility: each === status ? 'visible' : 'hidden' }} />}
            onClick={() => onChange(each)}
            aria-current={each === status || undefined}
            data-autofocus={each === status || undefined}
            data-testid={`status-${each}`}
          >
            {STATUS_WORDS[each]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
