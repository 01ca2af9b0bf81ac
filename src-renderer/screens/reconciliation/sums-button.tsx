import { Button, Popover } from '@mantine/core';
import { IconSum } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { KeyHint } from '../../components/key-hint.tsx';
import { selection } from '../../state/selection.ts';
import { SumsPanel } from './sums-panel.tsx';

interface SumsButtonProps {
  readonly reconciliationId: number;
  readonly isOpen: boolean;
  readonly onOpen: (open: boolean) => void;
}

/** Finds the open lines that make up what is missing; picking them leaves the match to its own button. */
export function SumsButton({ reconciliationId, isOpen, onOpen }: SumsButtonProps) {
  const { a, b } = useStore(selection);
  return (
    <Popover
      opened={isOpen}
      onChange={onOpen}
      onDismiss={() => onOpen(false)}
      position="top-end"
      width={520}
      trapFocus
      returnFocus
      withArrow
      shadow="md"
      radius="lg"
    >
      <Popover.Target>
        <Button
          size="sm"
          variant="default"
          leftSection={<IconSum size={16} aria-hidden />}
          rightSection={<KeyHint keys="F" />}
          onClick={() => onOpen(!isOpen)}
          aria-keyshortcuts="F"
          data-testid="sums-button"
        >
          Find what adds up
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Find what adds up" p="md">
        {isOpen && (
          <SumsPanel
            reconciliationId={reconciliationId}
            recordIds={[...a, ...b].map((line) => line.id)}
            onPick={({ side, records }) => {
              onOpen(false);
              selection.getState().add(side, records);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}
