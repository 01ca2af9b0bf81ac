import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';

/** The sentence that a person types to begin a new book in place of a lost one. */
export const START_ANEW_SENTENCE = 'start anew';
const SENTENCE_LENGTH = 100;

const backup = z
  .object({
    name: z.string().meta({ description: 'Name of its file' }),
    kind: z
      .enum(['by_hand', 'daily', 'before_migration', 'before_restore', 'before_sync', 'before_changes'])
      .nullable()
      .meta({ description: 'Why it was made; null of a file that Tieout did not name' }),
    made_at: common.timestamp,
    bytes: z.int(),
    is_checked: z.boolean().meta({ description: 'It was looked at when it was written, and is as long as it was then' }),
    records: z.int().nullable(),
    audit_entries: z.int().nullable(),
    head: z.string().nullable().meta({ description: 'Hash of the newest entry of the audit log' }),
  })
  .meta({ id: 'Backup' });
export type Backup = z.output<typeof backup>;

const condition = z
  .object({
    condition: z.enum(['open', 'read_only', 'missing', 'empty', 'damaged', 'restoring']).meta({
      description: '`read_only`: damaged, but what is left can be read. Of all but these two and `restoring` nothing can be shown',
    }),
    message: z.string().nullable().meta({ description: 'What is wrong' }),
    command: z.string().nullable().meta({ description: 'Restores the newest backup on the command line, where that helps' }),
    folder: z.string().meta({ description: 'Of the book' }),
    newest_backup: backup.nullable().meta({ description: 'The one to go back to' }),
  })
  .meta({ id: 'BookCondition' });
export type BookCondition = z.output<typeof condition>;

export const backups = {
  'book.condition': operation({
    id: 'book.condition',
    method: 'GET',
    path: '/book/condition',
    summary: 'Whether the book is open, and why not',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: condition,
    example: {},
  }),
  'book.check': operation({
    id: 'book.check',
    method: 'POST',
    path: '/book/check',
    summary:
      'Look at the whole open book: its file, its lines, matches and files, the audit log and each signature; what can be rebuilt is rebuilt',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: z.object({
      findings: z.array(z.string()).meta({ description: 'What is wrong and what to do, in sentences; empty in a sound book' }),
      is_more: z.boolean().meta({ description: 'There are more findings of a kind than are listed' }),
      bytes: z.int().meta({ description: 'Of the file of the book' }),
    }),
    errors: ['conflict'],
    example: {},
  }),
  'book.start_anew': operation({
    id: 'book.start_anew',
    method: 'POST',
    path: '/book/start_anew',
    summary: 'Begin a new book in a folder whose book is gone or cannot be read; what is left of it stays among the backups',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({
      sentence: z
        .string()
        .max(SENTENCE_LENGTH)
        .meta({ description: `“${START_ANEW_SENTENCE}”` }),
    }),
    output: condition,
    errors: ['sentence_missing', 'conflict', 'backup_failed'],
    example: { sentence: START_ANEW_SENTENCE },
  }),
  'backups.list': operation({
    id: 'backups.list',
    method: 'GET',
    path: '/backups',
    summary: 'The backups of this book, the newest first, and where they are kept',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: z.object({
      folder: z.string(),
      kept_days: z.int().meta({ description: 'For so long every backup is kept' }),
      kept_months: z.int().meta({ description: 'Of so many months the last one is kept' }),
      backups: z.array(backup),
    }),
    example: {},
  }),
  'backups.create': operation({
    id: 'backups.create',
    method: 'POST',
    path: '/backups',
    summary: 'Back up the book as it is now, while others go on; answered once the backup was checked',
    surface: 'app',
    permission: 'read_write',
    status: 201,
    input: z.strictObject({}),
    output: backup,
    errors: ['conflict', 'backup_failed'],
    example: {},
  }),
  'backups.check': operation({
    id: 'backups.check',
    method: 'POST',
    path: '/backups/check',
    summary: 'Look at a whole backup as a restore does, on a copy of it; neither the book nor the backup is changed',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ name: common.name }),
    output: z.object({ name: z.string(), records: z.int(), audit_entries: z.int(), head: z.string().nullable() }),
    errors: ['conflict', 'backup_unsound', 'backup_failed'],
    example: { name: 'book-20260701-090000-by_hand.sqlite' },
  }),
  'backups.restore': operation({
    id: 'backups.restore',
    method: 'POST',
    path: '/backups/restore',
    summary: 'Put a backup in the place of the book, which is backed up before; jobs that are under way end without a trace',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    input: z.strictObject({
      name: common.name,
      another_book: z.boolean().optional().meta({ description: 'It may be a backup of another book than the one that is here' }),
      lose_sign_offs: z
        .int()
        .min(0)
        .optional()
        .meta({ description: 'So many signatures of the book that is here may be missing in it: as many as `restore_asks` named' }),
    }),
    output: z.object({
      name: z.string(),
      records: z.int(),
      audit_entries: z.int(),
      head: z.string().nullable(),
      replaced: z.string().nullable().meta({ description: 'Name of the backup of the book that was there' }),
    }),
    errors: ['conflict', 'restore_asks', 'backup_unsound', 'backup_failed'],
    example: { name: 'book-20260701-090000-by_hand.sqlite' },
  }),
} as const;
