import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useState } from 'react';
import type { OpenQuestion } from '../../../src-shared/contract/index.ts';
import type { ImportProcess } from './use-import.ts';

/** The currency of a file that names none: one of the likely ones, or any other by its letters. */
export function CurrencyQuestion({ process, question }: { readonly process: ImportProcess; readonly question: OpenQuestion }) {
  const [typed, setTyped] = useState('');
  const isCode = /^[A-Z]{3}$/.test(typed);
  const answer = (currency: string): void => process.retarget({ ...process.flow.target, currency });
  return (
    <Alert color="orange" icon={<IconHelpCircle size={20} aria-hidden />} title="Which currency is it?" data-testid="question-currency">
      <Text size="sm" mb="sm">
        {question.message}
      </Text>
      <Group gap="xs">
        {question.choices.map(({ value, label }) => (
          <Button key={value} size="compact-sm" variant="default" onClick={() => answer(value)} data-testid={`answer-${value}`}>
            {label}
          </Button>
        ))}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isCode) answer(typed);
          }}
        >
          <Group gap="xs">
            <TextInput
              size="xs"
              w={170}
              aria-label="Currency, as three letters"
              placeholder={question.choices.length === 0 ? 'Three letters: GBP' : 'Another: three letters'}
              value={typed}
              maxLength={3}
              onChange={(event) => setTyped(event.currentTarget.value.toUpperCase().trim())}
              data-testid="question-currency-code"
            />
            <Button type="submit" size="compact-sm" variant="default" disabled={!isCode} data-testid="question-currency-answer">
              Read it so
            </Button>
          </Group>
        </form>
      </Group>
    </Alert>
  );
}
