import { Select, Stack, Switch } from '@mantine/core';
import { scheduleText, SCHEDULES } from '../../format/remote-words.ts';

export interface ScheduleValue {
  readonly every_minutes: number | null;
  readonly when_online: boolean;
}

interface ScheduleProps {
  readonly value: ScheduleValue;
  readonly onChange: (value: ScheduleValue) => void;
  /** The first sync is made by hand, so that somebody looks at its preview. */
  readonly isFirst: boolean;
}

/** When a remote is synced by itself. */
export function Schedule({ value, onChange, isFirst }: ScheduleProps) {
  const { every_minutes: minutes, when_online: whenOnline } = value;
  const chosen = String(minutes ?? '');
  const isKnown = SCHEDULES.some((schedule) => schedule.value === chosen);
  const other = {
    value: chosen,
    label: scheduleText({ every_minutes: minutes, when_online: false }).replace(/^./, (first) => first.toUpperCase()),
  };
  return (
    <Stack gap="sm">
      <Select
        label="Sync"
        description={
          isFirst ? 'While Tieout is open, and from the second time on: the first sync you start yourself.' : 'While Tieout is open.'
        }
        data={isKnown ? SCHEDULES : [...SCHEDULES, other]}
        value={chosen}
        allowDeselect={false}
        onChange={(next) => onChange({ every_minutes: next === null || next === '' ? null : Number(next), when_online: whenOnline })}
        data-testid="remote-schedule"
      />
      <Switch
        checked={whenOnline}
        onChange={(event) => onChange({ every_minutes: minutes, when_online: event.currentTarget.checked })}
        label="Also when the network comes back"
        data-testid="remote-when-online"
      />
    </Stack>
  );
}
