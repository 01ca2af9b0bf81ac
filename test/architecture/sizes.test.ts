import { expect, it } from 'vitest';
import { fileSizeFaults, functionSizeFaults } from './size-check.ts';
import { codeUnder } from './sources.ts';

const product = codeUnder('src-main', 'src-renderer', 'src-shared');
const tests = codeUnder('test');

it('keeps files short', () => {
  expect(product.length).toBeGreaterThan(20);
  expect([...product, ...tests].flatMap(fileSizeFaults)).toEqual([]);
});

it('keeps functions short', () => {
  expect(product.flatMap(functionSizeFaults)).toEqual([]);
});
