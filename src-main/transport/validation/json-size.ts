import { LIMITS } from '../../../src-shared/contract/common.ts';
import type { FieldError } from '../../../src-shared/contract/index.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENS_LIST = 0x5b;
const CLOSES_LIST = 0x5d;
const OPENS_OBJECT = 0x7b;
const CLOSES_OBJECT = 0x7d;
const LAST_BLANK = 0x20;
const IN_LIST = -1;

/**
 * Counts what a JSON body holds before it is parsed, and stops where that is too much: a million members take seconds to parse and to
 * judge, in which nobody else is answered, and a look at the bytes takes none. Whether it is JSON at all is left to the parser.
 */
export function faultOfSize(body: Uint8Array): FieldError | null {
  let values = 1;
  // What is open: the members so far of an object, or that it is a list.
  const open: number[] = [];
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfText(body, at);
    else if (byte === COMMA) {
      values += 1;
      const members = open.at(-1) ?? IN_LIST;
      if (members !== IN_LIST) open[open.length - 1] = members + 1;
      if (members >= LIMITS.jsonMembers) return tooManyMembers;
    } else if (byte === OPENS_LIST || byte === OPENS_OBJECT) {
      if (!isEmpty(body, at)) values += 1;
      open.push(byte === OPENS_LIST ? IN_LIST : 1);
    } else if (byte === CLOSES_LIST || byte === CLOSES_OBJECT) open.pop();
    if (values > LIMITS.jsonValues) return tooManyValues;
  }
  return null;
}

/** The place of the quote that ends the text that begins at `start`, or of the end where none does. */
function endOfText(body: Uint8Array, start: number): number {
  // Byte by byte: a text may be made of quotes, and to look for each of them costs a call.
  for (let at = start + 1; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return body.length;
}

/** Whether what opens at a place is closed by the next byte that is no blank. */
function isEmpty(body: Uint8Array, at: number): boolean {
  let next = at + 1;
  while (next < body.length && (body[next] ?? 0) <= LAST_BLANK) next += 1;
  return body[next] === CLOSES_LIST || body[next] === CLOSES_OBJECT;
}

const tooManyMembers: FieldError = {
  path: '',
  code: 'too_many_members',
  message: `has an object with more than ${LIMITS.jsonMembers.toLocaleString('en')} members`,
};
const tooManyValues: FieldError = {
  path: '',
  code: 'too_many_values',
  message: `holds more than ${LIMITS.jsonValues.toLocaleString('en')} values`,
};
