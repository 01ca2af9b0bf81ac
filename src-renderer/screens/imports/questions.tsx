import { Alert, Button, Text } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import type { ImportAnswers, OpenQuestion } from '../../../src-shared/contract/index.ts';
import { importAnswers } from '../../../src-shared/contract/imports/import-questions.ts';
import { counted } from '../../format/counts.ts';
import { dateText } from '../../format/dates.ts';
import styles from './import.module.css';
import type { ImportProcess } from './use-import.ts';
import { CurrencyQuestion } from './currency-question.tsx';
import { MoneyOutQuestion } from './money-out-question.tsx';

interface QuestionsProps {
  readonly process: ImportProcess;
  readonly questions: readonly OpenQuestion[];
  /** Lines that may be in the stream already. */
  readonly overlapping: number;
}

/** What the file leaves open: its readings side by side, of which one is to be chosen. */
export function Questions({ process, questions, overlapping }: QuestionsProps) {
  return questions.map((question) =>
    question.about === 'currency' ? (
      <CurrencyQuestion key={question.about} process={process} question={question} />
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
  date_order: 'In which order are the dates?',
  decimal_mark: 'Are these thousands or decimals?',
  sign_model: 'Which column is money in?',
  money_out: 'Which words mean money out?',
  overlap: 'The same lines, or new ones?',
  batch_lines: 'One line, or a line for each transaction?',
};

/** What a button says of what its choice is, where nothing is read another way. */
const ANSWERS: Readonly<Partial<Record<keyof ImportAnswers, string>>> = { overlap: 'They are' };

interface QuestionProps {
  readonly process: ImportProcess;
  readonly question: OpenQuestion;
  readonly about: keyof ImportAnswers;
  /** What it is about, where more of it is listed below than the choices show. */
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
              {more > 0 && <dt>{`and ${counted(more, 'more line')}, marked among the rows below`}</dt>}
            </dl>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={`${ANSWERS[about] ?? 'Read it like this'}: ${choice.label}`}
              onClick={() => process.readBy({ answers: importAnswers.parse({ [about]: choice.value }) })}
              data-testid={`answer-${choice.value}`}
            >
              {ANSWERS[about] === undefined ? 'Read it like this' : `They are ${choice.label}`}
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
