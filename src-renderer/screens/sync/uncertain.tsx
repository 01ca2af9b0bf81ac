import { IconBuilding, IconDeviceLaptop } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { SyncPlan, SyncRemote } from '../../../src-shared/contract/index.ts';
import { KeyHint } from '../../components/key-hint.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { countText } from '../../format/counts.ts';
import { pairKey } from '../../format/plan-figures.ts';
import { sameChoices } from '../../state/same-choices.ts';
import own from './next.module.css';
import styles from './sync.module.css';

type Pair = SyncPlan['uncertain'][number];

/** Pairs that may be the same; each is two until somebody says otherwise. */
export function Uncertain({ remote, pairs }: { readonly remote: SyncRemote; readonly pairs: readonly Pair[] }) {
  const same = useStore(sameChoices, (state) => state.same[remote.id]) ?? [];
  const { say } = sameChoices.getState();
  const [at, setAt] = useState(0);
  const current = pairs[Math.min(at, pairs.length - 1)];
  const answer = (isSame: boolean) => () => current !== undefined && say(remote.id, pairKey(current), isSame);
  const step = (by: number) => () => setAt((place) => (place + by + pairs.length) % pairs.length);
  useShortcuts({ 1: answer(false), 2: answer(true), ...(pairs.length > 1 ? { j: step(1), k: step(-1) } : {}) });
  return (
    <section aria-labelledby="uncertain-heading" data-testid="uncertain">
      <div className={styles.head}>
        <h2 id="uncertain-heading">Not certain</h2>
        <span className={styles.grow} />
        <span className={styles.mid}>{countText(pairs.length)}</span>
      </div>
      {pairs.map((pair, place) => (
        <UncertainPair
          key={pairKey(pair)}
          pair={pair}
          remoteName={remote.name}
          isSame={same.includes(pairKey(pair))}
          isCurrent={pair === current}
          onCurrent={() => setAt(place)}
          onSay={(isSame) => say(remote.id, pairKey(pair), isSame)}
        />
      ))}
    </section>
  );
}

interface UncertainPairProps {
  readonly pair: Pair;
  readonly remoteName: string;
  readonly isSame: boolean;
  /** The keys 1 and 2 answer for it. */
  readonly isCurrent: boolean;
  readonly onCurrent: () => void;
  readonly onSay: (isSame: boolean) => void;
}

const NOUNS = { accounts: ['Account', 'accounts'], reconciliations: ['Reconciliation', 'reconciliations'] } as const;

function UncertainPair({ pair, remoteName, isSame, isCurrent, onCurrent, onSay }: UncertainPairProps) {
  const [noun, nouns] = NOUNS[pair.resource];
  const choices = [
    { label: `Two ${nouns}`, keys: '1', value: false },
    { label: 'The same one', keys: '2', value: true },
  ];
  return (
    <fieldset className={own.pair} data-current={isCurrent || undefined}>
      <legend className={own.legend}>
        Is {pair.local_name} here the same as {pair.remote_name} at {remoteName}?
      </legend>
      <div className={own.both}>
        <IconDeviceLaptop size={15} aria-label="Here" />
        <span className="truncate" title={pair.local_name}>
          {noun} <b>{pair.local_name}</b>
        </span>
        <span className={styles.quiet}>{pair.local_words}</span>
        <IconBuilding size={15} aria-label={remoteName} />
        <span className="truncate" title={pair.remote_name}>
          {noun} <b>{pair.remote_name}</b>
        </span>
        <span className={styles.quiet}>{pair.remote_words}</span>
      </div>
      <div className={own.choices}>
        {choices.map(({ label, keys, value }) => (
          <label key={label} className={own.choice}>
            <input
              type="radio"
              name={`same ${pairKey(pair)}`}
              checked={isSame === value}
              onChange={() => onSay(value)}
              onFocus={onCurrent}
            />
            {label}
            {isCurrent && <KeyHint keys={keys} />}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
