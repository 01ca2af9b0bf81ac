import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { balanceType } from '../streams/bank-account-balances.ts';
import { batchLines, stream } from '../streams/streams.ts';
import { columnRole, directionWord, importRecipe, MOST_DIRECTION_WORDS, SIGN_MODELS, tableByHand } from './import-recipes.ts';

/** The questions that a file may leave open. */
const questionAbout = z.enum(['currency', 'date_order', 'year', 'decimal_mark', 'sign_model', 'money_out', 'overlap']);
export type QuestionAbout = z.output<typeof questionAbout>;

/** A question about a file of which two or more readings are equally good: a person must choose. Until then it is read as `taken`. */
const openQuestion = z
  .object({
    about: questionAbout,
    /** The name of the ambiguous column; null if it is more than one. */
    column: z.string().nullable(),
    message: z.string(),
    /** `XXX`, for none, if the currency is unknown; empty for a year, since no day is known without it; empty if words may mean money out: none of them is then read so. */
    taken: z.string(),
    /**
     * The choices, in no order of merit. `value` is the answer: a member of `answers`, or `currency` beside it. For a currency any other three-letter
     * code is an answer too, for a year any other year; for `money_out` several choices are, each a word of the column.
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
    /** The year of the last transaction, for a PDF whose dates have no year and that states none; it is said for each file and kept for none. */
    year: z
      .string()
      .regex(/^(?:19|20)\d{2}$/)
      .optional(),
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

/** Means every account of a file with several. */
export const ALL_ACCOUNTS = '*';

/** A fault found while reading. `row` counts the lines of the file from 1; `column` is the column's name; null where it does not apply. */
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
 * The outcome for a balance that a statement states. `new`: the bank account has it from then on; `same`: it exists with the same amount; `conflict`:
 * it exists with another amount, which stays; `unlinked`: the stream is linked to no account; `other_currency`: the account has another currency.
 */
const balanceOutcome = z.enum(['new', 'same', 'conflict', 'unlinked', 'other_currency']);
export type BalanceOutcome = z.output<typeof balanceOutcome>;

const importedBalances = z
  .object({
    /** The account to which the stream is linked, or will be; its id is null while it has to be created. */
    bank_account: z.object({ id: common.id.nullable(), name: z.string() }).nullable(),
    stated: z.int(),
    new: z.int(),
    same: z.int(),
    conflicts: z.int(),
    /** The first 100, conflicts first, then by date. Amounts in minor units of `currency`. */
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
 * The recipe with which a table was read. `guessed`: determined from the file alone; `given`: by the caller; `remembered`: the one kept for this
 * header; `doubtful`: one is kept but no longer fits, or reads worse than guessing, so that a person must choose.
 */
const usedRecipe = z
  .object({ state: z.enum(['guessed', 'given', 'remembered', 'doubtful']), id: common.id.nullable(), recipe: importRecipe })
  .meta({ id: 'UsedRecipe' });
export type UsedRecipe = z.output<typeof usedRecipe>;

const place = {
  /** The line of the file where it begins, from 1. */
  row: z.int().min(1),
  /** The position among the lines that begin in this row, from 1; a file of one long line has several. */
  occurrence: z.int().min(1).default(1),
};

/** A person's decision about one row, against Tieout's: `import` a duplicate, `leave_out` a line, `edit` a rejected row. */
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

/** A row that was understood and not imported, and why. */
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
 * A row of a file that was not imported, or would not be, with as much of it as could be read. The reason for a `skipped` one is that of the present:
 * its record may have been edited or deleted since.
 */
const importRow = z
  .object({
    row: z.int(),
    occurrence: z.int(),
    outcome: z.enum(['skipped', 'rejected']),
    /** The code of `SkippedRow`, or of the first problem of a rejected row. */
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
 * A property in which a file differs from everything in its stream, with both values: it may be the wrong file or the wrong stream. If both name an
 * account, only the accounts are compared. Another currency is reported as a problem (`wrong_currency`).
 */
const misfit = z
  .object({
    about: z.enum(['account_number', 'account_holder', 'layout', 'same_file']),
    file: z.string(),
    stream: z.string(),
    message: z.string(),
  })
  .meta({ id: 'Misfit' });
export type Misfit = z.output<typeof misfit>;

/**
 * The result of an import, which the command line prints. Amounts in minor units of `currency`; that is null, and there are no totals, while the
 * currency is asked for. Totals cover all understood rows, including those skipped as duplicates.
 */
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
    /** One entry per currency; `total_credits` and `total_debits` are those of `currency` only. */
    totals: z.array(z.object({ currency: z.string(), decimal_places: z.int(), credits: z.int(), debits: z.int() })),
    date_range_start: z.string().nullable(),
    date_range_end: z.string().nullable(),
    opening_balance: z.int().nullable(),
    closing_balance: z.int().nullable(),
    balances: importedBalances,
    /** Null for a file whose format defines its meaning. */
    recipe: usedRecipe.nullable(),
    proof: z.enum(['proved', 'unproved', 'broken']),
    /**
     * The number of entries with several transactions whose amounts add up to the entry, the number of these transactions, and the lines made of
     * them; null if there are none.
     */
    batches: z.object({ entries: z.int(), parts: z.int(), lines: batchLines }).nullable(),
    /** The open questions of the file; nothing is imported before they are answered. */
    questions: z.array(openQuestion),
    /** Why the file may not belong into its stream; nothing is imported before a person agrees (`accept_target`). */
    misfits: z.array(misfit),
    problems: z.array(problem),
    problems_total: z.int(),
    /** The first 1,000 of the rows counted in `skipped`. */
    skipped_rows: z.array(skippedRow),
    /**
     * Lines that the stream may have already under another description: they have the day and the signed amount of a line that the file itself does
     * not name, and are more than coincidence explains. The first 1,000; `chance` is the probability, 0 to 1, of another payment with this day and
     * amount.
     */
    overlap: z.array(z.object({ row: z.int(), occurrence: z.int(), record_id: common.id, chance: z.number() })),
    /** An earlier import of identical bytes, whatever the file was called. */
    same_file: z
      .object({ import_batch_id: common.id, filename: z.string().nullable(), data_stream_key: z.string(), created_at: common.timestamp })
      .nullable(),
    /** The number of rows about which a person decided differently. */
    overruled: z.int(),
    /** The recipe that was kept under its name, and its former version if that differed. */
    remembered: z.object({ id: common.id, name: z.string(), former_id: common.id.nullable() }).nullable(),
    batch_id: common.id.nullable(),
  })
  .meta({ id: 'ImportResult' });
export type ImportResult = z.output<typeof importResult>;

/** Returns whether only balances can show that a file is read right, and none does. A PDF has places of letters, and no columns. */
export function isUnprovedPdf({ format, proof }: Pick<ImportResult, 'format' | 'proof'>): boolean {
  return format === 'pdf' && proof === 'unproved';
}

/** Returns whether a person must agree to lines of a PDF that nothing proves. Lines that the account has already were agreed to before. */
export function needsProof(result: Pick<ImportResult, 'format' | 'proof' | 'rows' | 'skipped' | 'rejected'>): boolean {
  return isUnprovedPdf(result) && result.rows > result.skipped + result.rejected;
}

/** How a file was understood, before anything is stored. */
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
     * The sheets of a workbook in order, each with the number of rows with filled cells; null if unreadable. One of them is read, unless the file
     * cannot be. Empty for any other file.
     */
    sheets: z.array(z.object({ name: z.string(), rows: z.int().nullable(), is_hidden: z.boolean(), is_read: z.boolean() })),
    /**
     * The first 40 rows as they were split, including those above the table: the first 20 cells of each, shortened to 80 characters. Present, like
     * `dialect` and `columns`, even for a table that could not be read; empty for a format with a fixed meaning.
     */
    head: z.array(z.object({ row: z.int(), cells: z.array(z.string()) })),
    columns: z.array(
      z.object({
        index: z.int(),
        header: z.string(),
        /** The name of the column: its header, with its place if that is empty or not unique; no two are equal. */
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
        /** Whether the outcome is a person's decision. */
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
    /** The accounts of a file with several, of which one must be chosen; empty otherwise. Balances in minor units. */
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
    /** The stream of the recipe with which the file was read; otherwise a key and name for a new stream, from the file's name. */
    suggestion: z.object({
      stream_key: z.string(),
      stream_name: z.string(),
      is_known: z.boolean(),
      /** The bank account that the recipe names, if it exists and the stream is linked to none. */
      bank_account_id: common.id.nullable(),
      /** The account of a statement with balances, as the file names it; null if it names none or several, or if the stream has one. */
      bank_account_name: z.string().nullable(),
      /** Whether the file that came into the stream last was kept, or the last one of the book where the stream has none. */
      keep_file: z.boolean(),
    }),
    /** The pages of a PDF and where its rows are on them; null for any other file. */
    pages: z
      .object({
        /** For each page, the quarter turns clockwise by which its text runs; 0 from left to right. */
        quarters: z.array(z.int().min(0).max(3)),
        /** The places of the listed rows and of the rows of problems, on the page as it is shown: points from its top left corner. */
        places: z.array(z.object({ row: z.int(), page: z.int(), left: z.int(), top: z.int(), width: z.int(), height: z.int() })),
      })
      .nullable(),
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
    /** The progress while a file is imported or previewed; null for every other job, and for an ended one. */
    file: common.fileProgress.nullable(),
    error_message: z.string().nullable(),
    import_result: importResult.nullable(),
    preview: importPreview.nullable(),
    run_id: common.id.nullable(),
  })
  .meta({ id: 'Job' });
export type Job = z.output<typeof job>;

const importInput = {
  /** A token from the shell for a file that the user chose; the renderer never sends a path. */
  file_token: z.string().min(1).max(200),
  stream_key: common.streamKey,
  stream_name: common.name.optional(),
  /**
   * The currency of a file or rows that name none. By default that of the stream, its bank account or its records, else the only one of the book;
   * otherwise it is asked for.
   */
  currency: common.moneyCurrency.optional(),
  /** The account to read from a file with several, as the file writes it; `*` for all. Without it such a file is not imported. */
  account: z.string().min(1).max(200).optional(),
  /** Links the stream to this bank account, if it is linked to none. */
  bank_account_id: common.idInput.optional(),
  /** Links the stream to the bank account with this name; a missing one is created, in the file's currency. */
  bank_account_name: common.name.optional(),
  /** If no bank account is given: links a stream without one to the account that its kept recipe names. */
  link_by_recipe: z.boolean().default(true),
  /** How to read the table; by default with the recipe kept for its header, or else as the file suggests. */
  recipe: importRecipe.optional(),
  /** Used without a recipe: where the table is, when a person contradicts the file. Kept recipes are then not used. */
  table: tableByHand.optional(),
  /** Answers to the questions about the file. */
  answers: importAnswers.optional(),
  /** `use`: with the kept recipe even if it is doubtful; `guess`: as the file suggests, whatever is kept. */
  kept_recipe: z.enum(['ask', 'use', 'guess']).default('ask'),
  /** Decisions about single rows; if one does not apply to the file, the file is not imported. */
  overrules: z.array(importOverrule).max(1_000).default([]),
  accept_rejected: z.boolean().default(false),
  accept_broken: z.boolean().default(false),
  /** Accepts the lines of a PDF although no balance of it proves that they are read right. */
  accept_unproved: z.boolean().default(false),
  /** Keeps the file itself in the book, with the import. */
  keep_file: z.boolean().default(false),
  /** The password of a locked PDF. It is used once and kept nowhere. */
  password: z.string().min(1).max(common.LIMITS.passwordLength).optional(),
  /** Accepts lines in another currency than that of the stream, its bank account and its records. */
  accept_currency: z.boolean().default(false),
  /** Accepts a file that does not fit its stream: of another account, holder, layout or currency. */
  accept_target: z.boolean().default(false),
  dry_run: z.boolean().default(false),
};
/** A PDF with its bytes. */
const pagesOfFile = z
  .object({ name: z.string(), content: z.string().meta({ description: 'Its bytes in base64' }) })
  .meta({ id: 'PagesOfFile' });

/** Keeps the recipe with which the file is read under this name; replaces one of the same name and header. */
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
  'imports.document': operation({
    id: 'imports.document',
    method: 'POST',
    path: '/imports/document',
    summary: 'The bytes of a chosen PDF, so that its pages can be shown beside its rows; nothing is stored',
    surface: 'app',
    permission: 'read',
    status: 200,
    input: z.strictObject({ file_token: importInput.file_token }),
    output: pagesOfFile,
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
      password: importInput.password,
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
      /** The number of rows with this outcome. */
      total: z.int(),
      /** The number that can be listed: the first 100,000, while the import is among the newest 100. */
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
    summary: 'Name the book, mark it as the sample book, or say whether a status explains an open item',
    surface: 'app',
    permission: 'read_write',
    status: 200,
    inverse: 'book.update',
    input: z.strictObject({ name: common.name.optional(), is_sample: z.boolean().optional(), status_explains: z.boolean().optional() }),
    output: z.object({ name: z.string(), is_sample: z.boolean(), status_explains: z.boolean() }),
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
      /** Whether an open item with a status other than open is explained. Otherwise only a comment explains it. */
      status_explains: z.boolean(),
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
