import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const statement = path.resolve(import.meta.dirname, '../../../../src-main/domain/statement');

/** Reads files one after the other in a process of its own; answers how many modules of the workbook library were loaded after each. */
function loadedAfter(...sources: readonly string[]): string[] {
  const program = `
    import { registerHooks } from 'node:module';
    let found = 0;
    registerHooks({ load: (url, context, next) => { if (url.includes('xlsx')) found += 1; return next(url, context); } });
    const { readStatement } = await import(${JSON.stringify(path.join(statement, 'read.ts'))});
    for (const bytes of [${sources.join(', ')}]) {
      readStatement(bytes, { filename: 'a', currency: null }, { onProgress: () => undefined, isCancelled: () => false });
      console.log(found);
    }`;
  return execFileSync(process.execPath, ['--input-type=module', '--no-warnings', '-e', program], { encoding: 'utf8' }).trim().split('\n');
}

it('the workbook library is loaded when a workbook is read, and not before', () => {
  const table = `Buffer.from('Date,Text,Amount\\n2026-06-01,Rent,-9.00\\n')`;
  const workbook = `Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(4096)])`;
  expect(loadedAfter(table, workbook)).toEqual(['0', '1']);
});
