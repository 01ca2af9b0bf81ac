import { Button, Popover, Text } from '@mantine/core';
import { IconSum } from '@tabler/icons-react';
import { useStore } from 'zustand';
import { KeyHint } from '../../components/key-hint.tsx';
import { selection } from '../../state/selection.ts';
import { SumsPanel } from './sums-panel.tsx';
import { ABOVE_THE_BAR } from './above-the-bar.ts';

interface SumsButtonProps {
  readonly reconciliationId: number;
  readonly isOpen: boolean;
  readonly onOpen: (open: boolean) => void;
}

const NAME = 'Find what adds up';

/** Finds the open lines that make up what is missing; picking them leaves the match to its own button. */
export function SumsButton({ reconciliationId, isOpen, onOpen }: SumsButtonProps) {
  const { a, b } = useStore(selection);
  return (
    <Popover {...ABOVE_THE_BAR} opened={isOpen} onChange={onOpen} onDismiss={() => onOpen(false)} width={520}>
      <Popover.Target>
        <Button
          size="sm"
          variant="default"
          leftSection={<IconSum size={16} aria-hidden />}
          rightSection={<KeyHint keys="F" />}
          onClick={() => onOpen(!isOpen)}
          aria-label={NAME}
          title={NAME}
          aria-keyshortcuts="F"
          data-testid="sums-button"
        >
          <Text span inherit visibleFrom="lg">
            {NAME}
          </Text>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={NAME} p="md">
        <SumsPanel
          reconciliationId={reconciliationId}
          recordIds={[...a, ...b].map((line) => line.id)}
          onPick={({ side, records }) => {
            onOpen(false);
            selection.getState().add(side, records);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
