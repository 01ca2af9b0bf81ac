import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { importAnswers } from '../../../src-shared/contract/imports/imports.ts';
import type { ImportAnswers, OpenQuestion } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { dateText } from '../../format/dates.ts';
import styles from './import.module.css';
import { MoneyOutQuestion } from './table-controls.tsx';
import type { ImportProcess } from './use-import.ts';

interface QuestionsProps {
  readonly process: ImportProcess;
  readonly questions: readonly OpenQuestion[];
  /** The number of lines that may be in the stream already. */
  readonly overlapping: number;
}

/** The questions about the file. Each shows its possible readings, of which the user chooses one. */
export function Questions({ process, questions, overlapping }: QuestionsProps) {
  return questions.map((question) =>
    question.about === 'currency' ? (
      <CurrencyQuestion key={question.about} process={process} question={question} />
    ) : question.about === 'year' ? (
      <YearQuestion key={question.about} process={process} question={question} />
    ) : question.about === 'money_out' ? (
      <MoneyOutQuestion key={question.about} process={process} question={question} />
    ) : (
      <Question
        key={question.about}
        process={process}
        question={question}
        about={question.about}
        lines={question.about === 'overlap' ? overlapping : 0}
      />
    ),
  );
}

const TITLES: Readonly<Record<keyof ImportAnswers, string>> = {
  date_order: say('imports.titles.dateOrder'),
  year: say('imports.titles.year'),
  decimal_mark: say('imports.titles.decimalMark'),
  sign_model: say('imports.titles.signModel'),
  money_out: say('imports.titles.moneyOut'),
  overlap: say('imports.titles.overlap'),
  batch_lines: say('imports.titles.batchLines'),
};

/** Labels of the buttons of questions whose answer does not change the reading. */
const ANSWERS: Readonly<Partial<Record<keyof ImportAnswers, string>>> = { overlap: say('imports.answers.overlap') };

interface QuestionProps {
  readonly process: ImportProcess;
  readonly question: OpenQuestion;
  readonly about: keyof ImportAnswers;
  /** The number of lines that the question is about. The rows below mark those that the examples leave out. */
  readonly lines: number;
}

function Question({ process, question, about, lines }: QuestionProps) {
  const { message, choices } = question;
  const more = lines - Math.max(0, ...choices.map(({ examples }) => examples.length));
  return (
    <Alert color="orange" icon={<IconHelpCircle size={20} aria-hidden />} title={TITLES[about]} data-testid={`question-${about}`}>
      <Text size="sm" mb="sm">
        {message}
      </Text>
      <div className={styles.choices}>
        {choices.map((choice) => (
          <section key={choice.value} className={`card ${styles.choice}`} aria-label={sentence(choice.label)}>
            <Text size="sm" fw={600}>
              {sentence(choice.label)}
            </Text>
            <dl className={about === 'overlap' ? styles.stacked : undefined}>
              {choice.examples.map(({ written, read }) => (
                <Example key={written} written={written} read={about === 'date_order' ? dateText(read) : read} />
              ))}
              {more > 0 && <dt>{say('imports.previewStep.andMoreLinesMarked', { more })}</dt>}
            </dl>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`${ANSWERS[about] ?? say('imports.previewStep.readItLikeThis')}: ${choice.label}`}
              onClick={() => process.readBy({ answers: importAnswers.parse({ [about]: choice.value }) })}
              data-testid={`answer-${choice.value}`}
            >
              {ANSWERS[about] === undefined
                ? say('imports.previewStep.readItLikeThis')
                : say('imports.previewStep.theyAre', { label: choice.label })}
            </Button>
          </section>
        ))}
      </div>
    </Alert>
  );
}

function Example({ written, read }: { readonly written: string; readonly read: string }) {
  return (
    <>
      <dt>{written}</dt>
      <dd>{read}</dd>
    </>
  );
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Asks for the currency of a file that names none: a likely one, or any other by its code. */
function CurrencyQuestion({ process, question }: { readonly process: ImportProcess; readonly question: OpenQuestion }) {
  const [typed, setTyped] = useState('');
  const isCode = /^[A-Z]{3}$/.test(typed);
  const answer = (currency: string): void => process.retarget({ ...process.flow.target, currency });
  return (
    <Alert
      color="orange"
      icon={<IconHelpCircle size={20} aria-hidden />}
      title={say('imports.previewStep.whichCurrencyIsIt')}
      data-testid="question-currency"
    >
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
              aria-label={say('imports.previewStep.currencyAsThreeLetters')}
              placeholder={
                question.choices.length === 0 ? say('imports.previewStep.threeLettersGbp') : say('imports.previewStep.anotherThreeLetters')
              }
              value={typed}
              maxLength={3}
              onChange={(event) => setTyped(event.currentTarget.value.toUpperCase().trim())}
              data-testid="question-currency-code"
            />
            <Button type="submit" size="compact-sm" variant="default" disabled={!isCode} data-testid="question-currency-answer">
              {say('imports.previewStep.readItSo')}
            </Button>
          </Group>
        </form>
      </Group>
    </Alert>
  );
}

/** Asks for the year of dates that have none: one that the file suggests, or any other. */
function YearQuestion({ process, question }: { readonly process: ImportProcess; readonly question: OpenQuestion }) {
  const [typed, setTyped] = useState('');
  const said = importAnswers.safeParse({ year: typed });
  return (
    <Alert color="orange" icon={<IconHelpCircle size={20} aria-hidden />} title={TITLES.year} data-testid="question-year">
      <Text size="sm" mb="sm">
        {question.message}
      </Text>
      <Group gap="xs">
        {question.choices.map(({ value, label }) => (
          <Button
            key={value}
            size="compact-sm"
            variant="default"
            onClick={() => process.readBy({ answers: { year: value } })}
            data-testid={`answer-${value}`}
          >
            {label}
          </Button>
        ))}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (said.success) process.readBy({ answers: said.data });
          }}
        >
          <Group gap="xs">
            <TextInput
              size="xs"
              w={170}
              aria-label={say('imports.previewStep.yearInFourDigits')}
              placeholder={say('imports.previewStep.yearInFourDigits')}
              value={typed}
              maxLength={4}
              inputMode="numeric"
              onChange={(event) => setTyped(event.currentTarget.value.trim())}
              data-testid="question-year-typed"
            />
            <Button type="submit" size="compact-sm" variant="default" disabled={!said.success} data-testid="question-year-answer">
              {say('imports.previewStep.readItInThisYear')}
            </Button>
          </Group>
        </form>
      </Group>
    </Alert>
  );
}
