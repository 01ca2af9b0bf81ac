import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { countText, counted } from '../../format/counts.ts';
import { changedMembers, changedThing, changeSentence } from '../../format/close-changes.ts';
import { momentText } from '../../format/close-days.ts';
import type { PeriodStatement } from '../../../src-shared/contract/index.ts';
import { useClosing } from './close-context.ts';
import { RecordLink } from './record-link.tsx';
import styles from './close.module.css';

const SINCE = { open: 'signed', prepared: 'prepared', reviewed: 'reviewed', closed: 'closed' } as const;
/** More are counted only. */
const LISTED = 200;

/** Says that something beneath the last sign-off changed, and what. */
export function StaleBand({ isOpen, onOpen }: { readonly isOpen: boolean; readonly onOpen: (isOpen: boolean) => void }) {
  const { period, statement, isNeutral } = useClosing();
  const { changes, change_count: count, decimal_places: decimalPlaces } = statement;
  const [first] = changes;
  const words = count > 1 || first === undefined ? `${counted(count, 'thing')} ${count === 1 ? 'differs' : 'differ'}.` : '';
  return (
    <div className={styles.stale} aria-live="polite" data-testid="stale-band">
      <div className={styles.staleHead}>
        <IconAlertTriangle size={16} aria-hidden />
        <p>
          <b>Changed since it was {SINCE[period.state]}.</b> {words}{' '}
          {first !== undefined && changeSentence(first, { isNeutral, decimalPlaces })}
        </p>
        <Button
          variant="default"
          className={styles.button}
          onClick={() => onOpen(!isOpen)}
          aria-expanded={isOpen}
          data-testid="show-changes"
        >
          {isOpen ? 'Hide' : 'Show'} the {count === 1 ? 'change' : 'changes'}
        </Button>
      </div>
      {isOpen && <ChangeList changes={changes.slice(0, LISTED)} count={count} />}
    </div>
  );
}

type Change = PeriodStatement['changes'][number];

function ChangeList({ changes, count }: { readonly changes: readonly Change[]; readonly count: number }) {
  const { isNeutral, statement } = useClosing();
  const head = useRef<HTMLTableElement>(null);
  useEffect(() => head.current?.focus(), []);
  return (
    <div className={styles.changes}>
      <table ref={head} tabIndex={-1} data-testid="change-list" aria-label="Changes since the last sign-off">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">As it was signed</th>
            <th scope="col">Now</th>
            <th scope="col">Changed</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => {
            const members = changedMembers(change, statement.decimal_places);
            const said = (pick: 'was' | 'now'): string => members.map((member) => `${member.name} ${member[pick]}`).join(', ');
            return (
              <tr key={JSON.stringify(change)}>
                <td>
                  {change.kind === 'record' && change.id !== null && change.after !== null ? (
                    <RecordLink recordId={change.id} text={changedThing(change, isNeutral)} />
                  ) : (
                    changedThing(change, isNeutral)
                  )}
                </td>
                <td>{change.before === null ? 'not there' : said('was') || 'there'}</td>
                <td>{change.after === null ? 'gone' : said('now') || 'new'}</td>
                <td>
                  {[change.by, change.at === null ? null : momentText(change.at)].filter((part) => part !== null).join(', ') || 'not known'}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {count > changes.length && <p>{countText(count - changes.length)} more are not listed.</p>}
    </div>
  );
}
