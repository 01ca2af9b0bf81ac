import { Button } from '@mantine/core';
import { IconLockOpen } from '@tabler/icons-react';
import { useState } from 'react';
import { lineLabel, type Tone, withMinus } from '../../format/close-words.ts';
import { unexplainedItems } from '../../format/close-steps.ts';
import { counted, listText } from '../../format/counts.ts';
import { useClosing } from './close-context.ts';
import frame from './close.module.css';
import { ReportButtons } from './report-buttons.tsx';
import { SignHistory } from './sign-history.tsx';
import { Signature } from './signature.tsx';
import { SignatureForm } from './signature-form.tsx';
import styles from './sign-off.module.css';

const NOT_YET = { text: 'Not yet', tone: 'quiet' } as const;
const GIVEN = { text: 'Signed', tone: 'matched' } as const;
const STALE = { text: 'Stale', tone: 'open' } as const;

type Badge = { readonly text: string; readonly tone: Tone };

function badgeOf(by: string | null, stale: boolean): Badge {
  if (by === null) return NOT_YET;
  return stale ? STALE : GIVEN;
}

/** What speaks against signing now, though nobody is hindered by it; null where nothing does. */
function useDoubt(): string | null {
  const { statement } = useClosing();
  const bare = unexplainedItems(statement);
  const [first] = bare;
  if (first === undefined) return null;
  if (statement.open_item_count > statement.open_items.length)
    return `At least ${counted(bare.length, 'item has', 'items have')} no comment yet`;
  return bare.length === 1 ? `${lineLabel(first)} has no comment yet` : `${counted(bare.length, 'item has', 'items have')} no comment yet`;
}

/** The signatures of a period, and its report. */
export function SignOffPanel() {
  return (
    <aside className={styles.panel} aria-label="Sign-off" data-testid="sign-off">
      <h2>Sign-off</h2>
      <Prepared />
      <Reviewed />
      <Closed />
      <SignHistory />
      <ReportButtons />
    </aside>
  );
}

function Prepared() {
  const { period } = useClosing();
  const doubt = useDoubt();
  const isDue = period.state === 'open' || (period.stale && period.state !== 'closed');
  return (
    <Signature
      title="Prepared by"
      badge={badgeOf(period.prepared_by, period.stale)}
      by={period.prepared_by}
      at={period.prepared_at}
      testId="prepared"
    >
      {isDue && (
        <SignatureForm
          kind="prepare"
          button={period.stale ? 'Prepare again' : 'Mark as prepared'}
          doubt={doubt}
          suggested={period.prepared_by}
          isNext
        />
      )}
    </Signature>
  );
}

function Reviewed() {
  const { period } = useClosing();
  const isDue = period.state === 'prepared' && !period.stale;
  return (
    <Signature
      title="Reviewed by"
      badge={badgeOf(period.reviewed_by, period.stale)}
      by={period.reviewed_by}
      at={period.reviewed_at}
      testId="reviewed"
    >
      {period.reviewed_by === null && <p>The reviewer is never the preparer.</p>}
      {isDue && <SignatureForm kind="review" button="Mark as reviewed" isNext />}
    </Signature>
  );
}

function Closed() {
  const { period, statement } = useClosing();
  const [isReopening, setReopening] = useState(false);
  const isClosed = period.state === 'closed';
  const isDue = period.state === 'reviewed' && !period.stale;
  const isOne = statement.currencies.length === 1;
  const doubts = statement.doubts.map(({ text, currency }) => (isOne ? text : `${text} (${currency})`));
  const reason = doubts.length === 0 ? '' : withMinus(`Why it is closed although ${listText(doubts)}`);
  const badge: Badge = isClosed ? badgeOf(period.closed_by, period.stale) : { text: 'Open', tone: 'quiet' };
  return (
    <Signature
      title="Closed"
      badge={isClosed && !period.stale ? { ...badge, text: 'Closed' } : badge}
      by={period.closed_by}
      at={period.closed_at}
      testId="closed"
    >
      {!isClosed && <p>Closing locks {period.name}: no import, match or edit until it is reopened with a reason.</p>}
      {isDue && <SignatureForm kind="close" button={`Close ${period.name}`} isNext {...(reason === '' ? {} : { reasonLabel: reason })} />}
      {isClosed && !isReopening && (
        <Button
          variant="default"
          fullWidth
          className={`${frame.button} ${styles.reopen}`}
          leftSection={<IconLockOpen size={16} aria-hidden />}
          onClick={() => setReopening(true)}
          data-testid="reopen"
        >
          Reopen…
        </Button>
      )}
      {isClosed && isReopening && <SignatureForm kind="reopen" button={`Reopen ${period.name}`} reasonLabel="Reason" />}
    </Signature>
  );
}
