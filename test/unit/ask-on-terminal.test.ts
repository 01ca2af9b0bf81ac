import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askOn } from '../../src-main/commands/ask.ts';

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

function asked(typed: string) {
  const [input, terminal] = [new PassThrough(), new PassThrough()];
  input.end(typed);
  return { answer: askOn(input, terminal, QUESTION), told: () => String(terminal.read() ?? '') };
}

test.each([
  ['2\n', 'mdy'],
  ['dmy\n', 'dmy'],
  ['9\n\nperhaps\n1\n', 'dmy'],
])('asks until a choice is given by its number or its value: %j', async (typed, value) => {
  const { answer, told } = asked(typed);
  expect(await answer).toBe(value);
  expect(told()).toContain('2: --date-order mdy: month first (01/02/2026 is 2026-01-02)');
});

test('without an answer nothing is imported', async () => {
  await expect(asked('7\n').answer).rejects.toMatchObject({ code: 'not_answered', exitCode: 4 });
});
