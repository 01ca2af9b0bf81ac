import type { ReactNode } from 'react';
import { momentText } from '../../format/close-days.ts';
import type { Tone } from '../../format/close-words.ts';
import styles from './sign-off.module.css';
import { ToneBadge } from './state-badge.tsx';

interface SignatureProps {
  readonly title: string;
  readonly badge: { readonly text: string; readonly tone: Tone };
  readonly by: string | null;
  readonly at: string | null;
  readonly children?: ReactNode;
  readonly testId: string;
}

/** One signature: who gave it and when, and what comes next. */
export function Signature({ title, badge, by, at, children, testId }: SignatureProps) {
  return (
    <div className={styles.signature} data-testid={testId}>
      <div className={styles.head}>
        <b>{title}</b>
        <ToneBadge {...badge} />
      </div>
      {by !== null && (
        <p>
          {by}
          {at === null ? '' : `, ${momentText(at)}`}
        </p>
      )}
      {children}
    </div>
  );
}
