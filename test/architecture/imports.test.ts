import { expect, it } from 'vitest';
import { bridgeFaults, entranceFaults, importFaults, importRings, importsOf, roomFaults } from './import-check.ts';
import { LAYERS } from './import-table.ts';
import { NOUNS } from './room-table.ts';
import { codeUnder } from './sources.ts';

const sources = codeUnder('src-main', 'src-renderer', 'src-shared');

it('sees the files and their imports', () => {
  expect(sources.map(({ file }) => file)).toEqual(expect.arrayContaining(['src-shared/contract/index.ts', 'src-main/backend/types.ts']));
  expect(sources.flatMap(importsOf).length).toBeGreaterThan(50);
});

it('imports run along the table', () => {
  expect(sources.flatMap(importFaults)).toEqual([]);
});

it('imports between rooms run along their table', () => {
  expect(sources.flatMap(roomFaults)).toEqual([]);
});

it('enters a part of the domain by its one file', () => {
  expect(sources.flatMap(entranceFaults)).toEqual([]);
});

it('knows the shell in src-renderer/api alone', () => {
  expect(sources.flatMap(bridgeFaults)).toEqual([]);
});

it('has no rings of imports, types included', () => {
  expect(importRings(sources)).toEqual([]);
});

it.each([
  ['electron', ['src-main/main.ts', 'src-main/preload', 'src-main/shell']],
  ['better-sqlite3', ['src-main/book/store', 'src-main/database']],
  ['kysely', ['src-main/database', ...Object.keys(NOUNS).map((noun) => `src-main/${noun}/store`)]],
  ['papaparse', ['src-shared/values/csv.ts']],
])('the table lets %s into its own place alone', (name, places) => {
  const layers = LAYERS.filter(({ packages }) => packages.some((entry) => entry.replace('types:', '') === name));
  expect(layers.map(({ layer }) => layer).toSorted()).toEqual(places.toSorted());
});

it('the table keeps the client behind src-renderer/api, and the domain pure', () => {
  const renderer = LAYERS.filter(({ layer, imports }) => layer.startsWith('src-renderer') && imports.includes('src-shared/client'));
  expect(renderer.map(({ layer }) => layer)).toEqual(['src-renderer/api']);
  expect(LAYERS.find(({ layer }) => layer === 'src-main/domain')?.builtins).toEqual(['node:crypto']);
});
