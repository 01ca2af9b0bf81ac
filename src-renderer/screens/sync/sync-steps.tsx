import { VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { fullDay } from '../../format/close-days.ts';
import { stepsOf } from '../../format/sync-steps.ts';
import styles from './running.module.css';

const STATES = { done: 'Done', now: 'Under way', to_come: 'To come' } as const;

/** The steps of the sync: those behind it, the one it is at, those to come. */
export function SyncSteps({ activity, title }: { readonly activity: SyncActivity; readonly title: string }) {
  return (
    <aside className={styles.steps} aria-label="Steps" data-testid="sync-steps" data-waits={activity.waits !== null || undefined}>
      <h2>
        {title}, {fullDay(activity.started_at.slice(0, 10))}
      </h2>
      <ol>
        {stepsOf(activity).map(({ name, state, words }, place) => (
          <li key={name} className={styles.step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            <span className={styles.number}>
              <VisuallyHidden>{STATES[state]}</VisuallyHidden>
              {state === 'done' ? <IconCheck size={12} stroke={2.75} aria-hidden /> : <span aria-hidden>{place + 1}</span>}
            </span>
            <div>
              <b>{name}</b>
              {words.map((line) => (
                <p key={line} title={line}>
                  {line}
                </p>
              ))}
            </div>
          </li>
        ))}
      </ol>
    </aside>
  );
}
