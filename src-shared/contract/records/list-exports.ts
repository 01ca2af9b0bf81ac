import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

/** Lists of which all that a filter finds can be saved as a file. */
const LISTS = ['lines.window', 'matches.window', 'records.list', 'history.list', 'exceptions.list'] as const;
export type ListName = (typeof LISTS)[number];
/** The most rows of a file. A spreadsheet takes a million, but the answer is held in memory as a whole. */
export const MOST_EXPORTED = 100_000;
/** The most rows of a list that is printed: about 50 sheets of paper. */
export const MOST_PRINTED = 2_000;

export const listExports = {
  'lists.export': operation({
    id: 'lists.export',
    method: 'POST',
    path: '/lists/export',
    summary: 'All rows that a list finds, as a file',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      list: z.enum(LISTS).meta({ description: 'The operation that lists them' }),
      asked: z.record(z.string(), z.unknown()).meta({ description: 'The input of this operation, without a page' }),
      columns: z.array(z.string().max(60)).max(60).optional().meta({
        description: 'The columns of the list in their order, by their names in the window; without it all of them. Fields of files follow',
      }),
      only: z
        .array(common.idInput)
        .max(MOST_EXPORTED)
        .optional()
        .meta({ description: 'Of what the list holds only these, by their ids; without it all of it' }),
      about: z
        .string()
        .max(500)
        .optional()
        .meta({ description: 'What is filtered, for the name of the file; without it what `asked` says' }),
      format: z.enum(['csv', 'xlsx', 'json']).meta({
        description: `\`json\` is for printing: the columns with their kinds, and the first ${MOST_PRINTED} rows`,
      }),
    }),
    output: z.object({
      file_name: z.string(),
      content_type: z.string(),
      encoding: z.enum(['utf8', 'base64']),
      content: z.string(),
      row_count: z.int(),
      listed_count: z.int().meta({ description: 'What the list holds: of matches fewer than rows, one for each of their lines' }),
    }),
    errors: ['validation_failed'],
    example: { list: 'records.list', asked: { data_stream_key: 'bank', sort: 'date' }, format: 'csv' },
  }),
} as const;
