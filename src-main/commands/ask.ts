import { createInterface } from 'node:readline/promises';
import type { OpenQuestion } from '../../src-shared/contract/index.ts';
import { questionLines } from './import-lines.ts';
import { CommandError, EXIT, type Output } from './output.ts';

/** Asks somebody, and answers the value of the choice; of words that mean money out any number of them. */
export type Ask = (question: OpenQuestion) => Promise<readonly string[]>;

/** Asks on the terminal; null where nobody sits before one, or a program reads the answer of the command. */
export function askOnTerminal(output: Output): Ask | null {
  if (output.json || !process.stdin.isTTY || !process.stderr.isTTY) return null;
  return (question) => askOn(process.stdin, process.stderr, question);
}

/** Asks until one of the choices is given, by its number or its value, or a currency by its letters; without an answer nothing is imported. */
export async function askOn(
  input: NodeJS.ReadableStream,
  terminal: NodeJS.WritableStream,
  question: OpenQuestion,
): Promise<readonly string[]> {
  const { about, choices } = question;
  const lines = createInterface({ input });
  const isOfSeveral = about === 'money_out';
  const byNumber = choices.length === 0 ? '' : `1 to ${choices.length}`;
  const byLetters = about === 'currency' ? 'three letters' : isOfSeveral ? 'several with spaces between, or none' : '';
  const prompt = `${[byNumber, byLetters].filter((way) => way !== '').join(', or ')}: `;
  try {
    const [asked = '', ...told] = questionLines(question);
    terminal.write(
      `${[asked, ...told.map((line, index) => `  ${index < choices.length ? `${index + 1}: ` : ''}${line.trim()}`)].join('\n')}\n${prompt}`,
    );
    for await (const line of lines) {
      const said = line.trim();
      const several = isOfSeveral ? severalOf(said, question) : null;
      if (several !== null) return several;
      const chosen = choices[Number(said) - 1] ?? choices.find(({ value }) => value === said);
      if (chosen !== undefined) return [chosen.value];
      if (about === 'currency' && /^[A-Za-z]{3}$/.test(said)) return [said.toUpperCase()];
      terminal.write(`Answer by ${byNumber === '' ? '' : 'a number from '}${prompt}`);
    }
  } finally {
    lines.close();
  }
  throw new CommandError(EXIT.asked, 'not_answered', 'The question was not answered. Nothing was imported.');
}

/** Numbers of several choices; null where it is something else. A word may be `none`, or a number, so a choice that is called so goes before. */
function severalOf(said: string, { choices }: OpenQuestion): readonly string[] | null {
  if (choices.some(({ value }) => value === said)) return null;
  if (said.toLowerCase() === 'none') return [];
  const chosen = said.split(/[\s,]+/).map((number) => choices[Number(number) - 1]?.value);
  return chosen.every((value) => value !== undefined) ? [...new Set(chosen)] : null;
}
