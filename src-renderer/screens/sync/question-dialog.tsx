import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { SyncRemote } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { choiceWords, QUESTION_TITLES } from '../../format/sync-questions.ts';
import { useNavigation } from '../../state/navigation.ts';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';

interface QuestionDialogProps {
  readonly control: SyncControl;
  readonly question: NonNullable<SyncRemote['question']>;
  readonly onClose: () => void;
}

/** Asks what a sync stopped with. Once it is answered both sides are compared, so what would move is on show before it does. */
export function QuestionDialog({ control, question, onClose }: QuestionDialogProps) {
  const { remote, preview } = control;
  const go = useNavigation((state) => state.go);
  const answer = useCommand('sync_remotes.answer', (failure) => notifyFailure('Nothing was answered', failure));
  async function say(choice: (typeof question.choices)[number]): Promise<void> {
    const answered = await answer.run({ id: remote.id, choice });
    if (!answered.ok) return;
    onClose();
    preview();
    go({ screen: 'sync', id: remote.id, tab: 'next' });
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={QUESTION_TITLES[question.code]}
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="question-dialog"
    >
      <Stack>
        <Text size="sm">{question.message}</Text>
        {question.choices.map((choice) => {
          const { label, about } = choiceWords(question, choice, remote.name);
          return (
            <div key={choice} className={styles.choice}>
              <Text size="sm">{about}</Text>
              <WriteButton variant="default" onClick={() => void say(choice)} loading={answer.isRunning} data-testid={`answer-${choice}`}>
                {label}
              </WriteButton>
            </div>
          );
        })}
        {question.code === 'remote_is_another' && (
          <div className={styles.choice}>
            <Text size="sm">
              If it is another one, see to its address and its key. One that you want to sync with as well is added beside it.
            </Text>
            <Button variant="default" onClick={() => go({ screen: 'settings' })} data-testid="answer-settings">
              Open the settings
            </Button>
          </div>
        )}
        <Group justify="space-between">
          <Text size="xs" c="dimmed">
            After your answer both sides are compared. Nothing moves before you sync.
          </Text>
          <Button variant="subtle" color="gray" onClick={onClose} data-autofocus data-testid="answer-later">
            Later
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
