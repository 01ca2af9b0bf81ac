import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { changeWords, entryWords, isOwnChange, WORDED_ACTIONS } from '../../../src-main/service/change-words.ts';

const SOURCE = path.resolve(import.meta.dirname, '../../../src-main');

/** Actions of audit entries that the source names beside the word `action` or hands to a function that appends one; columns of `storedJson` are none. */
function actionsOfSource(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const named = files.flatMap((file) => {
    const text = readFileSync(path.join(SOURCE, file), 'utf8');
    const entries = [...text.matchAll(/\baction: ([^,;\n]+)/g), ...text.matchAll(/\b(?:audit|audited|auditMatch)\(([^;]+?)\);/gs)];
    return entries.flatMap(([, said = '']) =>
      [...said.replaceAll(/storedJson\('[^']*'/g, '').matchAll(/'([a-z_]+\.[a-z_]+)'/g)].map(([, action = '']) => action),
    );
  });
  return [...new Set([...named, ...['prepared', 'reviewed', 'closed', 'reopened'].map((done) => `period.${done}`)])];
}

test('every change that the audit log can hold has words in plain English', () => {
  const actions = actionsOfSource();
  expect(actions.length).toBeGreaterThan(60);
  expect(actions.filter((action) => !WORDED_ACTIONS.includes(action))).toEqual([]);
  for (const action of WORDED_ACTIONS.filter(isOwnChange)) {
    for (const count of [1, 3]) expect(changeWords(action, count)).toMatch(count === 1 ? /^1 .+ was .+[a-z]$/ : /^3 .+ were .+[a-z]$/);
    expect(changeWords(action, 3)).not.toMatch(/[_.]/);
  }
  for (const action of WORDED_ACTIONS) expect(entryWords(action)).toMatch(/^[A-Z][a-z]+ [^_.]*[a-z]$/);
});

test('no words are kept for a change that nothing makes', () => {
  const actions = new Set(actionsOfSource());
  // The source names this one by a constant.
  actions.add('book.backed_up');
  expect(WORDED_ACTIONS.filter((action) => !actions.has(action))).toEqual([]);
});
