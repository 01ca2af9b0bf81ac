import { Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core';

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

const SECTIONS: readonly { readonly title: string; readonly keys: readonly (readonly [readonly string[], string])[] }[] = [
  {
    title: 'Everywhere',
    keys: [
      [
        [MOD, 'Z'],
        'Undo the last match, unmatch, confirmation, deleted rule or bank account, or import, or that lines may be matched again',
      ],
      [['H'], 'Home'],
      [['I'], 'Import a file'],
      [[MOD, ','], 'Settings'],
      [['?'], 'Show this help'],
      [['Esc'], 'Close what is open'],
    ],
  },
  {
    title: 'At home',
    keys: [
      [['↑', '↓', 'J', 'K'], 'Move between reconciliations'],
      [['Enter'], 'Open the reconciliation'],
      [['C'], 'Open its close'],
      [['/'], 'Search by name, where there are many'],
    ],
  },
  {
    title: 'In a reconciliation',
    keys: [
      [[MOD, 'Enter'], 'Run'],
      [['1'], 'Open lines'],
      [['2'], 'Proposed matches'],
      [['3'], 'Matched'],
      [['4'], 'Rules'],
      [['5'], 'Runs'],
      [['6'], 'Evidence'],
      [['7'], 'Close the month'],
      [['E'], 'Edit the reconciliation'],
      [['/'], 'Search side A'],
    ],
  },
  {
    title: 'In the records',
    keys: [
      [['↑', '↓'], 'Move between lines, each shown in full'],
      [['/'], 'Search all lines'],
      [['Esc'], 'Close the line'],
    ],
  },
  {
    title: 'In a close',
    keys: [
      [['↑', '↓'], 'Move between open items, as J and K do'],
      [['Enter'], 'Show the causes of an item, or the lines behind a figure'],
      [['N'], 'Comment on the item'],
      [['T'], 'Status of the item'],
      [['O'], 'Owner of the item, in the table'],
      [['X'], 'Day on which it is expected, in the table'],
      [['P'], 'Close pack'],
    ],
  },
  {
    title: 'In a sync',
    keys: [
      [[MOD, 'Enter'], 'Sync'],
      [[MOD, '.'], 'Cancel the sync'],
      [['1', '2', '3'], 'Choose in what is to decide; of accounts that may be the same, two or one'],
      [['L'], 'Decide later'],
      [['J', 'K'], 'Next and previous difference'],
      [['E'], 'Show the line, match or rule in its place'],
      [['V'], 'Verify that both sides agree'],
      [['R'], 'Repair what differs; while there is no network, try now'],
    ],
  },
  {
    title: 'In the lists',
    keys: [
      [['↑', '↓'], 'Move between lines'],
      [['Space'], 'Select a line'],
      [['M'], 'Match the selected lines; where they differ, say what becomes of the difference'],
      [['F'], 'Find the open lines that make the difference 0'],
      [['C'], 'Confirm the proposal shown; where it differs, say what becomes of the difference'],
      [['X'], 'Reject the proposal shown, or unmatch'],
      [['T'], 'What was taken apart, and back'],
    ],
  },
];

export function KeyboardHelp({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Keyboard" size="md" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="lg">
        {SECTIONS.map((section) => (
          <Stack key={section.title} gap={6}>
            <Title order={3} c="dimmed" size="sm">
              {section.title}
            </Title>
            {section.keys.map(([keys, meaning]) => (
              <Group key={meaning} justify="space-between" wrap="nowrap">
                <Text size="sm">{meaning}</Text>
                <Group gap={4} wrap="nowrap">
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Group>
            ))}
          </Stack>
        ))}
      </Stack>
    </Modal>
  );
}
