import { useState } from 'react';
import type { Failure, SyncProbe, SyncRemote } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import type { ScheduleValue } from './schedule.tsx';

const FIELDS = ['name', 'base_url', 'api_key'] as const;
type Field = (typeof FIELDS)[number];

/** The field that a failure is about; that of a remote which cannot be used is its address. */
function problemIn(failure: Failure | null, field: Field): string | undefined {
  if (failure === null) return undefined;
  const told = failure.errors?.find(({ path }) => path === field)?.message;
  const isElsewhere = FIELDS.some((name) => failure.errors?.some(({ path }) => path === name) === true);
  return told ?? (field === 'base_url' && !isElsewhere ? failure.message : undefined);
}

/** A remote that is being set up, and what its tests found. */
export function useNewRemote() {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [found, setFound] = useState<SyncProbe | null>(null);
  const [said, setSaid] = useState<Readonly<Record<Field, string>>>({ name: '', base_url: '', api_key: '' });
  const [schedule, setSchedule] = useState<ScheduleValue>({ every_minutes: null, when_online: false });
  const probe = useCommand('sync_remotes.probe', setFailure);
  const create = useCommand('sync_remotes.create', setFailure);
  const isReachable = said.base_url.trim() !== '' && said.api_key.trim() !== '';
  const set = (field: Field) => (value: string) => {
    setSaid((before) => ({ ...before, [field]: value }));
    setFailure(null);
    if (field !== 'name') setFound(null);
  };
  return {
    said,
    schedule,
    setSchedule,
    set,
    found,
    problemOf: (field: Field) => problemIn(failure, field),
    isReachable,
    isComplete: isReachable && said.name.trim() !== '',
    isTesting: probe.isRunning,
    isAdding: create.isRunning,
    test: async (): Promise<void> => {
      setFailure(null);
      setFound(null);
      const answer = await probe.run({ base_url: said.base_url, api_key: said.api_key });
      if (answer.ok) setFound(answer.value);
    },
    /** Answers null where it was refused. */
    add: async (): Promise<SyncRemote | null> => {
      setFailure(null);
      const answer = await create.run({ ...said, ...schedule });
      return answer.ok ? answer.value : null;
    },
  };
}
