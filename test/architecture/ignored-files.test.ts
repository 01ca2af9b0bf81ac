import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Returns the paths in the checkout that the commands of a document write to. */
function placesWritten(text: string): string[] {
  const commands = text.match(/^(?:npm (?:run -s tieout|start)|tieout) .*$/gm) ?? [];
  return commands.flatMap((command) =>
    [...command.matchAll(/--(?:data|out|matches-out|recipe-out) ([\w./-]+)/g)].map(([, place = '']) => place),
  );
}

function isIgnored(place: string): boolean {
  try {
    execFileSync('git', ['check-ignore', '-q', '--no-index', place], { cwd: ROOT });
    return true;
  } catch {
    return false;
  }
}

it('git ignores the book, the exports and the reports that the README’s own commands leave in the checkout', () => {
  const places = new Set(placesWritten(readFileSync(path.join(ROOT, 'README.md'), 'utf8')));
  expect(places).toContain('book');
  const files = [...places].map((place) => (path.extname(place) === '' ? `${place}/book.sqlite` : place));
  expect([...files, 'june.pdf', 'june.xlsx', 'june.html', 'june.csv'].filter((file) => !isIgnored(file))).toEqual([]);
});

it('git ignores no source, sample or picture', () => {
  const kept = [
    'src-main/cli.ts',
    'resources/samples/new.csv',
    'test/expected-skips.json',
    'src-renderer/index.html',
    'src-main/book/store/book.ts',
  ];
  expect(kept.filter(isIgnored)).toEqual([]);
});
