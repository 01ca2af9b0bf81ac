import { expect, it } from 'vitest';
import { codeUnder, entriesUnder, readSource } from './sources.ts';
import { lockfileFaults, machinePathFaults, styleFaults, tidyFaults } from './tidy-check.ts';

const FOLDERS = ['src-main', 'src-renderer', 'src-shared', 'test', 'resources', '.ci'];
const TOP_FILES = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'electron.vite.config.ts',
];
const TEXT = /\.(ts|tsx|mjs|js|json|md|html|css|svg|csv|tsv|sql|sh|yml|yaml)$|\/run$/;

const code = codeUnder('src-main', 'src-renderer', 'src-shared', 'test');
const texts = [...FOLDERS.flatMap((folder) => entriesUnder(folder).files).filter((file) => TEXT.test(file)), ...TOP_FILES].map(readSource);

it('uses nothing that is banned', () => {
  expect(code.length).toBeGreaterThan(20);
  expect(code.flatMap(tidyFaults)).toEqual([]);
});

it('names no path of one machine', () => {
  expect(texts.flatMap(machinePathFaults)).toEqual([]);
});

it('ties the lockfile to no registry', () => {
  expect(lockfileFaults(readSource('package-lock.json').text)).toEqual([]);
});

it('defines every class of a style sheet that a component uses, and uses every class that is defined', () => {
  const sheets = entriesUnder('src-renderer')
    .files.filter((file) => file.endsWith('.module.css'))
    .map(readSource);
  expect(sheets.length).toBeGreaterThan(10);
  expect(styleFaults(sheets, codeUnder('src-renderer'))).toEqual([]);
});
