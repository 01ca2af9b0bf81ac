import { expect, test } from 'vitest';
import { advanceImport, startOfImport, targetToReadAgain } from '../../../../src-renderer/state/import-flow.ts';
import type { ImportPreview } from '../../../../src-shared/contract/index.ts';

function previewFor(suggestion: ImportPreview['suggestion']): ImportPreview {
  const result = { rows: 4, rejected: 0, problems: [], questions: [], proof: 'proved', recipe: null };
  return { result, head: [], sheets: [], accounts: [], suggestion } as unknown as ImportPreview;
}

const KNOWN = { stream_key: 'giro', stream_name: 'Giro', is_known: true, bank_account_id: null };
const NEW = { ...KNOWN, is_known: false };
const FILE = { token: 'a', name: 'june.csv', byteLength: 9 };
const readingFor = (key: string | null) => advanceImport(startOfImport(key), { type: 'file', file: FILE });

/** A recipe chose the stream, but the preview had been made without it: "4 new" of rows that were all there, and no word of its bank account or currency. */
test('a file whose recipe names a stream that is there is compared with what is in it', () => {
  expect(targetToReadAgain(readingFor(null), previewFor(KNOWN))).toMatchObject({ mode: 'existing', key: 'giro' });
  expect(targetToReadAgain(readingFor('giro'), previewFor(KNOWN))).toBeNull();
  expect(targetToReadAgain(readingFor(null), previewFor(NEW))).toBeNull();
  expect(targetToReadAgain(readingFor(null), previewFor({ ...NEW, bank_account_id: 7 }))).toMatchObject({ key: 'giro', bankAccount: '7' });
});
