import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { keyFromName } from '../../format/words.ts';
import type { Target } from '../../state/import-flow.ts';

interface NewStreamFieldsProps {
  readonly target: Target;
  readonly isTaken: boolean;
  readonly onChange: (target: Target) => void;
}

/** Name and key of a stream to be made. The key follows the name until it is typed by hand. */
export function NewStreamFields({ target, isTaken, onChange }: NewStreamFieldsProps) {
  const [name, setName] = useState(target.name);
  const [key, setKey] = useState(target.key);
  const [isOwnKey, setOwnKey] = useState(false);
  // The file is read again when a field is left, not at every letter.
  const settle = (): void => onChange({ ...target, name: name.trim(), key });
  const isValid = key === '' || /^[a-z0-9][a-z0-9_.-]*$/.test(key);
  return (
    <>
      <TextInput
        label="Name"
        value={name}
        maxLength={255}
        onChange={(event) => {
          const given = event.currentTarget.value;
          setName(given);
          if (!isOwnKey) setKey(keyFromName(given));
        }}
        onBlur={settle}
        data-testid="stream-name"
      />
      <TextInput
        label="Key"
        description="What rules and the command line call it"
        value={key}
        maxLength={100}
        error={
          isTaken
            ? 'This stream exists: the lines will be added to it'
            : isValid
              ? null
              : 'Letters a-z, digits and _ - . only, starting with a letter or digit'
        }
        onChange={(event) => {
          setKey(event.currentTarget.value);
          setOwnKey(true);
        }}
        onBlur={settle}
        data-testid="stream-key"
      />
    </>
  );
}
