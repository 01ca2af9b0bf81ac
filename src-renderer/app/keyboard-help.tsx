import { Anchor, Group, Kbd, Modal, Stack, Text, Title } from '@mantine/core';
import { useNavigation } from '../state/navigation.ts';
import { guideAddress } from '../state/places.ts';
import { say } from '../../src-shared/words/say.ts';
import type { Place } from '../state/places.ts';

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

interface Section {
  readonly title: string;
  /** The part of the window in which the keys work. */
  readonly screens: 'all' | readonly Place['screen'][];
  readonly keys: readonly (readonly [readonly string[], string])[];
}

export const SECTIONS: readonly Section[] = [
  {
    title: say('shell.keyboardHelp.everywhere'),
    screens: 'all',
    keys: [
      [[MOD, 'K'], say('shell.palette.title')],
      [[MOD, 'Z'], say('shell.keyboardHelp.undoTheLastMatch')],
      [[MOD, 'Shift', 'Z'], say('shell.keyboardHelp.doItAgain')],
      [['H'], 'Home'],
      [['I'], say('shell.keyboardHelp.importAFile')],
      [[MOD, ','], say('shell.keyboardHelp.settings')],
      [[MOD, 'O'], say('book.books.openTitle')],
      [['?'], say('shell.keyboardHelp.showThisHelp')],
      [['F1'], say('shell.keyboardHelp.openTheGuide')],
      [['Esc'], say('shell.keyboardHelp.closeWhatIsOpen')],
    ],
  },
  {
    title: say('shell.keyboardHelp.atHome'),
    screens: ['book'],
    keys: [
      [['↑', '↓', 'J', 'K'], say('shell.keyboardHelp.moveBetweenReconciliations')],
      [['Enter'], say('shell.keyboardHelp.openTheReconciliation')],
      [['C'], say('shell.keyboardHelp.openItsClose')],
      [['/'], say('shell.keyboardHelp.searchByNameWhereThereAreMany')],
      [[MOD, 'Enter'], say('shell.keyboardHelp.reconcileTheTwoFiles')],
    ],
  },
  {
    title: say('shell.keyboardHelp.inAReconciliation'),
    screens: ['reconciliation'],
    keys: [
      [[MOD, 'Enter'], say('shell.keyboardHelp.run')],
      [['1'], say('shell.keyboardHelp.openLines')],
      [['2'], say('shell.keyboardHelp.proposedMatches')],
      [['3'], say('shell.keyboardHelp.matched')],
      [['4'], say('shell.keyboardHelp.rules')],
      [['5'], say('shell.keyboardHelp.runs')],
      [['6'], say('shell.keyboardHelp.evidence')],
      [['7'], say('shell.keyboardHelp.closeTheMonth')],
      [['E'], say('shell.keyboardHelp.editTheReconciliation')],
      [['G', '1–7'], say('shell.keyboardHelp.theSameWhileDigitsTakeSuggestions')],
      [['/'], say('shell.keyboardHelp.searchSideInUse')],
      [['S'], say('shell.keyboardHelp.foldTheSummary')],
    ],
  },
  {
    title: say('shell.keyboardHelp.inTheRecords'),
    screens: ['records'],
    keys: [
      [['↑', '↓'], say('shell.keyboardHelp.moveBetweenLinesEachShownInFull')],
      [['/'], say('shell.keyboardHelp.searchAllLines')],
      [['V'], say('shell.keyboardHelp.views')],
      [['Esc'], say('shell.keyboardHelp.closeTheLine')],
    ],
  },
  {
    title: say('shell.keyboardHelp.inTheHistory'),
    screens: ['history'],
    keys: [
      [['/'], say('shell.keyboardHelp.searchTheHistory')],
      [['V'], say('shell.keyboardHelp.views')],
    ],
  },
  {
    title: say('shell.keyboardHelp.inTheSettings'),
    screens: ['settings'],
    keys: [[['/'], say('book.settings.findASetting')]],
  },
  {
    title: say('shell.keyboardHelp.onAPlaceOfARule'),
    screens: ['reconciliation'],
    keys: [
      [['Alt ↑', 'Alt ↓'], say('shell.keyboardHelp.moveTheRule')],
      [['↑', '↓'], say('shell.keyboardHelp.moveBetweenRules')],
      [['Space'], say('shell.keyboardHelp.pauseTheRule')],
      [['E', 'Enter'], say('shell.keyboardHelp.editTheRule')],
      [['D', 'Del'], say('shell.keyboardHelp.copyTheRule')],
    ],
  },
  {
    title: say('shell.keyboardHelp.inAnAccount'),
    screens: ['account'],
    keys: [[['B'], say('shell.keyboardHelp.enterABalance')]],
  },
  {
    title: say('shell.keyboardHelp.inTheExceptions'),
    screens: ['exceptions'],
    keys: [
      [['↑', '↓'], say('shell.keyboardHelp.moveBetweenExceptions')],
      [['Enter'], say('shell.keyboardHelp.showTheException')],
      [['Space'], say('shell.keyboardHelp.selectIt')],
      [['Shift ↑', 'Shift ↓'], say('shell.keyboardHelp.extendTheSelection')],
      [[MOD, 'A'], say('shell.keyboardHelp.selectAllThatTheFilterShows')],
      [['/'], say('shell.keyboardHelp.searchTheExceptions')],
      [['V'], say('shell.keyboardHelp.views')],
      [['Esc'], say('shell.keyboardHelp.closeTheException')],
    ],
  },
  {
    title: say('shell.keyboardHelp.inAClose'),
    screens: ['close'],
    keys: [
      [['1'], say('shell.keyboardHelp.openLines')],
      [['4'], say('shell.keyboardHelp.rules')],
      [['5'], say('shell.keyboardHelp.runs')],
      [['/'], say('shell.keyboardHelp.searchTheOpenItems')],
      [['Space'], say('shell.keyboardHelp.selectAnItem')],
      [['Shift ↑', 'Shift ↓'], say('shell.keyboardHelp.extendTheSelection')],
      [[MOD, 'A'], say('shell.keyboardHelp.selectAllThatTheFilterShows')],
      [['↑', '↓', 'J', 'K'], say('shell.keyboardHelp.moveBetweenOpenItems')],
      [['Enter'], say('shell.keyboardHelp.showTheCausesOfAnItem')],
      [['N'], say('shell.keyboardHelp.commentOnTheItem')],
      [['T'], say('shell.keyboardHelp.statusOfTheItem')],
      [['O'], say('shell.keyboardHelp.ownerOfTheItem')],
      [['X'], say('shell.keyboardHelp.dayOnWhichItIsExpected')],
      [['W'], say('shell.keyboardHelp.goToWhatIsNext')],
      [['P'], say('shell.keyboardHelp.closePack')],
    ],
  },
  {
    title: say('shell.keyboardHelp.inASync'),
    screens: ['sync'],
    keys: [
      [[MOD, 'Enter'], say('shell.keyboardHelp.sync')],
      [[MOD, '.'], say('shell.keyboardHelp.cancelTheSync')],
      [['1', '2', '3'], say('shell.keyboardHelp.chooseInWhatIsToDecide')],
      [['L'], say('shell.keyboardHelp.decideLater')],
      [['J', 'K'], say('shell.keyboardHelp.nextAndPreviousDifference')],
      [['E'], say('shell.keyboardHelp.showTheLineMatch')],
      [['V'], say('shell.keyboardHelp.verifyThatBothSides')],
      [['R'], say('shell.keyboardHelp.repairWhatDiffersWhileThereIsNoNetwork')],
    ],
  },
  {
    title: say('shell.keyboardHelp.inTheLists'),
    screens: ['reconciliation'],
    keys: [
      [['↑', '↓', 'J', 'K'], say('shell.keyboardHelp.moveBetweenLines')],
      [['←', '→', 'F6'], say('shell.keyboardHelp.changeTheSide')],
      [['Shift ↑', 'Shift ↓'], say('shell.keyboardHelp.extendTheSelection')],
      [['Enter'], say('matches.lineMenu.showInFull')],
      [['Shift F10'], say('shell.keyboardHelp.menuOfTheLine')],
      [[MOD, 'C'], say('shell.keyboardHelp.copyForASpreadsheet')],
      [['Esc'], say('shell.keyboardHelp.clearTheSelection')],
      [['Space'], say('shell.keyboardHelp.selectALine')],
      [[MOD, 'A'], say('shell.keyboardHelp.selectAllThatIsFound')],
      [['V'], say('shell.keyboardHelp.views')],
      [['M'], say('shell.keyboardHelp.matchTheSelectedLines')],
      [['1', '2', '3'], say('shell.keyboardHelp.takeASuggestion')],
      [['.'], say('matches.matchBar.addTheLineThatCloses')],
      [['D'], say('shell.keyboardHelp.showTheSuggestions')],
      [['F'], say('shell.keyboardHelp.findTheOpenLines')],
      [['1', '2', '3'], say('shell.keyboardHelp.chooseACandidate')],
      [['C'], say('shell.keyboardHelp.confirmTheProposalShown')],
      [['X'], say('shell.keyboardHelp.rejectTheProposalShown')],
      [['T'], say('shell.keyboardHelp.whatWasTakenApart')],
    ],
  },
];

/** Returns the key press of a line of the help, for the palette; null where it moves or is one of several. */
export function actionKeys(keys: readonly string[]): KeyboardEventInit | null {
  const [first = '', second, third] = keys;
  if (first === MOD && second === 'Shift' && third !== undefined) return { key: third.toLowerCase(), ctrlKey: true, shiftKey: true };
  if (first === MOD && second !== undefined && second !== 'K')
    return { key: second === 'Enter' ? second : second.toLowerCase(), ctrlKey: true };
  return keys.length === 1 && first.length === 1 ? { key: first.toLowerCase() } : null;
}

export function KeyboardHelp({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  const place = useNavigation((state) => state.place);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={say('shell.keyboardHelp.keyboard')}
      size="md"
      closeButtonProps={{ 'aria-label': say('shell.keyboardHelp.close') }}
    >
      <Stack gap="lg">
        <Group gap="lg">
          <Anchor href={guideAddress(place)} target="_blank" rel="noreferrer" size="sm">
            {say('shell.guideForThisScreen')}
          </Anchor>
          <Anchor href="guide/index.html" target="_blank" rel="noreferrer" size="sm">
            {say('shell.guideWhole')}
          </Anchor>
        </Group>
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
