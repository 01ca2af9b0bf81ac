import { expect, test } from 'vitest';
import {
  advanceImport,
  hindranceOf,
  type ImportAction,
  type ImportFlow,
  startOfImport,
} from '../../../../src-renderer/state/import-flow.ts';
import { reasonToLook } from '../../../../src-renderer/state/import-queue.ts';
import type { ImportPreview, ImportResult, Misfit } from '../../../../src-shared/contract/index.ts';

const result = {
  rows: 2,
  kept: 2,
  rejected: 0,
  proof: 'unproved',
  recipe: null,
  questions: [],
  misfits: [],
  problems: [],
} as unknown as ImportResult;

function previewOf(key: string, misfits: readonly Misfit[] = []): ImportPreview {
  const suggestion = { stream_key: key, stream_name: key, is_known: false, bank_account_id: null };
  return { result: { ...result, misfits }, head: [], sheets: [], accounts: [], suggestion } as unknown as ImportPreview;
}

const fileOf = (name: string) => ({ token: name, name, byteLength: 1 });
const advance = (flow: ImportFlow, ...actions: readonly ImportAction[]): ImportFlow => actions.reduce(advanceImport, flow);
const open = (flow: ImportFlow, name: string): ImportFlow =>
  advance(flow, { type: 'file', file: fileOf(name) }, { type: 'previewed', preview: previewOf(name) });

/** Of two files that were dropped together the second one opened with the stream that was chosen for the first. */
test('a second file has a target of its own, whatever was chosen for the first, imported or not', () => {
  const first = open(startOfImport(null), 'bank');
  const chosen = advance(first, {
    type: 'target',
    target: { ...first.target, mode: 'existing', key: 'current', name: '', currency: 'GBP', bankAccount: '7' },
  });
  for (const before of [chosen, advance(chosen, { type: 'import' }, { type: 'imported', result })]) {
    expect(open(before, 'cash').target).toEqual(open(startOfImport(null), 'cash').target);
    expect(open(before, 'cash').target).toMatchObject({ mode: 'new', key: 'cash', currency: '' });
    expect(advance(before, { type: 'again' })).toEqual(startOfImport(null));
  }
});

test('a stream from whose page files are chosen stays the target of each of them', () => {
  const first = advance(open(startOfImport('bank'), 'june'), { type: 'import' }, { type: 'imported', result });
  expect(open(first, 'july').target).toEqual(startOfImport('bank').target);
});

test('a file that does not fit its stream waits for a second word, which is not carried to another stream or file', () => {
  const misfit: Misfit = { about: 'account_number', file: '2', stream: '1', message: 'The file is of account 2.' };
  const seen = (flow: ImportFlow) => advance(flow, { type: 'previewed', preview: previewOf('bank', [misfit]) });
  const held = seen(advance(startOfImport('bank'), { type: 'file', file: fileOf('cash') }));
  expect(hindranceOf(held)).toBe('misfit');
  const agreed = advance(held, { type: 'consent', consent: { ...held.consent, target: true } });
  expect(hindranceOf(agreed)).toBeNull();
  expect(hindranceOf(seen(advance(agreed, { type: 'reread' })))).toBe('misfit');
  expect(open(agreed, 'other').consent.target).toBe(false);
  expect(reasonToLook(previewOf('bank', [misfit]), 'bank')).toEqual({ state: 'look', words: misfit.message });
});
