import { MultiSelect } from '@mantine/core';
import type { Stream } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

interface SidePickerProps {
  readonly side: 'a' | 'b';
  readonly streams: readonly Stream[];
  /** Keys of the streams on this side. */
  readonly keys: readonly string[];
  /** Keys of the streams on the other side. A stream belongs to one side only. */
  readonly taken: readonly string[];
  readonly hint?: string;
  /** Explains why the service refused the choice. */
  readonly error?: string | undefined;
  readonly onChange: (keys: string[]) => void;
}

/** Chooses the streams of one side of a reconciliation. */
export function SidePicker({ side, streams, keys, taken, hint, error, onChange }: SidePickerProps) {
  const options = streams.map(({ key, name }) => ({ value: key, label: name, disabled: taken.includes(key) }));
  return (
    <MultiSelect
      label={say('common.sidePicker.side', { side: side.toUpperCase() })}
      description={hint}
      placeholder={keys.length === 0 ? say('common.sidePicker.chooseAccounts') : undefined}
      data={options}
      value={[...keys]}
      onChange={onChange}
      error={error}
      searchable
      hidePickedOptions
      miw="14rem"
      nothingFoundMessage={say('common.sidePicker.noAccountOfThatName')}
      data-testid={`side-${side}`}
    />
  );
}
