import { z } from 'zod';
import { operation } from '../operation.ts';

const DAYS = ['dmy', 'mdy', 'ymd'] as const;
const MARKS = ['.', ','] as const;
const PAPERS = ['A4', 'Letter'] as const;

/** The choice of a person. Each member is `computer` until then. */
export const notationChoice = z.object({
  days: z
    .enum(['computer', ...DAYS])
    .meta({ description: 'Order of day, month and year; `computer` follows the locale of the computer that has the book' }),
  decimal: z.enum(['computer', ...MARKS]).meta({ description: 'The mark before decimal places' }),
  week: z.enum(['computer', 'monday', 'sunday', 'saturday']).meta({ description: 'The first day of a week in calendars' }),
  paper: z.enum(['computer', ...PAPERS]).meta({ description: 'What reports are laid out for' }),
});

/** The notation that the choice leads to. */
export const notationInUse = z.object({
  days: z.enum(DAYS),
  decimal: z.enum(MARKS),
  groups: z.string().meta({ description: 'The mark between groups of digits' }),
  lakhs: z.boolean().meta({ description: 'Whether all groups but the last have two digits' }),
  week: z.union([z.literal(0), z.literal(1), z.literal(6)]).meta({ description: '0 for Sunday' }),
  paper: z.enum(PAPERS),
});

const bookNotation = notationChoice.extend({ in_use: notationInUse }).meta({ id: 'BookNotation' });

export const notations = {
  'notation.get': operation({
    id: 'notation.get',
    method: 'GET',
    path: '/notation',
    summary: 'How the book writes days and numbers for people, and on what paper',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: bookNotation,
    example: {},
  }),
  'notation.update': operation({
    id: 'notation.update',
    method: 'PATCH',
    path: '/notation',
    summary: 'Choose how the book writes days and numbers, in the window, on the command line and in reports; what is signed keeps its own',
    surface: 'app',
    permission: 'read_write',
    inverse: 'notation.update',
    status: 200,
    input: z.strictObject(notationChoice.partial().shape),
    output: bookNotation,
    example: { days: 'dmy' },
  }),
} as const;
