import { expect, it } from 'vitest';
import { emptyFolderFaults, readmeFaults } from './readme-check.ts';
import { entriesUnder } from './sources.ts';

const TOPS = ['src-main', 'src-renderer', 'src-shared'];
const product = TOPS.map(entriesUnder);
const everything = [...product, entriesUnder('test'), entriesUnder('resources')];

it('each folder of the product says what lives there', () => {
  const folders = [...TOPS, ...product.flatMap((entries) => entries.folders)];
  const files = product.flatMap((entries) => entries.files);
  expect(folders).toContain('src-shared/contract');
  expect(readmeFaults(['', ...TOPS], folders, files)).toEqual([]);
});

it('has no empty folders', () => {
  const folders = everything.flatMap((entries) => entries.folders);
  const files = everything.flatMap((entries) => entries.files);
  expect(emptyFolderFaults(folders, files)).toEqual([]);
});
