import { grouped } from '../../../src-shared/values/notation.ts';
import { setTimeout as breathe } from 'node:timers/promises';
import { LIMITS } from '../../../src-shared/contract/common.ts';
import type { FieldError } from '../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENS_LIST = 0x5b;
const CLOSES_LIST = 0x5d;
const OPENS_OBJECT = 0x7b;
const CLOSES_OBJECT = 0x7d;
const LAST_BLANK = 0x20;
const IN_LIST = -1;
/** Pause between two pieces, for other requests. One of these takes more than one turn of the event loop. */
const BREATH_MS = 2;

/** Least bytes of a list that are parsed at once. */
const PIECE_BYTES = 512 * 1024;

/** A long list in a body, as a member of its root object. All places are byte offsets. */
interface LongList {
  /** Place after its `[`. */
  readonly start: number;
  /** Place of its `]`. */
  readonly end: number;
  /** Places of commas between its items, at least a piece apart. */
  readonly cuts: readonly number[];
}

interface Inspected {
  readonly fault: FieldError | null;
  readonly list: LongList | null;
}

/**
 * Counts the values and members of a JSON body before it is parsed, and stops where there are too many: a million members take seconds to parse and
 * validate, during which no other request is answered; counting takes milliseconds. A text or an item of a list that is larger than anything valid is
 * refused as well: it cannot be read in pieces. Whether it is valid JSON is left to the parser. Also returns where the first long list can be cut.
 */
function inspected(body: Uint8Array): Inspected {
  let values = 1;
  // The open brackets: for an object its number of members so far, for a list `IN_LIST`.
  const open: number[] = [];
  let list: LongList | null = null;
  let start = 0;
  let cuts: number[] = [];
  let itemStart = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) {
      const from = at;
      at = endOfText(body, at);
      if (at - from > LIMITS.jsonItemBytes) return { fault: tooLargeText(pathAt(body, from)), list: null };
    } else if (byte === COMMA) {
      values += 1;
      const members = open.at(-1) ?? IN_LIST;
      if (members !== IN_LIST) open[open.length - 1] = members + 1;
      else if (open.length === 2) {
        if (at - itemStart > LIMITS.jsonItemBytes) return { fault: tooLargeItem(pathAt(body, at - 1)), list: null };
        itemStart = at;
        if (at - (cuts.at(-1) ?? start) >= PIECE_BYTES) cuts.push(at);
      }
      if (members >= LIMITS.jsonMembers) return { fault: tooManyMembers(pathAt(body, at, true)), list: null };
    } else if (byte === OPENS_LIST || byte === OPENS_OBJECT) {
      if (!isEmpty(body, at)) values += 1;
      open.push(byte === OPENS_LIST ? IN_LIST : 1);
      if (open.length === 2) [start, cuts, itemStart] = [at + 1, [], at];
    } else if (byte === CLOSES_LIST || byte === CLOSES_OBJECT) {
      const isList = open.pop() === IN_LIST;
      // Mismatched brackets are left to the parser, which then gets the whole body.
      if (isList !== (byte === CLOSES_LIST)) return { fault: null, list: null };
      if (open.length === 1 && isList && at - itemStart > LIMITS.jsonItemBytes)
        return { fault: tooLargeItem(pathAt(body, at - 1)), list: null };
      if (open.length === 1 && isList && cuts.length > 0) list ??= { start, end: at, cuts };
    }
    if (values > LIMITS.jsonValues) return { fault: tooManyValues, list: null };
  }
  return { fault: null, list: open.length === 0 ? list : null };
}

/** Returns the fault of a body with too many values or members; null where it may be parsed. */
export function faultOfSize(body: Uint8Array): FieldError | null {
  return inspected(body).fault;
}

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
}

/** Replaces a long list while the rest of its body is parsed. */
const PLACEHOLDER = '"a list that is parsed apart"';

/** Returns the list that holds only the placeholder; null where there is none or several. */
function placeOf(rest: unknown): unknown[] | null {
  const lists = Object.values(rest as object).filter(
    (member): member is unknown[] => Array.isArray(member) && member.length === 1 && member[0] === JSON.parse(PLACEHOLDER),
  );
  return lists.length === 1 ? (lists[0] ?? null) : null;
}

/**
 * Returns the value of a JSON body, or its fault where it is too large. A long list is parsed in pieces with pauses between: 30 MB at once would hold
 * up all other requests. Throws as `JSON.parse` and `TextDecoder` do.
 */
export async function parseBody(body: Uint8Array): Promise<Result<unknown, FieldError>> {
  const { fault, list } = inspected(body);
  if (fault !== null) return failed(fault);
  return success(list === null ? parsed(body) : await parsedInPieces(body, list));
}

async function parsedInPieces(body: Uint8Array, { start, end, cuts }: LongList): Promise<unknown> {
  await breathe(BREATH_MS);
  const items: unknown[] = [];
  let from = start;
  try {
    const rest = parsed(Buffer.concat([body.subarray(0, start), Buffer.from(PLACEHOLDER), body.subarray(end)]));
    const place = placeOf(rest);
    if (place !== null) {
      for (const to of [...cuts, end]) {
        const piece = parsed(Buffer.concat([Buffer.from('['), body.subarray(from, to), Buffer.from(']')])) as unknown[];
        // Nothing between two commas is invalid JSON, but the piece `[]` is valid. The parser of the whole decides.
        if (piece.length === 0) return parsed(body);
        for (const item of piece) items.push(item);
        from = to + 1;
        await breathe(BREATH_MS);
      }
      place.splice(0, 1);
      for (const item of items) place.push(item);
      return rest;
    }
  } catch {
    // Parsing the whole below throws an error with the right place in the body.
  }
  return parsed(body);
}

/** Returns the place of the quote that ends the string at `start`, or the end of the body where none does. */
function endOfText(body: Uint8Array, start: number): number {
  // Goes byte by byte: a string may consist of escaped quotes, and each `indexOf` costs a call.
  for (let at = start + 1; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return body.length;
}

/** Whether the bracket at a place is closed by the next byte that is not blank. */
function isEmpty(body: Uint8Array, at: number): boolean {
  let next = at + 1;
  while (next < body.length && (body[next] ?? 0) <= LAST_BLANK) next += 1;
  return body[next] === CLOSES_LIST || body[next] === CLOSES_OBJECT;
}

/** The longest name of a member that a path shows. */
const SHOWN_NAME = 100;

/**
 * Returns the path of what stands at a byte, as `records.5.description`; of the innermost object or list around it with `isAround`. It walks the body
 * once more, which only a refusal costs.
 */
function pathAt(body: Uint8Array, place: number, isAround = false): string {
  // For each open bracket the number of the item, or the name of the member, of which the value is read.
  const open: (number | string)[] = [];
  let isName = false;
  for (let at = 0; at < place; at += 1) {
    const byte = body[at];
    const last = open.at(-1);
    if (byte === QUOTE) {
      const end = endOfText(body, at);
      if (end >= place) break;
      if (isName) open[open.length - 1] = nameOf(body.subarray(at, end + 1));
      isName = false;
      at = end;
    } else if (byte === COMMA) {
      if (typeof last === 'number') open[open.length - 1] = last + 1;
      isName = typeof last === 'string';
    } else if (byte === OPENS_LIST || byte === OPENS_OBJECT) {
      open.push(byte === OPENS_LIST ? 0 : '');
      isName = byte === OPENS_OBJECT;
    } else if (byte === CLOSES_LIST || byte === CLOSES_OBJECT) open.pop();
  }
  return (isAround ? open.slice(0, -1) : open).join('.');
}

function nameOf(quoted: Uint8Array): string {
  const text = new TextDecoder().decode(quoted.subarray(1, -1));
  return text.length > SHOWN_NAME ? `${text.slice(0, SHOWN_NAME - 1)}…` : text;
}

/** Returns where a fault is, as the sentence about the body says it. */
const within = (path: string): string => (path === '' ? '' : ` at ${path}`);

const tooLarge = (what: string, path: string): FieldError => ({
  path,
  code: 'too_large_item',
  message: `has ${what}${within(path)} of more than ${grouped(String(LIMITS.jsonItemBytes))} bytes, which no operation takes`,
});
const tooLargeText = (path: string): FieldError => tooLarge('a text', path);
/** The path of an item is that of its list with its number, however deep the byte was. */
const tooLargeItem = (path: string): FieldError => tooLarge('an item', path.split('.').slice(0, 2).join('.'));
const tooManyMembers = (path: string): FieldError => ({
  path,
  code: 'too_many_members',
  message: `has an object${within(path)} with more than ${grouped(String(LIMITS.jsonMembers))} members`,
});
const tooManyValues: FieldError = {
  path: '',
  code: 'too_many_values',
  message: `holds more than ${grouped(String(LIMITS.jsonValues))} values`,
};
