import { Group } from '@mantine/core';
import type { Call, Output } from '../../src-shared/contract/index.ts';
import { useOperation } from '../api/use-operation.ts';
import { PlaceLink } from './place-link.tsx';
import { Mark, type StateTone } from './primitives.tsx';
import { say } from '../../src-shared/words/say.ts';

type Asked = Call<'syncs.why'>;
type State = Output<'syncs.why'>[number];

/** Says for each remote whether an entity is synced. Renders nothing without remotes. */
export function SyncWhy(asked: Asked) {
  const { data: value } = useOperation('sync_remotes.list', {});
  if (value === undefined || value.remotes.length === 0) return null;
  return <States {...asked} />;
}

function States({ resource, id }: Asked) {
  const { data: value } = useOperation('syncs.why', { resource, id });
  if (value === undefined || value.length === 0) return null;
  return (
    <ul className="plain mid small wrap" aria-label={say('sync.syncWhy.sync')} data-testid="sync-why">
      {value.map((state) => (
        <Group component="li" key={state.remote_id} gap="xs" wrap="nowrap" align="baseline" title={textOf(state)}>
          <Mark tone={TONES[state.state]} />
          <Words state={state} isSettled={resource === 'accounts'} />
        </Group>
      ))}
    </ul>
  );
}

const TONES: Readonly<Record<State['state'], StateTone>> = {
  synced: 'done',
  changed: 'none',
  not_sent: 'none',
  to_decide: 'open',
  refused: 'broken',
  unsure: 'open',
  stays: 'none',
};

/** Begins the sentence; the service's reason follows. */
const NOT: Readonly<Record<State['state'], (name: string) => string>> = {
  synced: (name) => say('sync.syncWhy.syncedWith', { name }),
  changed: (name) => say('sync.syncWhy.changedSinceTheLastSyncWith', { name }),
  not_sent: (name) => say('sync.syncWhy.notSentTo', { name }),
  to_decide: (name) => say('sync.syncWhy.toDecideWith', { name }),
  refused: (name) => say('sync.syncWhy.refusedBy', { name }),
  unsure: (name) => say('sync.syncWhy.notSureWhetherHasIt', { name }),
  stays: (name) => say('sync.syncWhy.staysHereNotSent', { name }),
};

function textOf({ state, remote_name: name, words }: State): string {
  return state === 'synced' ? NOT.synced(name) : `${NOT[state](name)}: ${words}`;
}

interface WordsProps {
  readonly state: State;
  /** Whether a person decides when the state is uncertain. Otherwise the next sync finds out. */
  readonly isSettled: boolean;
}

function Words({ state, isSettled }: WordsProps) {
  const text = textOf(state);
  if (state.state !== 'to_decide' && !(state.state === 'unsure' && isSettled)) return <span>{text}</span>;
  const conflict = state.conflict_id === null ? {} : { conflict: state.conflict_id };
  return (
    <PlaceLink place={{ screen: 'sync', id: state.remote_id, tab: 'decide', ...conflict }} testId="why-decide">
      {text}
    </PlaceLink>
  );
}
