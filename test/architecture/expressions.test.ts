import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { expect, it } from 'vitest';
import { expressionFaults, madeExpressionFaults, madeExpressions } from './expression-check.ts';
import { codeUnder, repository, type Source } from './sources.ts';

/** Folders whose expressions read text from files or requests. */
const FOLDERS = ['src-main', 'src-shared'];
const code = codeUnder(...FOLDERS).filter(({ file }) => file.endsWith('.ts'));
const PUMPING_MS = 300_000;

/** Returns the expressions that modules make from texts while they load. All are loaded together, because they may import each other. */
async function expressionsMadeBy(sources: readonly Source[]): Promise<RegExp[]> {
  const made: RegExp[] = [];
  const own = globalThis.RegExp;
  globalThis.RegExp = new Proxy(own, {
    construct: (target, given: [string, string?], newTarget) => {
      const expression = Reflect.construct(target, given, newTarget) as RegExp;
      const stack = new Error('who makes it').stack ?? '';
      if (sources.some(({ file }) => stack.includes(file))) made.push(expression);
      return expression;
    },
  });
  try {
    for (const { file } of sources) await import(pathToFileURL(path.join(repository, file)).href);
  } finally {
    globalThis.RegExp = own;
  }
  return made;
}

it(
  'has no expression whose steps grow faster than the text',
  () => {
    expect(code.length).toBeGreaterThan(300);
    expect(code.flatMap(expressionFaults)).toEqual([]);
  },
  PUMPING_MS,
);

/** The file that makes expressions from routes. Each is anchored and contains no text of a file. */
const MADE_OF_ROUTES = 'src-main/transport/http/routes.ts';

it(
  'has none either among those that are made from texts',
  async () => {
    const making = code.filter((source) => madeExpressions(source).length > 0 && source.file !== MADE_OF_ROUTES);
    expect(making.length).toBeGreaterThan(2);
    const made = await expressionsMadeBy(making);
    expect(made.length).toBeGreaterThanOrEqual(making.flatMap(madeExpressions).length);
    expect(madeExpressionFaults('src-main', made)).toEqual([]);
  },
  PUMPING_MS,
);
