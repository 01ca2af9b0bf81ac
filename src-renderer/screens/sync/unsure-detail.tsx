import { TextInput } from '@mantine/core';
import { type FormEvent, type RefObject, useRef, useState } from 'react';
import type { SyncRemote, SyncUnsure } from '../../../src-shared/contract/index.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useReadOnlyReason, WriteButton } from '../../components/writing.tsx';
import { momentText } from '../../format/close-days.ts';
import { type DecideGroups, ofUnsure, SEND_AGAIN, undecidedOf } from '../../format/sync-conflicts.ts';
import own from './decide.module.css';
import { DetailFoot, WhichOne } from './detail-frame.tsx';
import type { Decisions } from './use-decisions.ts';

interface UnsureDetailProps {
  readonly remote: SyncRemote;
  readonly unsure: SyncUnsure;
  readonly groups: DecideGroups;
  readonly decisions: Decisions;
  readonly onLater: () => void;
}

/** What was sent and never answered: a person looks there, and says whether it is there. */
export function UnsureDetail({ remote, unsure, groups, decisions, onLater }: UnsureDetailProps) {
  const one = ofUnsure(unsure);
  const { choice, name, sent_as: sentAs, sent_at: sentAt } = unsure;
  const isRenamed = sentAs !== name && !sentAs.startsWith(`${name}, `);
  const field = useRef<HTMLInputElement>(null);
  const sendAgain = (): void => {
    if (choice !== SEND_AGAIN) decisions.choose(one, SEND_AGAIN, 'Send it again');
  };
  useShortcuts({ '1': () => field.current?.focus(), '2': sendAgain });
  return (
    <section className={own.detail} aria-label="The one to decide" data-testid="unsure-detail">
      <div className={own.detailBody}>
        <div className={own.head}>
          <div>
            <h2>Not sure whether it arrived</h2>
            <p className={own.about}>
              <span>Bank account</span>
              <b className="truncate" title={sentAs}>
                {sentAs}
              </b>
              <span className="tabular">sent {momentText(sentAt)}</span>
              {isRenamed && (
                <span className="truncate" title={name}>
                  now {name}
                </span>
              )}
            </p>
          </div>
          <WhichOne itemKey={one.key} groups={groups} />
        </div>
        <p className={own.lost}>
          The answer of {remote.name} was lost, and it cannot be asked which accounts it has. Look there, and say whether this one is there.
          Nothing is sent until then, and its balances wait with it.
        </p>
        <div className={own.ways}>
          <ThereForm unsure={unsure} decisions={decisions} field={field} />
          <section aria-labelledby="send-again-heading">
            <h3 id="send-again-heading">
              <KeyHint keys="2" /> It is not there
            </h3>
            <p>The next sync sends it once more, as a new account.</p>
            <div className={own.say}>
              <WriteButton
                variant={choice === SEND_AGAIN ? 'light' : 'default'}
                disabled={decisions.isRunning}
                onClick={() => (choice === SEND_AGAIN ? decisions.takeBack(one) : sendAgain())}
                aria-keyshortcuts="2"
                aria-label={choice === SEND_AGAIN ? 'Send it again: decided. Undo' : undefined}
                data-testid="send-again"
              >
                {choice === SEND_AGAIN ? 'Decided. Undo' : 'Send it again'}
              </WriteButton>
            </div>
          </section>
        </div>
      </div>
      <DetailFoot
        remote={remote}
        thing={{ ...unsure, reconciliation_id: null, data_stream_key: null }}
        canWait={choice === null && undecidedOf(groups).length > 1}
        onLater={onLater}
      />
    </section>
  );
}

interface ThereFormProps extends Pick<UnsureDetailProps, 'unsure' | 'decisions'> {
  readonly field: RefObject<HTMLInputElement | null>;
}

const IS_ID = /^[1-9]\d{0,14}$/;

/** The id that it has there. */
function ThereForm({ unsure, decisions, field }: ThereFormProps) {
  const one = ofUnsure(unsure);
  const said = unsure.choice === SEND_AGAIN ? null : unsure.choice;
  const [typed, setTyped] = useState(said ?? '');
  const [isWrong, setWrong] = useState(false);
  const isReadOnly = useReadOnlyReason() !== null;
  const isChosen = said !== null && typed.trim() === said;
  function submit(event: FormEvent): void {
    event.preventDefault();
    const id = typed.trim();
    if (isChosen) return decisions.takeBack(one);
    setWrong(!IS_ID.test(id));
    if (IS_ID.test(id)) decisions.choose(one, id, `It is there, as ${id}`);
    else field.current?.focus();
  }
  return (
    <section aria-labelledby="there-heading">
      <h3 id="there-heading">
        <KeyHint keys="1" /> It is there
      </h3>
      <p>Nothing is sent: both are the same account from then on.</p>
      <form className={own.say} onSubmit={submit} noValidate>
        <TextInput
          ref={field}
          aria-label="Its id there"
          placeholder="Its id there"
          inputMode="numeric"
          autoComplete="off"
          maxLength={15}
          value={typed}
          readOnly={isReadOnly}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setWrong(false);
          }}
          error={isWrong ? 'The id is a whole number from 1 on.' : undefined}
          aria-keyshortcuts="1"
          data-testid="id-there"
        />
        <WriteButton type="submit" variant={isChosen ? 'light' : 'default'} disabled={decisions.isRunning} data-testid="it-is-there">
          {isChosen ? 'Decided. Undo' : 'It is there'}
        </WriteButton>
      </form>
    </section>
  );
}
