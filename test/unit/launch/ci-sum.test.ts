import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';

const program = path.resolve(import.meta.dirname, '../../../.ci/sum.mjs');

let folder = '';
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-sum-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const unitTest = (title: string, status: string) => ({ fullName: title, status });
const unitReport = (...tests: readonly object[]) => ({
  testResults: [{ name: 'a.test.ts', status: 'passed', message: '', assertionResults: tests }],
});
const browserTest = (title: string, status: string, reason?: string) => ({
  title,
  tests: [{ status, annotations: reason === undefined ? [] : [{ type: 'skip', description: reason }] }],
});
/** Suites lie in suites, as Playwright writes them. */
const browserReport = (...specs: readonly object[]) => ({ suites: [{ specs: [], suites: [{ specs }] }], errors: [] as object[] });

const write = (name: string, value: unknown): string => {
  const file = path.join(folder, name);
  if (value === null) fs.rmSync(file, { force: true });
  else fs.writeFileSync(file, JSON.stringify(value));
  return file;
};

/** On a thread: a process of its own for each case took most of the time. */
async function sum(
  unit: unknown,
  browser: unknown,
  long: unknown = unitReport(unitTest('l', 'passed')),
  rest: unknown = unitReport(unitTest('r', 'passed')),
  spark: unknown = unitReport(),
): Promise<{ readonly code: number; readonly last: string; readonly stderr: string }> {
  const expected = write('expected.json', [{ title: 'true runtime', reason: 'not here' }]);
  const reports = { unit, rest, long, spark, e2e: browser };
  const argv = [...Object.entries(reports).map(([name, report]) => write(`${name}.json`, report)), expected];
  const worker = new Worker(program, { argv, stdout: true, stderr: true });
  const [[code], stdout, stderr] = await Promise.all([once(worker, 'exit') as Promise<[number]>, text(worker.stdout), text(worker.stderr)]);
  return { code, last: stdout.trim().split('\n').at(-1) ?? '', stderr };
}

const passed = unitReport(unitTest('a', 'passed'), unitTest('b', 'passed'));
const browserPassed = browserReport(browserTest('c', 'expected'));

test('sums all reports; a skip that is named with its reason is fine', async () => {
  const ended = await sum(passed, browserReport(browserTest('c', 'expected'), browserTest('true runtime', 'skipped', 'not here')));
  expect(ended).toMatchObject({ code: 0, last: '5 passed, 0 failed, 1 skipped' });
  expect(ended.stderr).toContain('SKIPPED: true runtime: not here');
});

test('says why a test failed, with the seed of a property', async () => {
  const why = 'Error: \u001b[31mProperty failed\u001b[39m\n{ seed: 7 }';
  const failed = { ...unitTest('b', 'failed'), failureMessages: [why] };
  const inWindow = {
    title: 'd',
    tests: [{ status: 'unexpected', annotations: [], results: [{ errors: [{ message: 'no such button' }] }] }],
  };
  const { stderr } = await sum(unitReport(failed), browserReport(inWindow));
  expect(stderr).toContain('Failed: b\n    Error: Property failed\n    { seed: 7 }\nFailed: d\n    no such button\n');
});

test.each([
  ['a failed test', unitReport(unitTest('a', 'passed'), unitTest('b', 'failed')), browserPassed, '4 passed, 1 failed, 0 skipped'],
  [
    'a failed browser test',
    passed,
    browserReport(browserTest('c', 'expected'), browserTest('d', 'unexpected')),
    '5 passed, 1 failed, 0 skipped',
  ],
  ['a skip nobody named', unitReport(unitTest('a', 'passed'), unitTest('b', 'skipped')), browserPassed, '4 passed, 0 failed, 1 skipped'],
  ['a test put off', unitReport(unitTest('a', 'passed'), unitTest('b', 'todo')), browserPassed, '4 passed, 0 failed, 1 skipped'],
  [
    'another reason',
    passed,
    browserReport(browserTest('c', 'expected'), browserTest('true runtime', 'skipped', 'tired')),
    '5 passed, 0 failed, 1 skipped',
  ],
  ['no test', unitReport(), browserPassed, '3 passed, 0 failed, 0 skipped'],
  ['no browser test', passed, browserReport(), '4 passed, 0 failed, 0 skipped'],
  ['no report', null, browserPassed, '3 passed, 0 failed, 0 skipped'],
  [
    'a broken file',
    { testResults: [{ name: 'x', status: 'failed', message: 'syntax', assertionResults: [] }] },
    browserPassed,
    '3 passed, 1 failed, 0 skipped',
  ],
  ['a broken browser file', passed, { ...browserPassed, errors: [{ message: 'syntax' }] }, '5 passed, 1 failed, 0 skipped'],
])('%s fails the check', async (_, unit, browser, last) => {
  expect(await sum(unit, browser)).toMatchObject({ code: 1, last });
});

test('names a browser test that passed at its second attempt, with the failure of the first', async () => {
  const flaky = { title: 'd', tests: [{ status: 'flaky', annotations: [], results: [{ errors: [{ message: 'too late' }] }, {}] }] };
  const { code, last, stderr } = await sum(passed, browserReport(browserTest('c', 'expected'), flaky));
  expect([code, last]).toEqual([0, '6 passed, 0 failed, 0 skipped']);
  expect(stderr).toContain('PASSED AT THE SECOND ATTEMPT: d\n    too late');
});

test('counts the tests with Spark, which are one skip that has to be named where it is not', async () => {
  const ran = await sum(passed, browserPassed, undefined, undefined, unitReport(unitTest('s', 'passed')));
  expect(ran).toMatchObject({ code: 0, last: '6 passed, 0 failed, 0 skipped' });
  const absent = await sum(passed, browserPassed, undefined, undefined, null);
  expect(absent).toMatchObject({ code: 1, last: '5 passed, 0 failed, 1 skipped' });
  expect(absent.stderr).toContain('the tests with Spark: SPARK_HOME names no Spark on this machine');
});

test.each([
  ['no long test', null, '4 passed, 0 failed, 0 skipped'],
  ['a failed long test', unitReport(unitTest('l', 'passed'), unitTest('m', 'failed')), '5 passed, 1 failed, 0 skipped'],
])('%s fails the check', async (_, long, last) => {
  expect(await sum(passed, browserPassed, long)).toMatchObject({ code: 1, last });
});

test.each([
  ['none of the other tests', null, '4 passed, 0 failed, 0 skipped'],
  ['a failed other test', unitReport(unitTest('r', 'passed'), unitTest('s', 'failed')), '5 passed, 1 failed, 0 skipped'],
])('%s fails the check', async (_, rest, last) => {
  expect(await sum(passed, browserPassed, unitReport(unitTest('l', 'passed')), rest)).toMatchObject({ code: 1, last });
});
