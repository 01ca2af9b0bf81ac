import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { contractHash } from '../support/references/contract-hash.ts';
import { contract, type Operation } from '../../src-shared/contract/index.ts';

const CHANGELOG = path.resolve(import.meta.dirname, '../../CHANGELOG.md');

/** The hash under the newest version, or null. */
function recordedHash(): string | null {
  const text = existsSync(CHANGELOG) ? readFileSync(CHANGELOG, 'utf8') : '';
  const newest = text.split(/^## /m)[1] ?? '';
  return /^Contract: ([0-9a-f]{64})$/m.exec(newest)?.[1] ?? null;
}

it('every change of the wire is noted in the changelog', () => {
  const hash = contractHash();
  expect(
    recordedHash(),
    `The wire has changed. Note what changed under the newest version of CHANGELOG.md and set its line to "Contract: ${hash}".`,
  ).toBe(hash);
});

const table: Record<string, Operation> = { 'streams.get': contract['streams.get'], 'rules.create': contract['rules.create'] };
const changed = (change: Partial<Operation>) =>
  contractHash({ ...table, 'streams.get': { ...(contract['streams.get'] as Operation), ...change } });

it('the hash sees what a client can see, and not the words', () => {
  const hash = contractHash(table);
  expect(contractHash({ 'rules.create': contract['rules.create'], 'streams.get': contract['streams.get'] })).toBe(hash);
  expect(changed({ summary: 'Other words' })).toBe(hash);
  expect(changed({ input: z.strictObject({ key: z.string().meta({ description: 'Other words' }) }) })).toBe(hash);
});

it.each<Partial<Operation>>([
  { method: 'POST' },
  { path: '/streams/{key}' },
  { permission: 'read_write' },
  { surface: 'app' },
  { status: 201 },
  { doneStatus: 204 as const },
  { errors: ['conflict'] },
  { query: ['key'] },
  { input: z.strictObject({ key: z.string().max(5) }) },
  { input: z.strictObject({ key: z.string().default('bank') }) },
  { input: z.object({ key: z.string() }) },
  { output: z.null() },
])('the hash sees %o', (change) => {
  expect(changed(change)).not.toBe(contractHash(table));
});
