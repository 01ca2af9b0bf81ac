import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { emptyFolderFaults, linkFaults, readmeFaults } from './readme-check.ts';
import { entriesUnder, readSource, repository } from './sources.ts';

const exists = (file: string): boolean => fs.existsSync(path.join(repository, file));
const TOPS = ['src-main', 'src-renderer', 'src-shared'];
const product = TOPS.map(entriesUnder);
const everything = [...product, entriesUnder('test'), entriesUnder('resources')];

it('each room says what lives there', () => {
  expect(readmeFaults(product.flatMap((entries) => entries.files))).toEqual([]);
});

it('has no empty folders', () => {
  const folders = everything.flatMap((entries) => entries.folders);
  const files = everything.flatMap((entries) => entries.files);
  expect(emptyFolderFaults(folders, files)).toEqual([]);
});

it('links to what exists', () => {
  const inFolders = everything.flatMap((entries) => entries.files).filter((file) => file.endsWith('.md'));
  const texts = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...inFolders].map(readSource);
  expect(texts.flatMap((text) => linkFaults(text, exists))).toEqual([]);
});
