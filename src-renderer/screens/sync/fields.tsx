import { PasswordInput, TextInput } from '@mantine/core';

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly isFirst?: boolean;
}

export function NameField({ value, onChange, error, isFirst = false }: FieldProps) {
  return (
    <TextInput
      label="Name"
      description="Any name you like: whose books they are."
      placeholder="Head office"
      value={value}
      maxLength={255}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      data-autofocus={isFirst || undefined}
      data-testid="remote-name"
    />
  );
}

interface AddressFieldProps extends FieldProps {
  readonly about?: string;
}

export function AddressField({ value, onChange, error, about = 'With /v1 at the end.' }: AddressFieldProps) {
  return (
    <TextInput
      label="Address"
      description={about}
      placeholder="https://books.example.com/v1"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      errorProps={{ role: 'alert' }}
      autoComplete="off"
      spellCheck={false}
      data-testid="remote-address"
    />
  );
}

interface KeyFieldProps extends FieldProps {
  readonly label: string;
  readonly about: string;
}

export function KeyField({ value, onChange, error, isFirst = false, label, about }: KeyFieldProps) {
  return (
    <PasswordInput
      label={label}
      description={about}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      errorProps={{ role: 'alert' }}
      autoComplete="off"
      data-autofocus={isFirst || undefined}
      data-testid="remote-key"
    />
  );
}
