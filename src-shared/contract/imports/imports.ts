import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { balanceType } from '../streams/bank-account-balances.ts';
import { batchLines, stream } from '../streams/streams.ts';
import { importAnswers, openQuestion } from './import-questions.ts';
import { columnRole, importRecipe, tableByHand } from './import-recipes.ts';

/** Stands for every account of a file with several. */
export const ALL_ACCOUNTS = '*';

/** A fault found while reading. `row` counts lines of the file from 1; `column` is what people call it; null where it does not apply. */
export const problem = z
  .object({
    row: z.int().nullable(),
    column: z.string().nullable(),
    code: z.string(),
    message: z.string(),
    severity: z.enum(['note', 'rejected', 'fatal']),
  })
  .meta({ id: 'Problem' });
export type Problem = z.output<typeof problem>;

/**
 * What becomes of the balances that a statement says. `new` ones are those of the bank account from then on, `same` are there with the same amount; a
 * `conflict` is there with another one, which stays. `unlinked`: the stream is linked to no account; `other_currency`: the account has another one.
 */
const balanceOutcome = z.enum(['new', 'same', 'conflict', 'unlinked', 'other_currency']);
export type BalanceOutcome = z.output<typeof balanceOutcome>;

const importedBalances = z
  .object({
    /** The account that the stream is linked to, or will be; its id is null while it is to be made. */
    bank_account: z.object({ id: common.id.nullable(), name: z.string() }).nullable(),
    stated: z.int(),
    new: z.int(),
    same: z.int(),
    conflicts: z.int(),
    /** The first 100, conflicts before the others, then by date. Amounts in minor units of `currency`. */
    items: z.array(
      z.object({
        date: z.string(),
        balance_type: balanceType,
        amount: z.int(),
        currency: z.string(),
        decimal_places: z.int(),
        outcome: balanceOutcome,
        existing_amount: z.int().nullable(),
      }),
    ),
  })
  .meta({ id: 'ImportedBalances' });
export type ImportedBalances = z.output<typeof importedBalances>;

/**
 * The recipe by which a table was read. `guessed`: worked out from the file alone; `given` by the caller; `remembered`: the one kept for this
 * header; `doubtful`: one is kept, but it no longer fits or reads worse than guessing does, so that somebody must choose.
 */
const usedRecipe = z
  .object({ state: z.enum(['guessed', 'given', 'remembered', 'doubtful']), id: common.id.nullable(), recipe: importRecipe })
  .meta({ id: 'UsedRecipe' });
export type UsedRecipe = z.output<typeof usedRecipe>;

const place = {
  /** Line of the file where it begins, from 1. */
  row: z.int().min(1),
  /** Which one of those that begin in this row, from 1; files of one long line have several. */
  occurrence: z.int().min(1).default(1),
};

/** What a person decides about one row, against what Tieout would do: `import` a duplicate, `leave_out` a line, `edit` a rejected row. */
export const importOverrule = z
  .discriminatedUnion('action', [
    z.strictObject({ ...place, action: z.literal('import') }),
    z.strictObject({ ...place, action: z.literal('leave_out') }),
    z.strictObject({
      ...place,
      action: z.literal('edit'),
      line: z.strictObject({
        date: common.date,
        amount: z.int().min(0).meta({ description: 'Magnitude in minor units' }),
        direction: common.direction,
        description: common.description.optional(),
        currency: common.moneyCurrency.optional(),
      }),
    }),
  ])
  .meta({ id: 'ImportOverrule' });
export type ImportOverrule = z.output<typeof importOverrule>;

/** Why a row that was understood is not imported. */
const skippedRow = z
  .object({
    row: z.int(),
    occurrence: z.int(),
    code: z.enum(['already_there', 'same_id_other_content', 'same_line', 'left_out']),
    message: z.string(),
    record_id: common.id.nullable(),
  })
  .meta({ id: 'SkippedRow' });
export type SkippedRow = z.output<typeof skippedRow>;

/**
 * A row of a file that did not go in, or would not, with what of it could be read. Why a `skipped` one is there already is told as things stand now: its
 * record may have been edited or deleted since.
 */
const importRow = z
  .object({
    row: z.int(),
    occurrence: z.int(),
    outcome: z.enum(['skipped', 'rejected']),
    /** That of `SkippedRow`, or of the first problem of a rejected row. */
    code: z.string(),
    message: z.string(),
    date: z.string().nullable(),
    value_date: z.string().nullable(),
    amount: z.int().nullable(),
    direction: common.direction.nullable(),
    currency: z.string().nullable(),
    decimal_places: z.int(),
    description: z.string().nullable(),
    external_id: z.string().nullable(),
    record_id: common.id.nullable(),
  })
  .meta({ id: 'ImportRow' });
export type ImportRow = z.output<typeof importRow>;

/**
 * Something by which a file differs from all that its stream holds, with both values: it may be the wrong file, or the wrong stream. An account says more than
 * all else: where both name one, it alone is compared. Another currency is told as a problem (`wrong_currency`).
 */
const misfit = z
  .object({ about: z.enum(['account_number', 'account_holder', 'layout']), file: z.string(), stream: z.string(), message: z.string() })
  .meta({ id: 'Misfit' });
export type Misfit = z.output<typeof misfit>;

/** Outcome of an import, what the command line prints. Amounts in minor units of `currency`, which is null, and has no totals, while it is asked for. Totals speak of all rows understood, also of those skipped as already there. */
export const importResult = z
  .object({
    stream: z.string(),
    format: z.string(),
    rows: z.int(),
    kept: z.int(),
    skipped: z.int(),
    rejected: z.int(),
    total_credits: z.int(),
    total_debits: z.int(),
    currency: z.string().nullable(),
    decimal_places: z.int(),
    /** One entry a currency; `total_credits` and `total_debits` are those of `currency` alone. */
    totals: z.array(z.object({ currency: z.string(), decimal_places: z.int(), credits: z.int(), debits: z.int() })),
    date_range_start: z.string().nullable(),
    date_range_end: z.string().nullable(),
    opening_balance: z.int().nullable(),
    closing_balance: z.int().nullable(),
    balances: importedBalances,
    /** Null for a file whose format fixes what everything means. */
    recipe: usedRecipe.nullable(),
    proof: z.enum(['proved', 'unproved', 'broken']),
    /** Entries that hold several transactions whose amounts add up to them, how many these are, and what they became; null where there is none. */
    batches: z.object({ entries: z.int(), parts: z.int(), lines: batchLines }).nullable(),
    /** What the file leaves open; nothing of it is imported before that is answered. */
    questions: z.array(openQuestion),
    /** Why the file may not belong in its stream; nothing of it is imported before somebody agrees (`accept_target`). */
    misfits: z.array(misfit),
    problems: z.array(problem),
    problems_total: z.int(),
    /** The first 1,000 of the rows counted in `skipped`. */
    skipped_rows: z.array(skippedRow),
    /**
     * Lines that the stream may have already in other words: with the day and the signed amount of a line that the file does not name itself, where there are more of
     * them than coincidence brings. The first 1,000; `chance` is that of another payment with this day and amount, 0 to 1.
     */
    overlap: z.array(z.object({ row: z.int(), occurrence: z.int(), record_id: common.id, chance: z.number() })),
    /** An earlier import of the very same bytes, whatever the file was called then. */
    same_file: z
      .object({ import_batch_id: common.id, filename: z.string().nullable(), data_stream_key: z.string(), created_at: common.timestamp })
      .nullable(),
    /** Rows about which a person decided otherwise. */
    overruled: z.int(),
    /** The recipe that was kept under its name, and what it said before, if that was something else. */
    remembered: z.object({ id: common.id, name: z.string(), former_id: common.id.nullable() }).nullable(),
    batch_id: common.id.nullable(),
  })
  .meta({ id: 'ImportResult' });
export type ImportResult = z.output<typeof importResult>;

/** What was understood of a file, before anything is stored. */
export const importPreview = z
  .object({
    result: importResult,
    file: z.object({ name: z.string(), byte_length: z.int() }),
    dialect: z.object({
      encoding: z.string(),
      delimiter: z.string(),
      header_row: z.int().nullable(),
      date_order: z.string().nullable(),
      decimal_mark: z.string().nullable(),
      sign_model: z.string(),
    }),
    /**
     * The sheets of a workbook, in its order; of each the number of rows with filled cells, null where it cannot be read. One is read, unless the file
     * cannot be; empty for any other file.
     */
    sheets: z.array(z.object({ name: z.string(), rows: z.int().nullable(), is_hidden: z.boolean(), is_read: z.boolean() })),
    /**
     * The first 40 rows as they were split, above the table as well: of each its first 20 cells, shortened to 80 characters. They are there for a table
     * that could not be read, too, as are `dialect` and `columns`; empty for a format with fixed meaning.
     */
    head: z.array(z.object({ row: z.int(), cells: z.array(z.string()) })),
    columns: z.array(
      z.object({
        index: z.int(),
        header: z.string(),
        /** What people call it: its header, and its place where that is empty or others have the same; no two are equal. */
        name: z.string(),
        role: columnRole,
        field: z.string().nullable(),
        is_reference: z.boolean(),
        samples: z.array(z.string()),
      }),
    ),
    rows: z.array(
      z.object({
        row: z.int(),
        occurrence: z.int(),
        outcome: z.enum(['new', 'duplicate', 'left_out', 'rejected']),
        /** Whether the outcome is what a person decided. */
        is_overruled: z.boolean(),
        date: z.string().nullable(),
        value_date: z.string().nullable(),
        amount: z.int().nullable(),
        direction: common.direction.nullable(),
        currency: z.string().nullable(),
        decimal_places: z.int(),
        description: z.string().nullable(),
        external_id: z.string().nullable(),
        reference: z.string().nullable(),
        message: z.string().nullable(),
      }),
    ),
    /** The accounts of a file that holds several, of which one is chosen; else empty. Balances in minor units. */
    accounts: z.array(
      z.object({
        account: z.string(),
        currency: z.string().nullable(),
        decimal_places: z.int(),
        rows: z.int(),
        opening_balance: z.int().nullable(),
        closing_balance: z.int().nullable(),
      }),
    ),
    /** The stream of the recipe by which the file was read, else a key and a name offered for a new one, from the file's name. */
    suggestion: z.object({
      stream_key: z.string(),
      stream_name: z.string(),
      is_known: z.boolean(),
      /** The bank account that the recipe names, where there is one and the stream is linked to none. */
      bank_account_id: common.id.nullable(),
    }),
    can_import: z.boolean(),
  })
  .meta({ id: 'ImportPreview' });
export type ImportPreview = z.output<typeof importPreview>;

const job = z
  .object({
    id: common.id,
    kind: z.enum(['import', 'import_preview', 'run']),
    status: z.enum(['pending', 'running', 'completed', 'failed', 'cancelled']),
    progress: z.int().min(0).max(100),
    processed: z.int(),
    total: z.int(),
    /** While a file is imported or looked at; null for every other job, and for one that has ended. */
    file: common.fileProgress.nullable(),
    error_message: z.string().nullable(),
    import_result: importResult.nullable(),
    preview: importPreview.nullable(),
    run_id: common.id.nullable(),
  })
  .meta({ id: 'Job' });
export type Job = z.output<typeof job>;

const importInput = {
  /** Token handed out by the shell for a file the user chose; the renderer never sends a path. */
  file_token: z.string().min(1).max(200),
  stream_key: common.streamKey,
  stream_name: common.name.optional(),
  /** Of a file, or rows of it, that name none; without it that of the stream, its bank account or its records, else the only one of the book, else it is asked for. */
  currency: common.moneyCurrency.optional(),
  /** The account to read of a file with several, as the file writes it; `*` for all. Without it such a file is not imported. */
  account: z.string().min(1).max(200).optional(),
  /** Links the stream to this bank account, if it is linked to none. */
  bank_account_id: common.idInput.optional(),
  /** Links the stream to a bank account of this name, which is made when there is none, in the file's currency. */
  bank_account_name: common.name.optional(),
  /** Where no bank account is said: links a stream without one to the one that the kept recipe of this stream names. */
  link_by_recipe: z.boolean().default(true),
  /** How to read the table; without it by the recipe that is kept for its header, else by what the file shows. */
  recipe: importRecipe.optional(),
  /** Without a recipe: how the table is found, where a person says otherwise than the file shows. Kept recipes are not followed then. */
  table: tableByHand.optional(),
  /** What is said to the questions of the file. */
  answers: importAnswers.optional(),
  /** `use`: by the kept recipe, although it may be doubtful; `guess`: by what the file shows, whatever is kept. */
  kept_recipe: z.enum(['ask', 'use', 'guess']).default('ask'),
  /** Decisions about single rows; a file with others is not imported. */
  overrules: z.array(importOverrule).max(1_000).default([]),
  accept_rejected: z.boolean().default(false),
  accept_broken: z.boolean().default(false),
  /** Takes lines in another currency than the stream, its bank account and its records have. */
  accept_currency: z.boolean().default(false),
  /** Takes a file that does not fit its stream: of another account, holder, layout or currency. */
  accept_target: z.boolean().default(false),
  dry_run: z.boolean().default(false),
};
/** Keeps the recipe by which the file is read, under this name; one of the same name and header is replaced. */
const rememberAs = common.name.optional();

export const imports = {
  'imports.parts': operation({
    id: 'imports.parts',
    method: 'POST',
    path: '/imports/parts',
    summary: 'The files of a chosen zip archive that holds several, each to be imported by itself; none for any other file',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ file_token: importInput.file_token }),
    output: z.object({ files: z.array(z.object({ file_token: z.string(), name: z.string(), byte_length: z.int() })) }),
    errors: ['file_unreadable'],
    example: { file_token: 'example' },
  }),
  'imports.preview': operation({
    id: 'imports.preview',
    method: 'POST',
    path: '/imports/preview',
    summary: 'Read a chosen file and tell what was understood; nothing is stored. Answers a job whose `preview` fills in.',
    surface: 'app',
    permission: 'read',
    status: 202,
    input: z.strictObject({
      file_token: importInput.file_token,
      stream_key: common.streamKey.optional(),
      currency: importInput.currency,
      account: importInput.account,
      bank_account_id: importInput.bank_account_id,
      bank_account_name: importInput.bank_account_name,
      recipe: importInput.recipe,
      table: importInput.table,
      answers: importInput.answers,
      kept_recipe: importInput.kept_recipe,
      overrules: importInput.overrules,
      accept_currency: importInput.accept_currency,
    }),
    output: job,
    errors: ['file_unreadable', 'reserved_key', 'unknown_reference', 'conflict'],
    example: { file_token: 'example' },
  }),
  'imports.start': operation({
    id: 'imports.start',
    method: 'POST',
    path: '/imports',
    summary: 'Import a chosen file into a stream, which is created when missing. Answers a job whose `import_result` fills in.',
    surface: 'app',
    permission: 'read_write',
    status: 202,
    inverse: 'import_batches.remove',
    input: z.strictObject({ ...importInput, remember_recipe: rememberAs }),
    output: job,
    errors: ['file_unreadable', 'reserved_key', 'unknown_reference', 'conflict'],
    example: { file_token: 'example', stream_key: 'bank' },
  }),
  'imports.rows': operation({
    id: 'imports.rows',
    method: 'GET',
    path: '/imports/{id}/rows',
    summary:
      'Rows of a file that did not go in, or would not, in the order of the file; the id is that of the import, or of the look at the file',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput, outcome: z.enum(['skipped', 'rejected']), limit: common.limit, offset: common.offset }),
    output: z.object({
      data: z.array(importRow),
      has_more: z.boolean(),
      offset: z.int(),
      /** Of this outcome. */
      total: z.int(),
      /** Of these the first 100,000 can be looked through, while the import is among the newest 100. */
      listed: z.int(),
    }),
    example: { id: '1', outcome: 'skipped' },
  }),
  'jobs.get': operation({
    id: 'jobs.get',
    method: 'GET',
    path: '/jobs/{id}',
    summary: 'One job',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ id: common.idInput }),
    output: job,
    example: { id: '1' },
  }),
  'jobs.cancel': operation({
    id: 'jobs.cancel',
    method: 'POST',
    path: '/jobs/{id}/cancel',
    summary: 'Cancel a job; nothing of it becomes visible. A finished job is answered as it is.',
    surface: 'app',
    permission: 'read_write',
    status: 202,
    input: z.strictObject({ id: common.idInput }),
    output: job,
    example: { id: '1' },
  }),
  'book.update': operation({
    id: 'book.update',
    method: 'PATCH',
    path: '/book',
    summary: 'Name the book, or mark it as the sample book',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'book.update',
    input: z.strictObject({ name: common.name.optional(), is_sample: z.boolean().optional() }),
    output: z.object({ name: z.string(), is_sample: z.boolean() }),
    example: { name: 'Our books' },
  }),
  'book.overview': operation({
    id: 'book.overview',
    method: 'GET',
    path: '/book',
    summary: 'Streams and their last imports, for the first screen',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({}),
    output: z.object({
      name: z.string(),
      environment: z.string(),
      is_sample: z.boolean(),
      version: z.string(),
      streams: z.array(
        z.object({
          stream,
          date_range_start: z.string().nullable(),
          date_range_end: z.string().nullable(),
          last_batch_id: common.id.nullable(),
          last_filename: z.string().nullable(),
          last_import_at: z.string().nullable(),
          last_proof: z.enum(['proved', 'unproved', 'broken']).nullable(),
        }),
      ),
    }),
    example: {},
  }),
} as const;
