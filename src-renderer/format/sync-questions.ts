import type { SyncRemote } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

type SyncQuestion = NonNullable<SyncRemote['question']>;

export const QUESTION_TITLES: Readonly<Record<SyncQuestion['code'], string>> = {
  remote_is_another: say('sync.questionTitles.remoteIsAnother'),
  remote_lost_history: say('sync.questionTitles.remoteLostHistory'),
  book_was_put_back: say('sync.questionTitles.bookWasPutBack'),
  sync_was_undone: say('sync.questionTitles.syncWasUndone'),
};

interface ChoiceWords {
  readonly label: string;
  /** Explains the consequences. */
  readonly about: string;
}

/** Returns an answer as the label of its button, and its consequences. */
export function choiceWords({ code }: Pick<SyncQuestion, 'code'>, choice: SyncQuestion['choices'][number], name: string): ChoiceWords {
  switch (choice) {
    case 'known':
      return { label: say('sync.syncQuestions.yesItHasMoved'), about: say('sync.syncQuestions.itIsAtAnother', { name }) };
    case 'send_again':
      if (code === 'book_was_put_back')
        return { label: say('sync.syncQuestions.sendIt'), about: say('sync.syncQuestions.whatOnlyThisBook', { name }) };
      return { label: say('sync.syncQuestions.sendItAgain'), about: say('sync.syncQuestions.whatHasLostGoesThereAgain', { name }) };
    case 'take':
      return code === 'sync_was_undone'
        ? {
            label: say('sync.syncQuestions.takeItAgain'),
            about: say('sync.syncQuestions.whatTheSyncBrought'),
          }
        : {
            label: code === 'book_was_put_back' ? say('sync.syncQuestions.takeAsItIs', { name }) : say('sync.syncQuestions.takeItAsItIs'),
            about: say('sync.syncQuestions.whatIsGoneAtIsDeleted', { name }),
          };
    case 'keep':
      return {
        label: say('sync.syncQuestions.keepWhatIsHere'),
        about: say('sync.syncQuestions.whatTheSyncDeleted', { name }),
      };
    case 'go_on':
      return { label: say('sync.syncQuestions.goOn'), about: say('sync.syncQuestions.bothSidesAreCompared') };
  }
}
