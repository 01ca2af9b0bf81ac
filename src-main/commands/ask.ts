import { createInterface } from 'node:readline/promises';
import type { OpenQuestion } from '../../src-shared/contract/index.ts';
import { questionLines } from './import-lines.ts';
import { CommandError, EXIT, type Output } from './output.ts';

/** Asks somebody, and answers the value of the choice. */
export type Ask = (question: OpenQuestion) => Promise<string>;

/** Asks on the terminal; null where nobody sits before one, or a program reads the answer of the command. */
export function askOnTerminal(output: Output): Ask | null {
  if (output.json || !process.stdin.isTTY || !process.stderr.isTTY) return null;
  return (question) => askOn(process.stdin, process.stderr, question);
}

/** Asks until one of the choices is given, by its number or its value, or a currency by its letters; without an answer nothing is imported. */
export async function askOn(input: NodeJS.ReadableStream, terminal: NodeJS.WritableStream, question: OpenQuestion): Promise<string> {
  const { about, choices } = question;
  const lines = createInterface({ input });
  const byNumber = choices.length === 0 ? '' : `1 to ${choices.length}`;
  const byLetters = about === 'currency' ? 'three letters' : '';
  const prompt = `${[byNumber, byLetters].filter((way) => way !== '').join(', or ')}: `;
  try {
    const [asked = '', ...told] = questionLines(question);
    terminal.write(
      `${[asked, ...told.map((line, index) => `  ${index < choices.length ? `${index + 1}: ` : ''}${line.trim()}`)].join('\n')}\n${prompt}`,
    );
    for await (const line of lines) {
      const said = line.trim();
      const chosen = choices[Number(said) - 1] ?? choices.find(({ value }) => value === said);
      if (chosen !== undefined) return chosen.value;
      if (about === 'currency' && /^[A-Za-z]{3}$/.test(said)) return said.toUpperCase();
      terminal.write(`Answer by ${byNumber === '' ? '' : 'a number from '}${prompt}`);
    }
  } finally {
    lines.close();
  }
  throw new CommandError(EXIT.asked, 'not_answered', 'The question was not answered. Nothing was imported.');
}
