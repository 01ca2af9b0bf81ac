/** Adds up the JSON reports, checks every skip against test/expected-skips.json, and prints the last line of the check. */
import fs from 'node:fs';
import util from 'node:util';

const [unitFile, restFile, longFile, sparkFile, browserFile, expectedFile] = process.argv.slice(2);
const read = (file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null);
const problems = [];

/** Returns the first lines of a failure, which include the seed and the case of a property. */
const whyOf = (messages) =>
  util
    .stripVTControlCharacters(messages.join('\n'))
    .split('\n')
    .slice(0, 12)
    .map((line) => `    ${line.slice(0, 400)}`)
    .join('\n');

/** Returns the results of a vitest report as [{title, outcome, reason, why}]. */
function unitResults(report) {
  if (report === null) return [];
  return report.testResults.flatMap((file) => {
    // A file that fails to load has no tests that could fail.
    if (file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed')) {
      return [{ title: `${file.name}: ${file.message}`, outcome: 'failed' }];
    }
    return file.assertionResults.map((test) => ({
      title: test.fullName,
      outcome: { passed: 'passed', failed: 'failed' }[test.status] ?? 'skipped',
      // Its report has no place of its own for why a test was skipped.
      reason: test.meta?.reason ?? '',
      why: whyOf(test.failureMessages ?? []),
    }));
  });
}

/** Returns the results of a Playwright report in the same form, from its tree of suites. */
function browserResults(report) {
  if (report === null) return [];
  const specs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specs)];
  const results = report.suites.flatMap(specs).flatMap((spec) =>
    spec.tests.map((test) => ({
      title: spec.title,
      outcome: { expected: 'passed', flaky: 'passed', skipped: 'skipped' }[test.status] ?? 'failed',
      again: test.status === 'flaky',
      reason: test.annotations.find((annotation) => annotation.type === 'skip')?.description ?? '',
      why: whyOf((test.results ?? []).flatMap(({ errors }) => errors ?? []).map(({ message }) => message ?? '')),
    })),
  );
  return [...results, ...report.errors.map((error) => ({ title: error.message, outcome: 'failed' }))];
}

const unit = unitResults(read(unitFile));
const rest = unitResults(read(restFile));
const long = unitResults(read(longFile));
// Without Spark its tests do not run, which is one skip.
const spark = fs.existsSync(sparkFile)
  ? unitResults(read(sparkFile))
  : [{ title: 'the tests with Spark', outcome: 'skipped', reason: 'SPARK_HOME names no Spark on this machine' }];
const browser = browserResults(read(browserFile));
if (!unit.some((test) => test.outcome === 'passed')) problems.push('No test ran.');
if (!rest.some((test) => test.outcome === 'passed')) problems.push('None of the other tests ran.');
if (!long.some((test) => test.outcome === 'passed')) problems.push('No long test ran.');
if (!browser.some((test) => test.outcome === 'passed')) problems.push('No browser test ran.');

const expected = JSON.parse(fs.readFileSync(expectedFile, 'utf8'));
const all = [...unit, ...rest, ...long, ...spark, ...browser];
for (const test of all) {
  if (test.outcome === 'failed') problems.push(`Failed: ${test.title}${test.why ? `\n${test.why}` : ''}`);
  if (test.again) process.stderr.write(`PASSED AT THE SECOND ATTEMPT: ${test.title}\n${test.why}\n`);
  if (test.outcome !== 'skipped') continue;
  const isNamed = expected.some((skip) => skip.title === test.title && skip.reason === test.reason);
  if (isNamed) process.stderr.write(`SKIPPED: ${test.title}: ${test.reason}\n`);
  else problems.push(`Skipped without being named in ${expectedFile} with this reason: ${test.title}: ${test.reason}`);
}

for (const problem of problems) process.stderr.write(`${problem}\n`);
const count = (outcome) => all.filter((test) => test.outcome === outcome).length;
process.stdout.write(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
