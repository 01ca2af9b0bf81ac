import { z } from 'zod';

const column = z.string().min(1).max(1_000);

/** Which column of a table is what. */
export const sideMapping = z.strictObject({
  day: column,
  /** The time zone in whose days instants are counted, such as `Europe/London`. */
  time_zone: z.string().min(1).max(60).optional(),
  value_day: column.optional(),
  /** One column, or one for money in and one for money out, of which a row fills either. */
  amount: z.union([column, z.strictObject({ in: column, out: column })]),
  /** Whether amounts are in currency units, such as 14.99, or in minor units, such as 1499. */
  unit: z.enum(['major', 'minor']),
  /** How a column of floating point numbers is read: as the shortest decimal that it prints. Without it such a column is refused. */
  floats: z.enum(['as_printed']).optional(),
  /** `positive_in`: a positive amount is money in; `positive_out`: money out. Else a column says it by its words. */
  sign: z.union([
    z.enum(['positive_in', 'positive_out']),
    z.strictObject({ column, in: z.array(z.string()).min(1).max(20), out: z.array(z.string()).min(1).max(20) }),
  ]),
  /** A currency for all lines, or the column that has it. */
  currency: z.union([z.string().regex(/^[A-Z]{3}$/), z.strictObject({ column })]),
  /** The balance after each row, in the order of the rows or against it: all rows are proved by it. */
  balance: column.optional(),
  description: column.optional(),
  reference: column.optional(),
  id: column.optional(),
  /** Further columns that rules read: the name behind `metadata.`, and its column. */
  metadata: z.record(z.string().min(1).max(100), column).optional(),
  /** What becomes of rows without a day, an amount or a currency. Without it they are refused. */
  empty_rows: z.enum(['leave_out']).optional(),
});
export type SideMapping = z.output<typeof sideMapping>;

export const mappingFile = z.strictObject({ a: sideMapping, b: sideMapping });
export type Mapping = z.output<typeof mappingFile>;

/** What names and first rows of a table do not show. */
export const mappingQuestion = z.enum([
  'not_understood',
  'instants_need_a_zone',
  'no_amount_column',
  'floats_for_money',
  'major_or_minor',
  'which_sign',
  'which_currency',
]);
export type MappingQuestion = z.output<typeof mappingQuestion>;
