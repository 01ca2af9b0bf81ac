import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../../src-main/domain/matching/rules/pattern.ts';

function extracted(pattern: string, text: string): string | null {
  const compiled = compilePattern(pattern);
  if (!compiled.ok) throw new Error(`${pattern} ${compiled.error.message}`);
  return compiled.value(text);
}

function refusal(pattern: string): string {
  const compiled = compilePattern(pattern);
  return compiled.ok ? 'none' : compiled.error.code;
}

/** The same search by JavaScript's own expressions; '' where the first group took no part. */
function native(pattern: string, text: string): string | null {
  const source = pattern.startsWith('(?i)') ? pattern.slice(4) : pattern;
  const found = new RegExp(source, pattern.startsWith('(?i)') ? 'i' : '').exec(text);
  if (found === null) return null;
  return found.length > 1 ? (found[1] ?? '') : found[0];
}

const TEXTS = [
  '',
  'a',
  'ORD-123 paid',
  'Payment ORD-98765 / INV 2026-06-25',
  'ref: ab-12-34;xx',
  'AAAAAA',
  'one\ntwo  three',
  'no. 0012 (copy)',
  '[x] {y} \\z ^$',
  'Ärger ÄRGER ärger',
  'aab aaab abab',
];
const PATTERNS = [
  'ORD-\\d+',
  '(\\d+)',
  'ORD-(\\d{2,4})',
  '^a',
  'a$',
  '(?i)ärger$',
  '(?i)ord-(\\d)',
  '[A-Z]{3}-?\\d*',
  '[^A-Za-z ]+',
  '(?:\\d+-)+(\\d+)',
  '\\bINV\\b\\s*([\\d-]+)',
  '(a|ab)(c|bcd)?',
  '(a*?)b',
  'a{2,}b',
  'a{2}',
  'x?y|z',
  '(x)|(\\d)',
  '.*-(.)',
  '.+?-',
  '\\Btwo|t\\w+',
  '[\\]\\[\\\\x-]+',
  '\\((\\w+)\\)',
  '\\x41{3}|\\u0041',
  '(?<number>\\d+)',
  '\\{(.)\\}',
  '{y}',
];

describe('patterns', () => {
  it('find what JavaScript finds', () => {
    for (const pattern of PATTERNS) {
      for (const text of TEXTS)
        expect(`${pattern} in ${text}: ${extracted(pattern, text)}`).toBe(`${pattern} in ${text}: ${native(pattern, text)}`);
    }
  });

  it('see characters, never half of one', () => {
    expect(extracted('.', '😀!')).toBe('😀');
    expect(extracted('[😀-😂]+', 'x😁😂')).toBe('😁😂');
    expect(extracted('!(.*)', '😀!é')).toBe('é');
  });

  it('that are none are refused', () => {
    for (const pattern of [
      '(',
      ')',
      '[a',
      '[]',
      'a**',
      '*',
      'a{3,2}',
      'a{999}',
      '\\',
      '\\q',
      '\\1',
      '(?=a)',
      '(?<!a)b',
      '[b-a]',
      '\\xZ',
      '^*',
    ])
      expect(`${pattern} ${refusal(pattern)}`).toBe(`${pattern} invalid_pattern`);
  });

  it('that could blow up elsewhere are refused', () => {
    for (const pattern of [
      '(a+)+',
      '(a*)*b',
      '(a|aa)+$',
      '([A-Z]+\\s*)+$',
      '(.*,)*x',
      '(\\d?)*',
      '((a|b)|[a-c])*',
      '(\\w+\\s?)*$',
      '((a{1,60}){1,60}){1,60}',
    ])
      expect(`${pattern} ${refusal(pattern)}`).toBe(`${pattern} dangerous_pattern`);
  });

  it('with one way through each loop are taken', () => {
    for (const pattern of [
      '(?:\\d+-)+',
      '[A-Z]+\\d*[a-z]+',
      '(?:ab|cd)*',
      '\\s*(.*)\\s*',
      '(?:[A-Z][a-z]+ )*',
      'a*a*a*b',
      '\\d{0,100}[A-Z]{0,100}x',
      '.{0,200}x',
    ])
      expect(`${pattern} ${refusal(pattern)}`).toBe(`${pattern} none`);
  });

  it('end soon on texts that hang a search which goes back', () => {
    const long = 'a'.repeat(4_000);
    expect(extracted('a*a*a*a*a*b', long)).toBeNull();
    expect(extracted('.*.*.*x', long)).toBeNull();
  });
});
