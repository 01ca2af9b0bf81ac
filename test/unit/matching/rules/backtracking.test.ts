import { describe, expect, it } from 'vitest';
import { Backtracking } from '../../../support/pumping/backtracking.ts';

const MATCHING: readonly (readonly [expression: RegExp, text: string])[] = [
  [/a+b/g, 'aab ab b aaab'],
  [/(?:ab|a)(?:bc|c)?$/, 'xabc'],
  [/^\s*(\d{2,4})(?:[-/.])\1$/, ' 12-12'],
  [/(?<=\d[.,])\s?-{1,2}(?=\s*(?:\p{L}{1,4}|\p{Sc})?$)/u, '50,- €'],
  [/(?<!\d)(?:\d{1,2}([-/.])\d{1,2}\1\d{4})(?!\d)/g, 'on 01.02.2026 and 1/2/2026, not 31-1/2026'],
  [/<!--[\s\S]*?-->|<\/?\w+>/g, 'a <b> <!-- <c> --> </b> <!-- open'],
  [/^b.*$/gim, 'a\nBc\n\nb'],
  [/\bcat\b|\Bdog/g, 'cat hotdog cats dog'],
  [/(?:a*)*b|(?:)/g, 'aaac'],
  [/[^\P{Cc}\t]/gu, 'a\u0001\tb\u0002'],
  [/(?<name>x|y)\k<name>/g, 'xy xx yy'],
  [/^(?!.*zz)[a-z]{3,}?$/, 'abcd'],
];

describe('the engine that counts', () => {
  it.each(MATCHING)('%s finds what the platform finds', (expression, text) => {
    const all = new RegExp(expression.source, [...new Set(`${expression.flags}g`)].join(''));
    const wanted = [...text.matchAll(all)].map(({ index, 0: whole }) => [index, index + whole.length]);
    const { source, flags } = expression;
    const characters = [...text].length === text.length;
    expect(characters, 'places are counted alike').toBe(true);
    expect(new Backtracking({ source, flags }).matches(text)).toEqual(expression.global ? wanted : wanted.slice(0, 1));
  });

  it('gives up where it is told to', () => {
    const engine = new Backtracking(/^(?:a+)+$/);
    expect(engine.steps(`${'a'.repeat(40)}b`, 10_000)).toBe(10_001);
    expect(engine.steps('aaaa', 10_000)).toBeLessThan(100);
  });
});
