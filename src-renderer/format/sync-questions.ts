import type { SyncRemote } from '../../src-shared/contract/index.ts';

type SyncQuestion = NonNullable<SyncRemote['question']>;

export const QUESTION_TITLES: Readonly<Record<SyncQuestion['code'], string>> = {
  remote_is_another: 'Is this the one you know?',
  remote_lost_history: 'It has lost what you agreed on',
  book_was_put_back: 'This book was restored or copied',
  sync_was_undone: 'You have undone a sync',
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
      return { label: 'Yes, it has moved', about: `It is ${name}, at another place or set up anew. What both sides agreed on stays.` };
    case 'send_again':
      if (code === 'book_was_put_back')
        return { label: 'Send it', about: `What only this book has goes to ${name}, and so does what differs here.` };
      return { label: 'Send it again', about: `What ${name} has lost goes there again. Nothing is deleted here.` };
    case 'take':
      return code === 'sync_was_undone'
        ? {
            label: 'Take it again',
            about: `What the sync brought and deleted here comes as it did then. What you undid was not meant to last.`,
          }
        : {
            label: code === 'book_was_put_back' ? `Take ${name} as it is` : 'Take it as it is',
            about: `What is gone at ${name} is deleted here as well. The list of it is shown before.`,
          };
    case 'keep':
      return {
        label: 'Keep what is here',
        about: `What the sync deleted here is sent to ${name} again, and what it brought is deleted there. The list of it is shown before.`,
      };
    case 'go_on':
      return { label: 'Go on', about: 'Both sides are compared from what this book knows. Look at what would move before you sync.' };
  }
}
