import { expect, test } from 'vitest';
import { advanceImport, startOfImport } from '../../../../src-renderer/state/import-flow.ts';
import type { ImportPreview } from '../../../../src-shared/contract/index.ts';

/** "Choose another file" while a large one was read anew: its preview came back without a file, and the button to import did nothing. */
test('what was read of a file that was let go meanwhile is not shown', () => {
  const preview = {
    result: { rows: 1, rejected: 0, problems: [], questions: [], proof: 'unproved', recipe: null },
    head: [],
    sheets: [],
    accounts: [],
    suggestion: { stream_key: 'bank', stream_name: 'Bank', is_known: false, bank_account_id: null },
  } as unknown as ImportPreview;
  const reading = advanceImport(startOfImport(null), { type: 'file', file: { token: 'a', name: 'a.csv', byteLength: 9 } });
  expect(advanceImport(reading, { type: 'previewed', preview }).step).toBe('preview');
  const letGo = advanceImport(reading, { type: 'again' });
  expect(advanceImport(letGo, { type: 'previewed', preview })).toEqual(letGo);
});
