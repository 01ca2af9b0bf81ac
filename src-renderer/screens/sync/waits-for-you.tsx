import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SyncRemote } from '../../../src-shared/contract/index.ts';
import { PlaceLink } from '../../components/place-link.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { choiceWords, QUESTION_TITLES } from '../../format/sync-questions.ts';
import own from './next.module.css';
import { QuestionDialog } from './question-dialog.tsx';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';

type Question = NonNullable<SyncRemote['question']>;

/** What holds the syncs with a remote up until a person has said something; nothing where nothing does. */
export function WaitsForYou({ control }: { readonly control: SyncControl }) {
  const { remote } = control;
  if (remote.question !== null) return <Asks key={remote.question.message} control={control} question={remote.question} />;
  return remote.state === 'deletions_wait' ? <DeletionsWait control={control} /> : null;
}

const SCHEDULE = 'Until then no sync starts by itself.';

function isScheduled({ every_minutes: everyMinutes, when_online: whenOnline }: SyncRemote): boolean {
  return everyMinutes !== null || whenOnline;
}

function Asks({ control, question }: { readonly control: SyncControl; readonly question: Question }) {
  const { remote } = control;
  // Asked at once when a sync has just stopped with it; whoever closes it finds it here.
  const [asked, open] = useState<boolean | null>(null);
  const isOpen = asked ?? question.choice === null;
  const said = question.choice === null ? null : choiceWords(question, question.choice, remote.name);
  return (
    <section className={own.ending} data-tone="open" aria-live="polite" aria-label="A question" data-testid="sync-question">
      <span className={styles.mark} data-mark="open" aria-hidden />
      <div>
        <h2>{said === null ? QUESTION_TITLES[question.code] : `You said: ${said.label}`}</h2>
        <p>{said === null ? question.message : said.about}</p>
        {said === null && isScheduled(remote) && <p>{SCHEDULE}</p>}
        {said !== null && <p>The next sync goes by that.</p>}
        <div className={own.ways}>
          <WriteButton variant="default" size="compact-sm" onClick={() => open(true)} data-testid="sync-answer">
            {said === null ? 'Answer…' : 'Answer otherwise…'}
          </WriteButton>
          <PlaceLink place={{ screen: 'settings' }}>Change the address or the key</PlaceLink>
        </div>
      </div>
      {isOpen && <QuestionDialog control={control} question={question} onClose={() => open(false)} />}
    </section>
  );
}

function DeletionsWait({ control }: { readonly control: SyncControl }) {
  const { remote } = control;
  return (
    <section className={own.ending} data-tone="open" aria-live="polite" aria-label="Deletions wait" data-testid="sync-deletions-wait">
      <span className={styles.mark} data-mark="open" aria-hidden />
      <div>
        <h2>Deletions wait for your word</h2>
        <p>{remote.message}</p>
        <p>
          Compare both sides: the list of all that would go is shown before you sync, and you allow it there.{' '}
          {isScheduled(remote) && SCHEDULE}
        </p>
        <div className={own.ways}>
          <Button
            variant="default"
            size="compact-sm"
            onClick={control.preview}
            loading={control.isStarting}
            data-testid="compare-deletions"
          >
            Compare both sides
          </Button>
        </div>
      </div>
    </section>
  );
}
