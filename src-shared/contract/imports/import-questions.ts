import { z } from 'zod';
import { batchLines } from '../streams/streams.ts';
import { directionWord, MOST_DIRECTION_WORDS, SIGN_MODELS } from './import-recipes.ts';

/** The questions that a file may leave open. */
const questionAbout = z.enum(['currency', 'date_order', 'decimal_mark', 'sign_model', 'money_out', 'overlap']);
export type QuestionAbout = z.output<typeof questionAbout>;

/** A question about a file of which two or more readings are equally good: a person must choose. Until then it is read as `taken`. */
export const openQuestion = z
  .object({
    about: questionAbout,
    /** The name of the ambiguous column; null if it is more than one. */
    column: z.string().nullable(),
    message: z.string(),
    /** `XXX`, for none, if the currency is unknown; empty if words may mean money out: none of them is then read so. */
    taken: z.string(),
    /**
     * The choices, in no order of merit. `value` is the answer: a member of `answers`, or `currency` beside it. For a currency any other three-letter
     * code is an answer too; for `money_out` several choices are, each a word of the column.
     */
    choices: z.array(
      z.object({
        value: z.string(),
        /** Such as `day first`. */
        label: z.string(),
        /** The same cells for each choice: as written, and as read. */
        examples: z.array(z.object({ written: z.string(), read: z.string() })),
      }),
    ),
  })
  .meta({ id: 'OpenQuestion' });
export type OpenQuestion = z.output<typeof openQuestion>;

/** Answers to such questions, whether they were asked or not; they override a recipe. They have no effect on what the format itself defines. */
export const importAnswers = z
  .strictObject({
    date_order: z.enum(['ymd', 'dmy', 'mdy']).optional(),
    decimal_mark: z.enum(['.', ',']).optional(),
    sign_model: z.enum(SIGN_MODELS).optional(),
    /** Words of the direction column that mean money out, if any; other unknown words mean money in. */
    money_out: z.array(directionWord).max(MOST_DIRECTION_WORDS).optional(),
    /** Whether lines with the day and amount of lines in the stream, under another description, are the same (and not imported) or new. */
    overlap: z.enum(['same', 'new']).optional(),
    /** What to do with an entry of several transactions; the stream keeps it for its next files. By default the stream's own setting. */
    batch_lines: batchLines.optional(),
  })
  .meta({ id: 'ImportAnswers' });
export type ImportAnswers = z.output<typeof importAnswers>;
