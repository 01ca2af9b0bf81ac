import { Alert, Button, Checkbox, Group, Text } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useState } from 'react';
import type { OpenQuestion } from '../../../src-shared/contract/index.ts';
import type { ImportProcess } from './use-import.ts';
import { say } from '../../../src-shared/words/say.ts';

/** Asks which words of a column mean money out. Any number of them may be chosen. */
export function MoneyOutQuestion({ process, question }: { readonly process: ImportProcess; readonly question: OpenQuestion }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  // Another reading of the table has other words, so only those of this question count.
  const words = question.choices.map(({ value }) => value).filter((value) => chosen.includes(value));
  return (
    <Alert
      color="orange"
      icon={<IconHelpCircle size={20} aria-hidden />}
      title={say('imports.moneyOutQuestion.whichWordsMeanMoney')}
      data-testid="question-money_out"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (words.length > 0) process.readBy({ answers: { money_out: [...words] } });
        }}
      >
        <Checkbox.Group value={[...words]} onChange={setChosen} aria-label={say('imports.moneyOutQuestion.wordsThatMeanMoney')}>
          <Text size="sm" mb="sm">
            {question.message}
          </Text>
          {question.choices.map(({ value, label, examples }) => (
            <Checkbox
              key={value}
              mb="xs"
              value={value}
              label={label}
              description={examples[0] === undefined ? undefined : sentence(examples[0].written)}
              data-testid={`word-${value}`}
            />
          ))}
        </Checkbox.Group>
        <Group gap="xs">
          <Button type="submit" size="compact-sm" variant="default" disabled={words.length === 0} data-testid="answer-money-out">
            {words.length === 0
              ? say('imports.moneyOutQuestion.theseMeanMoneyOut')
              : say('imports.moneyOutQuestion.moneyOut', { words: words.join(', ') })}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => process.readBy({ answers: { money_out: [] } })}
            data-testid="answer-no-money-out"
          >
            {say('imports.moneyOutQuestion.noneOfThem')}
          </Button>
        </Group>
      </form>
    </Alert>
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
