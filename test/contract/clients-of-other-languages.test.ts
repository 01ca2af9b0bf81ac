import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { openApiDocument } from '../../src-main/transport/openapi/openapi.ts';
import { openTestBook } from '../support/books/backend.ts';
import { longTest, skipUnless } from '../support/long.ts';
import { temporaryFolder } from '../support/processes/run-cli.ts';

const run = promisify(execFile);
const CLIENTS = path.resolve(import.meta.dirname, '../clients');
const GENERATOR = 'openapi-python-client==0.29.1';
const WITHIN = { timeout: 900_000 };

/** Runs a program in a folder, and returns what it printed. */
async function printed(folder: string, program: string, ...given: readonly string[]): Promise<string> {
  const { stdout } = await run(program, given, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

/** Whether a program, or what it would fetch, can be had on this machine. */
async function canRun(program: string, ...given: readonly string[]): Promise<boolean> {
  return await run(program, given).then(
    () => true,
    () => false,
  );
}

/** Serves an empty book, and lays its document of 3.0 into a folder with the files of a client. */
async function served(language: string) {
  const book = await openTestBook();
  const server = await book.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
  onTestFinished(() => server.close());
  const folder = temporaryFolder();
  fs.cpSync(path.join(CLIENTS, language), folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'openapi.json'), JSON.stringify(openApiDocument('0.0.0', '3.0', server.baseUrl)));
  return { folder, given: [server.baseUrl, server.apiKey] };
}

// Maven ends what it prints with codes for colours.
const lastLine = (text: string): unknown => JSON.parse(stripVTControlCharacters(text).trimEnd().split('\n').at(-1) ?? '') as unknown;
const MONTH = { matched: 1, open: '-4.25', unexplained: '0.00', state: 'closed', refused: 404 };

longTest("a client that Python's generator makes of the document of 3.0 keeps a month", WITHIN, async (context) => {
  const { folder, given } = await served('python');
  const own = (program: string) => path.join(folder, 'own', 'bin', program);
  const isThere =
    (await canRun('python3', '-m', 'venv', path.join(folder, 'own'))) &&
    (await canRun(own('python'), '-m', 'pip', 'install', '-q', GENERATOR));
  skipUnless(isThere, context, "Python's generator of clients could not be fetched");
  const made = ['generate', '--path', 'openapi.json', '--output-path', 'made', '--meta', 'none'];
  // It says so where it leaves out an operation that it cannot read.
  expect(await printed(folder, own('openapi-python-client'), ...made)).not.toMatch(/pieces may be missing/);
  expect(lastLine(await printed(folder, own('python'), 'month.py', ...given))).toEqual(MONTH);
});

longTest("a client that Java's generator makes of the document of 3.0 keeps a month", WITHIN, async (context) => {
  const { folder, given } = await served('java');
  const isThere = await canRun('mvn', '-q', '-B', '-f', folder, 'dependency:resolve', 'dependency:resolve-plugins');
  skipUnless(isThere, context, "Java's generator of clients could not be fetched");
  const answer = await printed(folder, 'mvn', '-q', '-B', 'compile', 'exec:java', `-Dexec.args=${given.join(' ')}`);
  expect(lastLine(answer)).toEqual(MONTH);
});
