import { expect, test } from 'vitest';
import { acceptsGzip, prefersCsv } from '../../../src-main/transport/http/answer-encoding.ts';

test.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['deflate, GZIP;q=0.5, br', true],
  ['*', true],
  ['gzip;q=0, *', false],
  ['identity, *;q=0', false],
  ['br', false],
])('Accept-Encoding %j takes gzip: %s', (header, expected) => {
  expect(acceptsGzip(header)).toBe(expected);
});

test.each([
  [undefined, false],
  ['*/*', false],
  ['text/html, */*;q=0.8', false],
  ['application/json', false],
  ['text/csv', true],
  ['TEXT/CSV; charset=utf-8', true],
  ['text/csv;q=0.5, application/json', false],
  ['text/csv, application/json;q=0.9', true],
  ['text/csv;q=0', false],
])('Accept %j asks for CSV: %s', (header, expected) => {
  expect(prefersCsv(header)).toBe(expected);
});
