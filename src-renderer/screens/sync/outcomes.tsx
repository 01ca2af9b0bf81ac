import { VisuallyHidden } from '@mantine/core';
import type { Output, SyncConflict } from '../../../src-shared/contract/index.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { moneyText, plainAmount } from '../../format/money.ts';
import { choiceWords, ofConflict } from '../../format/sync-conflicts.ts';
import { kindName } from '../../format/sync-resources.ts';
import styles from './decide.module.css';
import frame from './sync.module.css';
import type { Decisions } from './use-decisions.ts';

type Read = Output<'sync_conflicts.get'>;
type Outcome = Read['outcomes'][number];

interface OutcomesProps {
  readonly read: Read;
  readonly conflict: SyncConflict;
  readonly decisions: Decisions;
}

/** Every choice has an outcome; one that the service tells nothing of has its button all the same. */
function outcomesOf({ outcomes }: Read, { choices }: SyncConflict): readonly Outcome[] {
  const others = choices.filter((choice) => outcomes.every((outcome) => outcome.choice !== choice));
  return [...outcomes, ...others.map((choice) => ({ choice, label: choiceWords(choice), verb: 'Choose this', effects: [] }))];
}

/** What each choice leads to, beside each other, and the buttons that choose. */
export function Outcomes({ read, conflict, decisions }: OutcomesProps) {
  const outcomes = outcomesOf(read, conflict);
  const labels = [...new Set(outcomes.flatMap(({ effects }) => effects.map(({ label }) => label)))];
  const choose = ({ choice, verb }: Outcome): void => {
    if (choice !== conflict.choice) decisions.choose(ofConflict(conflict), choice, verb);
  };
  useShortcuts(Object.fromEntries(outcomes.map((outcome, place) => [String(place + 1), () => choose(outcome)])));
  return (
    <>
      <div className={`${frame.head} ${styles.lead}`}>
        <h2 id="outcomes-heading">What each choice leads to</h2>
        {read.outcome_of !== null && (
          <span className={`${frame.quiet} truncate`} title={read.outcome_of}>
            {read.outcome_of}
          </span>
        )}
      </div>
      <table className={styles.outcomes} aria-labelledby="outcomes-heading" data-testid="outcomes">
        <colgroup>
          <col className={styles.fieldName} />
          {outcomes.map(({ choice }) => (
            <col key={choice} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>What follows</VisuallyHidden>
            </th>
            {outcomes.map(({ choice, label }, place) => (
              <th key={choice} scope="col" title={label}>
                <KeyHint keys={String(place + 1)} /> {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label) => (
            <tr key={label}>
              <th scope="row" title={label}>
                {kindName(label)}
              </th>
              {outcomes.map((outcome) => (
                <Effect key={outcome.choice} outcome={outcome} label={label} />
              ))}
            </tr>
          ))}
          <tr className={styles.act}>
            <th scope="row">
              <VisuallyHidden>Choose</VisuallyHidden>
            </th>
            {outcomes.map((outcome, place) => (
              <td key={outcome.choice}>
                <ChooseButton outcome={outcome} place={place + 1} conflict={conflict} decisions={decisions} onChoose={choose} />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </>
  );
}

function Effect({ outcome, label }: { readonly outcome: Outcome; readonly label: string }) {
  const effect = outcome.effects.find((each) => each.label === label);
  if (effect === undefined) return <td className={styles.dash}>–</td>;
  const { words, money, moves } = effect;
  return (
    <td data-moves={moves || undefined}>
      <span className={styles.effect}>
        <span title={words}>{words}</span>
        {money !== null && (
          <b className="tabular" title={moneyText(money.amount, money.currency, money.decimal_places)}>
            {plainAmount(money.amount, money.decimal_places)}
          </b>
        )}
      </span>
    </td>
  );
}

interface ChooseButtonProps extends Pick<OutcomesProps, 'conflict' | 'decisions'> {
  readonly outcome: Outcome;
  readonly place: number;
  readonly onChoose: (outcome: Outcome) => void;
}

/** The choice that was made takes itself back. */
function ChooseButton({ outcome, place, conflict, decisions, onChoose }: ChooseButtonProps) {
  const isChosen = outcome.choice === conflict.choice;
  return (
    <WriteButton
      fullWidth
      variant={isChosen ? 'light' : 'default'}
      rightSection={isChosen ? undefined : <KeyHint keys={String(place)} />}
      disabled={decisions.isRunning}
      onClick={() => (isChosen ? decisions.takeBack(ofConflict(conflict)) : onChoose(outcome))}
      aria-keyshortcuts={String(place)}
      aria-label={isChosen ? `${outcome.verb}: decided. Undo` : undefined}
      data-testid={`choose-${place}`}
    >
      {isChosen ? 'Decided. Undo' : outcome.verb}
    </WriteButton>
  );
}
