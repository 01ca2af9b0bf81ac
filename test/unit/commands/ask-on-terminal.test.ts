import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askOn, askPasswordOn } from '../../../src-main/commands/import.ts';
import type { OpenQuestion } from '../../../src-shared/contract/index.ts';

const QUESTION = {
  about: 'date_order' as const,
  column: 'Date',
  message: 'Which order?',
  taken: 'dmy',
  choices: [
    { value: 'dmy', label: 'day first', examples: [{ written: '01/02/2026', read: '2026-02-01' }] },
    { value: 'mdy', label: 'month first', examples: [{ written: '01/02/2026', read: '2026-01-02' }] },
  ],
};

function asked(typed: string, question: OpenQuestion = QUESTION) {
  const [input, terminal] = [new PassThrough(), new PassThrough()];
  input.end(typed);
  return { answer: askOn(input, terminal, question), told: () => String(terminal.read() ?? '') };
}

test.each([
  ['2\n', 'mdy'],
  ['dmy\n', 'dmy'],
  ['9\n\nperhaps\n1\n', 'dmy'],
])('asks until a choice is given by its number or its value: %j', async (typed, value) => {
  const { answer, told } = asked(typed);
  expect(await answer).toEqual([value]);
  expect(told()).toContain('2: --date-order mdy: month first (01/02/2026 is 2026-01-02)');
});

const WORDS: OpenQuestion = {
  about: 'money_out',
  column: 'Kind',
  message: 'Which words?',
  taken: '',
  choices: ['X', 'Y', '3'].map((value) => ({
    value,
    label: `${value}, 2 rows`,
    examples: [{ written: `row 2: ${value}`, read: 'money out' }],
  })),
};

test.each([
  ['1\n', ['X']],
  ['2, 1 2\n', ['Y', 'X']],
  ['Y\n', ['Y']],
  ['3\n', ['3']],
  ['none\n', []],
  ['1 4\n\nNone\n', []],
])('takes several of the words that may mean money out, or none: %j', async (typed, values) => {
  const { answer, told } = asked(typed, WORDS);
  expect(await answer).toEqual(values);
  expect(told()).toContain(
    '1: --money-out X: X, 2 rows (row 2: X)\n  2: --money-out Y: Y, 2 rows (row 2: Y)\n  3: --money-out 3: 3, 2 rows (row 2: 3)\n  --no-money-out: none of them',
  );
});

test('takes a year that is offered, or any other', async () => {
  const question = { about: 'year' as const, column: null, message: 'Which year?', taken: '' };
  const choices = ['2026', '2025'].map((value) => ({ value, label: value, examples: [{ written: '3 Mar', read: value }] }));
  expect(await asked('2\n', { ...question, choices }).answer).toEqual(['2025']);
  const { answer, told } = asked('26\n2019\n', { ...question, choices: [] });
  expect(await answer).toEqual(['2019']);
  expect(told()).toContain('? Which year?\nfour digits: ');
});

test('without an answer nothing is imported', async () => {
  await expect(asked('7\n').answer).rejects.toMatchObject({ code: 'not_answered', exitCode: 4 });
});

test.each([
  ['a password', 'spec 1990\n', false],
  ['a password after an empty line', '\nspec 1990\n', false],
  ['another password after a wrong one', 'spec 1990\n', true],
])('asks for %s without showing it', async (_name, typed, isWrong) => {
  const [input, terminal] = [new PassThrough(), new PassThrough()];
  input.end(typed);
  expect(await askPasswordOn(input, terminal, 'march.pdf', isWrong)).toBe('spec 1990');
  const told = String(terminal.read());
  expect(told).toContain('Password of march.pdf');
  expect(told.includes('does not open march.pdf')).toBe(isWrong);
  expect(told).not.toContain('spec');
});

test('says that nothing was imported when no password is typed', async () => {
  const [input, terminal] = [new PassThrough(), new PassThrough()];
  input.end();
  await expect(askPasswordOn(input, terminal, 'march.pdf', false)).rejects.toThrow(/stays locked/);
});
