import { expect, test } from 'vitest';
import { jsonOf } from '../../src-main/sync/work/remote-http.ts';
import { faultOfSize } from '../../src-main/transport/validation/json-body.ts';
import { isDeeper, metadata } from '../../src-shared/contract/common.ts';

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

test('metadata of any depth is judged in words and exhausts no stack', () => {
  for (const levels of [33, 1_000, 100_000]) {
    const judged = metadata.safeParse(JSON.parse(deep(levels)));
    expect(judged.error?.issues.map(({ message }) => message)).toEqual(['must be nested at most 32 levels deep']);
  }
  expect(metadata.safeParse(JSON.parse(deep(32))).success).toBe(true);
  expect(isDeeper(JSON.parse('[]'), 1)).toBe(false);
  expect(isDeeper(JSON.parse('[[]]'), 1)).toBe(true);
});

test('an answer of a remote that is nested 100,000 levels deep ends the sync with a sentence', () => {
  expect(() => jsonOf(`{"data":[{"metadata":${deep(100_000)}}]}`)).toThrow(/nested more than \d+ levels deep/);
  expect(jsonOf('{"data":[{"metadata":{"a":[1]}}]}')).toMatchObject({ isJson: true });
  expect(jsonOf('{"data":')).toMatchObject({ isJson: false });
});

test('texts of quotes and backslashes are passed over whole when a body is counted', () => {
  const text = (body: string): Buffer => Buffer.from(body);
  expect(faultOfSize(text(`{"a":"${'\\"'.repeat(500_000)}","b":["x"]}`))).toBeNull();
  expect(faultOfSize(text(`{"a":"${'\\\\'.repeat(1_000)}","b":[${'1,'.repeat(300_000)}1]}`))?.code).toBe('too_many_values');
  expect(faultOfSize(text(`{"a":"${',\\",'.repeat(260_000)}"}`))).toBeNull();
  expect(faultOfSize(text(`{"a":"${'\\"'.repeat(10)}`))).toBeNull();
});
