import { z } from 'zod';
import { NO_CURRENCY } from '../values/money.ts';
import { dayFromIso } from '../values/civil-date.ts';

/** The limits of the contract; error sentences use their names. */
export const LIMITS = {
  pageSize: 100,
  defaultPageSize: 25,
  defaultBatchPageSize: 100,
  windowSize: 500,
  keyLength: 100,
  nameLength: 255,
  passwordLength: 500,
  descriptionLength: 2_000,
  externalIdLength: 255,
  searchLength: 200,
  metadataBytes: 16_384,
  metadataKeyLength: 100,
  matchRecords: 10_000,
  bodyBytes: 32 * 1024 * 1024,
  jsonDepth: 32,
  /** The limit for one object; `jsonValues` is that for members and items of a body together. A record's metadata cannot reach them. */
  jsonMembers: 5_000,
  jsonValues: 250_000,
  /** The limit for one text, and for one item of a list, of a JSON body. A valid record has some hundred kilobytes at most. */
  jsonItemBytes: 1024 * 1024,
  idempotencyKeyLength: 255,
  requestsPerSecond: 200,
  requestBurst: 1_000,
} as const;

/** The text of an id. */
export const DIGITS = /^[0-9]{1,16}$/;

/** An id in a path, query or body: text of digits, or a JSON integer. */
export const idInput = z
  .union([z.int().min(1), z.string().regex(DIGITS, 'must be text of digits')])
  .transform((given) => Number(given))
  .meta({ description: 'Identifier: text of digits, or an integer' });
export const id = z.int().meta({ description: 'Identifier' });
export const timestamp = z.string().meta({ description: 'UTC, ISO 8601 with Z, milliseconds', format: 'date-time' });
export const date = z
  .string()
  .refine((text) => dayFromIso(text) !== null, 'must be a date that exists, as YYYY-MM-DD')
  .meta({ description: 'ISO 8601 calendar date', format: 'date' });
/** An instant in an input, with Z or an offset. Fractions finer than milliseconds are not kept. */
export const timestampInput = z.iso.datetime({ offset: true, error: 'must be a timestamp, as 2026-06-30T12:00:00.000Z' });
export const amount = z.int().min(0).meta({ description: 'Magnitude in minor units' });
/** An amount in an input: without a direction, its sign decides. */
export const amountInput = z.int().meta({ description: 'Minor units; without direction the sign decides (negative is debit)' });
export const direction = z.enum(['credit', 'debit']);
export const currency = z
  .string()
  .regex(/^[A-Za-z]{3}$/, 'must be a three-letter ISO 4217 code')
  .transform((code) => code.toUpperCase());
/** A currency in which amounts can be. */
export const moneyCurrency = currency.refine((code) => code !== NO_CURRENCY, 'must be a currency; XXX says that there is none');
export const streamKey = z
  .string()
  .min(1)
  .max(LIMITS.keyLength)
  .regex(/^[a-z0-9][a-z0-9_.-]*$/, 'must be of a-z 0-9 _ - . and start with a letter or digit');
export const name = z.string().trim().min(1).max(LIMITS.nameLength);
export const description = z.string().max(LIMITS.descriptionLength);
/** Whether a JSON value is nested deeper than `levels`. Stops there, so that no depth exhausts the stack. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
function fitsBytes(text: string, most: number): boolean {
  return text.length <= most && new TextEncoder().encode(text).length <= most;
}
export const metadata = z
  .record(z.string().min(1).max(LIMITS.metadataKeyLength), z.unknown())
  .refine((value) => !isDeeper(value, LIMITS.jsonDepth), { message: `must be nested at most ${LIMITS.jsonDepth} levels deep`, abort: true })
  .refine((value) => fitsBytes(JSON.stringify(value), LIMITS.metadataBytes), {
    message: `must be at most ${LIMITS.metadataBytes} bytes as JSON`,
  });

export const offset = z.int().min(0).default(0);
export const limit = z.int().min(1).max(LIMITS.pageSize).default(LIMITS.defaultPageSize);
/** The part of a list that is answered whole where no part is asked for, as the specification has some lists. */
export const listPart = {
  limit: z.int().min(1).max(LIMITS.pageSize).optional().meta({ description: 'The most items to answer; all of them when left out' }),
  offset: z.int().min(0).optional().meta({ description: 'Items to leave out before the first one' }),
};
export const windowLimit = z.int().min(1).max(LIMITS.windowSize).default(100);
export const cursor = z.string().max(200).optional().meta({ description: 'Opaque; `next_cursor` of the page before' });

/** The shape of every paged list. `next_cursor` is null on the last page. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), has_more: z.boolean(), offset: z.int(), next_cursor: z.string().nullable() });
}

/** How much of a file was read; rows are 0 until they are separated. */
export const fileProgress = z.object({ rows: z.int(), bytes: z.int(), total_bytes: z.int() });

/** How much of the book a search could not cover. */
export const notSearched = z
  .int()
  .optional()
  .meta({ description: 'With a search only: records, at most, whose words are not indexed yet; 0 when the answer is complete' });

export const nothing = z.null();
