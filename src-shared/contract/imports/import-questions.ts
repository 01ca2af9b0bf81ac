import { z } from 'zod';
import { batchLines } from '../streams/streams.ts';
import { directionWord, MOST_DIRECTION_WORDS, SIGN_MODELS } from './import-recipes.ts';

/** What a file may leave open. */
const questionAbout = z.enum(['currency', 'date_order', 'decimal_mark', 'sign_model', 'money_out', 'overlap']);
export type QuestionAbout = z.output<typeof questionAbout>;

/** Two or more readings of a file are as good as each other: somebody must say which is right. Until then it is read by the one that is `taken`. */
export const openQuestion = z
  .object({
    about: questionAbout,
    /** What people call the column that is read either way; null where it is more than one. */
    column: z.string().nullable(),
    message: z.string(),
    /** Of a currency that nobody has said it is `XXX`, none; of words that may mean money out it is empty: none of them is taken so. */
    taken: z.string(),
    /**
     * In no order of merit. `value` is what the answer says: a member of `answers`, or `currency` beside it. To the question for a currency any other
     * code of three letters is an answer as well; to `money_out` several of them are, each a word of the column.
     */
    choices: z.array(
      z.object({
        value: z.string(),
        /** Such as `day first`. */
        label: z.string(),
        /** The same cells for each choice: as they are written, and what they say when read so. */
        examples: z.array(z.object({ written: z.string(), read: z.string() })),
      }),
    ),
  })
  .meta({ id: 'OpenQuestion' });
export type OpenQuestion = z.output<typeof openQuestion>;

/** What somebody says to such questions, whether or not they were asked; it holds whatever a recipe says. Of what a format says itself nothing is open. */
export const importAnswers = z
  .strictObject({
    date_order: z.enum(['ymd', 'dmy', 'mdy']).optional(),
    decimal_mark: z.enum(['.', ',']).optional(),
    sign_model: z.enum(SIGN_MODELS).optional(),
    /** Words of the column that tells in from out which mean money out, if any; others that are not known mean money in. */
    money_out: z.array(directionWord).max(MOST_DIRECTION_WORDS).optional(),
    /** Lines with the day and amount of lines that the stream has already, in other words: the same lines, which stay out, or new ones. */
    overlap: z.enum(['same', 'new']).optional(),
    /** What becomes of an entry of several transactions; the stream keeps it for its next files. Without it that of the stream. */
    batch_lines: batchLines.optional(),
  })
  .meta({ id: 'ImportAnswers' });
export type ImportAnswers = z.output<typeof importAnswers>;
