import { createStore } from 'zustand/vanilla';
import { LIMITS } from '../../src-shared/contract/common.ts';
import {
  faultsOfColumns,
  misfitOfModel,
  RECIPE_SCHEMA,
  RECIPE_VERSION,
  SIGN_MODELS,
} from '../../src-shared/contract/imports/import-recipes.ts';
import { needsProof } from '../../src-shared/contract/imports/imports.ts';
import type {
  ColumnRole,
  Failure,
  ImportAnswers,
  ImportOverrule,
  ImportPreview,
  ImportRecipe,
  ImportResult,
  ImportRow,
  TableByHand,
} from '../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../src-shared/contract/wire.ts';
import { say } from '../../src-shared/words/say.ts';
import type { JobProgress } from '../api/follow-job.ts';

/** Value of the select for a bank account that the import creates. */
export const NEW_ACCOUNT = 'new';

/** The stream that the file's lines go to. `currency` is empty when the file's own is used. */
export interface Target {
  readonly mode: 'existing' | 'new';
  readonly key: string;
  readonly name: string;
  readonly currency: string;
  /** The chosen account of a file with several, `*` for all; empty while none is chosen. */
  readonly account: string;
  /** The id of the bank account that the stream gets, `new` for one named `bankAccountName`; empty for none. */
  readonly bankAccount: string;
  readonly bankAccountName: string;
}

const NO_ACCOUNTS = { account: '', bankAccount: '', bankAccountName: '' } as const;

/** The consent that the user gave explicitly for a file with faults. */
export interface Consent {
  readonly rejected: boolean;
  readonly broken: boolean;
  /** The user wants the lines of a PDF although no balance proves them. */
  readonly unproved: boolean;
  /** The user wants the file in this stream although it may belong to another one. */
  readonly target: boolean;
}

export interface ImportFlow {
  /** The stream from which the screen was opened; null for none. Each file begins with it, whatever was chosen for the previous file. */
  readonly origin: string | null;
  readonly step: 'choose' | 'reading' | 'locked' | 'preview' | 'importing' | 'done';
  readonly file: ChosenFile | null;
  readonly preview: ImportPreview | null;
  /** The reason why a locked file was not opened, or `opened` by its password; null for a file that is not locked. */
  readonly lock: Lock | 'opened' | null;
  /** The password of a locked file, until the file is imported or given up. */
  readonly password: string | null;
  /** The job that read or imported the file. The rows are paged through by its id. */
  readonly jobId: number | null;
  readonly target: Target;
  readonly consent: Consent;
  readonly result: ImportResult | null;
  readonly failure: FlowFailure | null;
  /** The visible preview is for another stream or currency; a newer one is being read. */
  readonly isRereading: boolean;
  /** The recipe that the user edited; null when it was not edited. */
  readonly recipe: ImportRecipe | null;
  /** The place of the table, as the user set it; null when it was not set, or when a recipe says it. */
  readonly table: TableByHand | null;
  /** The user's answers to the questions about the file. */
  readonly answers: ImportAnswers;
  /** Whether lines in another currency than the stream's are imported too. */
  readonly anyCurrency: boolean;
  /** Whether to use the stored recipe for the header. */
  readonly kept: KeptRecipe;
  /** The name under which the recipe will be stored; null for not. */
  readonly remember: string | null;
  /** The user's decisions about single rows. */
  readonly overrules: readonly ImportOverrule[];
  /** Whether the file itself is kept in the book, as the user said; null for as it was with the last file of the account. */
  readonly keepsFile: boolean | null;
}

/** `isOfReading` says that the file cannot be read with the chosen settings. */
type FlowFailure = Pick<Failure, 'message'> & { readonly isOfReading?: boolean };

export type Lock = 'needs_password' | 'wrong_password';

export type KeptRecipe = 'ask' | 'use' | 'guess';

export type ImportAction =
  | { readonly type: 'file'; readonly file: ChosenFile }
  | { readonly type: 'previewed'; readonly preview: ImportPreview; readonly jobId?: number }
  | { readonly type: 'password'; readonly password: string }
  | { readonly type: 'reread' }
  | { readonly type: 'target'; readonly target: Target }
  | { readonly type: 'consent'; readonly consent: Consent }
  | { readonly type: 'recipe'; readonly recipe: ImportRecipe }
  | { readonly type: 'table'; readonly table: TableByHand }
  | { readonly type: 'kept'; readonly kept: KeptRecipe }
  | { readonly type: 'answer'; readonly answers: ImportAnswers }
  | { readonly type: 'any_currency' }
  | { readonly type: 'as_found' }
  | { readonly type: 'overrule'; readonly overrule: ImportOverrule }
  | { readonly type: 'take_back'; readonly row: number; readonly occurrence: number }
  | { readonly type: 'remember'; readonly name: string | null }
  | { readonly type: 'keep_file'; readonly keeps: boolean }
  | { readonly type: 'import' }
  | { readonly type: 'imported'; readonly result: ImportResult; readonly jobId?: number }
  | { readonly type: 'failed'; readonly failure: FlowFailure }
  | { readonly type: 'again' };

const NO_CONSENT: Consent = { rejected: false, broken: false, unproved: false, target: false };
const NO_LOCK = { lock: null, password: null } as const;
const NO_RECIPE = { recipe: null, table: null, answers: {}, anyCurrency: false, kept: 'ask', remember: null, overrules: [] } as const;

function targetOf(streamKey: string | null): Target {
  return { mode: streamKey === null ? 'new' : 'existing', key: streamKey ?? '', name: '', currency: '', ...NO_ACCOUNTS };
}

export function startOfImport(streamKey: string | null): ImportFlow {
  return {
    origin: streamKey,
    step: 'choose',
    file: null,
    preview: null,
    ...NO_LOCK,
    jobId: null,
    target: targetOf(streamKey),
    consent: NO_CONSENT,
    result: null,
    failure: null,
    isRereading: false,
    ...NO_RECIPE,
    keepsFile: null,
  };
}

/** Returns whether the file itself is kept in the book when it is imported. */
export function isFileKept({ keepsFile, preview }: Pick<ImportFlow, 'keepsFile' | 'preview'>): boolean {
  return keepsFile ?? preview?.suggestion.keep_file ?? false;
}

/** Returns the next state of an import. It is pure: the screen carries out the effects. */
export function advanceImport(flow: ImportFlow, action: ImportAction): ImportFlow {
  switch (action.type) {
    case 'file':
      return { ...startOfImport(flow.origin), step: 'reading', file: action.file, jobId: flow.jobId, isRereading: flow.isRereading };
    case 'previewed':
      // The file was removed in the meantime.
      if (flow.file === null) return flow;
      return previewed(flow, action.preview, action.jobId ?? null);
    case 'password':
      return { ...flow, step: 'reading', password: action.password, failure: null };
    case 'reread':
      return { ...flow, isRereading: true, consent: NO_CONSENT };
    case 'target':
      return {
        ...flow,
        target: withAccountOf(action.target, flow.target),
        // Consent for one stream does not hold for another.
        anyCurrency: flow.anyCurrency && action.target.key === flow.target.key,
        ...(action.target.account === flow.target.account ? {} : { overrules: [] }),
      };
    case 'recipe':
      // Another reading may produce other rows.
      return { ...flow, recipe: action.recipe, table: null, answers: {}, overrules: [], remember: flow.remember ?? action.recipe.name };
    case 'table':
      return tableSaid(flow, action.table);
    case 'answer':
      return answered(flow, action.answers);
    case 'any_currency':
      return { ...flow, anyCurrency: true };
    case 'as_found':
      return { ...flow, ...NO_RECIPE };
    case 'kept':
      return keptSaid(flow, action.kept);
    case 'overrule':
      return { ...flow, overrules: [...without(flow.overrules, action.overrule), action.overrule] };
    case 'take_back':
      return { ...flow, overrules: without(flow.overrules, action) };
    case 'remember':
      return { ...flow, remember: action.name };
    case 'keep_file':
      return { ...flow, keepsFile: action.keeps };
    case 'consent':
      return { ...flow, consent: action.consent };
    case 'import':
      return { ...flow, step: 'importing', failure: null };
    case 'imported':
      return { ...flow, step: 'done', result: action.result, jobId: action.jobId ?? null, password: null, failure: null };
    case 'failed':
      // A failed import returns to the preview with everything as it was; an unreadable file to the choice of files.
      return {
        ...flow,
        ...(flow.preview === null ? NO_LOCK : {}),
        step: flow.preview === null ? 'choose' : 'preview',
        failure: action.failure,
        isRereading: false,
      };
    case 'again':
      return startOfImport(flow.origin);
  }
}

function keptSaid(flow: ImportFlow, kept: KeptRecipe): ImportFlow {
  const unsaid = kept === 'guess' ? { recipe: null, table: null, remember: null } : {};
  return { ...flow, kept, overrules: [], ...unsaid };
}

/** Returns the flow with the table elsewhere. The words that mean money out belong to one table, so that answer is dropped. */
function tableSaid(flow: ImportFlow, table: TableByHand): ImportFlow {
  const { money_out: _words, ...answers } = flow.answers;
  return { ...flow, table, recipe: null, answers, kept: 'guess', overrules: [], remember: nameFor(flow, table) };
}

/** Returns the flow with more answers. They are stored with the recipe of the table, so that the next file of its kind asks nothing. */
function answered(flow: ImportFlow, answers: ImportAnswers): ImportFlow {
  // The answers about lines that are here already and about the year do not change how the next file is read, and keep decisions about single rows.
  if (answers.overlap !== undefined || answers.year !== undefined) return { ...flow, answers: { ...flow.answers, ...answers } };
  const name = flow.remember ?? flow.preview?.result.recipe?.recipe.name ?? null;
  return { ...flow, answers: { ...flow.answers, ...answers }, overrules: [], remember: name };
}

/** Returns the flow with a new preview. An unreadable preview does not replace the visible one: the user corrects the edited recipe first. */
function previewed(flow: ImportFlow, preview: ImportPreview, jobId: number | null): ImportFlow {
  const lock = lockOf(preview);
  if (lock !== null) return { ...flow, step: 'locked', preview: null, lock, password: null, failure: null, isRereading: false };
  const failure = unreadableBecause(preview);
  if (failure !== null && flow.preview !== null && flow.recipe !== null) return { ...flow, failure, isRereading: false };
  // The first rows of a table are shown, so that the user can say how to read it.
  if (failure !== null && preview.head.length === 0 && preview.sheets.length < 2) {
    return { ...flow, step: 'choose', file: null, preview: null, ...NO_LOCK, failure, isRereading: false };
  }
  const lockAfter = flow.password === null ? null : 'opened';
  const target = withSuggestion(flow.target, preview);
  return { ...flow, step: 'preview', preview, lock: lockAfter, jobId, target, failure, isRereading: false };
}

/** Returns the name for a table that the user set. Another sheet gets another name, so that its recipe does not replace this one. */
function nameFor({ preview, file, remember, table }: ImportFlow, { sheet }: TableByHand): string {
  const stem = file?.name.replace(/\.[^.]+$/, '').trim() ?? '';
  const own = stem === '' ? say('imports.importFlow.statement') : stem;
  const read = table?.sheet ?? preview?.sheets.find(({ is_read: isRead }) => isRead)?.name;
  if (sheet !== undefined && sheet !== read) return `${own}, ${sheet}`.slice(0, LIMITS.nameLength);
  return remember ?? preview?.result.recipe?.recipe.name ?? own;
}

/** Returns whether a file has no transactions and only its balances are imported. */
export function isWithoutMovement({ rows, problems }: Pick<ImportResult, 'rows' | 'problems'>): boolean {
  return rows === 0 && problems.some(({ code }) => code === 'no_movement');
}

/** Returns why a locked file was not opened; null for any other file. */
export function lockOf({ result }: Pick<ImportPreview, 'result'>): Lock | null {
  const locks: readonly Lock[] = ['needs_password', 'wrong_password'];
  return locks.find((lock) => result.problems.some(({ code }) => code === lock)) ?? null;
}

/** Returns why nothing could be read from a file; null when rows were read. */
export function unreadableBecause({ result }: Pick<ImportPreview, 'result'>): FlowFailure | null {
  const fatal = result.rows > 0 ? undefined : result.problems.find((problem) => problem.severity === 'fatal');
  return fatal === undefined ? null : { message: fatal.message, isOfReading: true };
}

type Place = Pick<ImportOverrule, 'row' | 'occurrence'>;

function without(overrules: readonly ImportOverrule[], { row, occurrence }: Place): readonly ImportOverrule[] {
  return overrules.filter((other) => other.row !== row || other.occurrence !== occurrence);
}

/** Returns the target without its bank account when the stream changed, since another stream may have another account. */
function withAccountOf(target: Target, before: Target): Target {
  return target.key === before.key ? target : { ...target, bankAccount: '', bankAccountName: '' };
}

function withSuggestion(target: Target, preview: ImportPreview): Target {
  if (target.key !== '') return target;
  const { stream_key: key, stream_name: name, is_known: isKnown } = preview.suggestion;
  return isKnown ? { ...target, mode: 'existing', key, name: '' } : { ...target, key, name };
}

/** Returns the target with the bank account that the file's recipe, or else the file itself, names; unchanged when one is chosen already. */
export function withAccountOfRecipe(target: Target, { suggestion }: ImportPreview): Target {
  const { bank_account_id: id, bank_account_name: name } = suggestion;
  if (target.bankAccount !== '') return target;
  if (id !== null) return { ...target, bankAccount: String(id) };
  return name === null ? target : { ...target, bankAccount: NEW_ACCOUNT, bankAccountName: name };
}

/**
 * Returns the target for a second reading, when the file's recipe names an existing stream or a bank account: the first reading compared nothing with
 * that stream. Null when the file was read for it already.
 */
export function targetToReadAgain(first: ImportFlow, preview: ImportPreview): Target | null {
  const seen = advanceImport(first, { type: 'previewed', preview });
  if (seen.step !== 'preview') return null;
  const target = withAccountOfRecipe(seen.target, preview);
  const isOtherStream = target.mode === 'existing' && target.key !== first.target.key;
  return isOtherStream || target !== seen.target ? target : null;
}

/** Returns the fault for which the service would refuse the target. The file is not read again for such a target. */
export function targetFault(target: Target): 'bad_key' | 'bad_currency' | 'no_account_name' | null {
  if (target.key !== '' && !/^[a-z0-9][a-z0-9_.-]*$/.test(target.key)) return 'bad_key';
  if (target.bankAccount === NEW_ACCOUNT && target.bankAccountName === '') return 'no_account_name';
  return target.currency === '' || /^[A-Z]{3}$/.test(target.currency) ? null : 'bad_currency';
}

export type Hindrance =
  | 'nothing_to_import'
  | 'no_stream'
  | 'bad_key'
  | 'bad_currency'
  | 'no_account'
  | 'no_account_name'
  | 'bad_recipe'
  | 'no_recipe_name'
  | 'doubtful'
  | 'asked'
  | 'no_currency'
  | 'other_currency'
  | 'period_closed'
  | 'mismatch'
  | 'rejected'
  | 'broken'
  | 'unproved'
  | null;

/** Returns why the file cannot be imported now; null when it can. */
export function hindranceOf(flow: ImportFlow): Hindrance {
  const result = flow.preview?.result;
  if (result === undefined || isUnusable(flow)) return 'nothing_to_import';
  if (flow.target.key === '') return 'no_stream';
  const fault = targetFault(flow.target);
  if (fault !== null) return fault;
  if (flow.target.account === '' && (flow.preview?.accounts.length ?? 0) > 1) return 'no_account';
  if (flow.recipe !== null && (flow.failure !== null || recipeFault(flow.recipe) !== null)) return 'bad_recipe';
  if (flow.remember?.trim() === '') return 'no_recipe_name';
  if (result.recipe?.state === 'doubtful') return 'doubtful';
  if (result.questions.some(({ about }) => about === 'currency')) return 'no_currency';
  if (result.questions.length > 0) return 'asked';
  if (result.problems.some(({ code }) => code === 'wrong_currency')) return 'other_currency';
  if (result.problems.some(({ code }) => code === 'period_closed')) return 'period_closed';
  if (result.misfits.length > 0 && !flow.consent.target) return 'mismatch';
  if (result.rejected > 0 && !flow.consent.rejected) return 'rejected';
  if (needsProof(result) && !flow.consent.unproved) return 'unproved';
  return result.proof === 'broken' && !flow.consent.broken ? 'broken' : null;
}

function isUnusable(flow: ImportFlow): boolean {
  const { preview } = flow;
  if (preview === null) return true;
  const { rows, rejected } = preview.result;
  if (rows <= rejected && !isWithoutMovement(preview.result)) return true;
  return preview.result.problems.some((problem) => problem.severity === 'fatal');
}

type SignModel = (typeof SIGN_MODELS)[number];

/** The roles that a column loses when another column takes an incompatible one. */
const INCOMPATIBLE_ROLES: Partial<Readonly<Record<ColumnRole, readonly ColumnRole[]>>> = {
  amount: ['paid_in', 'paid_out'],
  paid_in: ['amount', 'direction'],
  paid_out: ['amount', 'direction'],
};

/** Returns the recipe with another role for a column. Columns that had the role, or an incompatible one, become fields. */
export function withRole(recipe: ImportRecipe, index: number, role: ColumnRole): ImportRecipe {
  const ousted = new Set<ColumnRole>(role === 'metadata' || role === 'ignored' ? [] : [role, ...(INCOMPATIBLE_ROLES[role] ?? [])]);
  const columns = recipe.columns.map((column, at) => {
    if (at === index) return { ...column, role };
    return ousted.has(column.role) ? { ...column, role: 'metadata' as const } : column;
  });
  const isOfSameDirection = columns.every((column, at) => (column.role === 'direction') === (recipe.columns[at]?.role === 'direction'));
  const changed = { ...recipe, columns, direction_words: isOfSameDirection ? recipe.direction_words : null };
  const hasAmount = (of: ImportRecipe['columns']): boolean => of.some((column) => column.role === 'amount');
  const isOfSameMoney = hasAmount(recipe.columns) === hasAmount(changed.columns);
  const isKept = recipe.sign_model !== null && isOfSameMoney && signModelsOf(changed).includes(recipe.sign_model);
  return isKept ? changed : { ...changed, sign_model: null };
}

/** Returns the sign models that these columns allow. */
export function signModelsOf({ columns }: Pick<ImportRecipe, 'columns'>): readonly SignModel[] {
  const roles = new Set(columns.map(({ role }) => role));
  return SIGN_MODELS.filter((model) => misfitOfModel(model, roles) === null);
}

/** Returns a sentence about what the columns of a recipe lack; null when the recipe can read a table. */
export function recipeFault({ columns }: Pick<ImportRecipe, 'columns'>): string | null {
  const [fault] = faultsOfColumns(columns.map(({ role }) => role));
  return fault === undefined ? null : say('imports.recipeEdit.theColumns', { message: fault.message.replaceAll('_', ' ') });
}

/** The settings of the user before a change: how to find the table, or a whole edited recipe. */
interface SetByHand {
  readonly table: TableByHand | null;
  readonly recipe: ImportRecipe | null;
}

/**
 * Returns how to find the table after one change. Earlier settings stay unless they are about single columns. In a workbook with several sheets it is
 * the visible sheet.
 */
export function tableWith(
  { table, recipe }: SetByHand,
  { dialect, sheets }: Pick<ImportPreview, 'dialect' | 'sheets'>,
  change: TableByHand,
): TableByHand {
  const headerRow = dialect.header_row;
  return {
    ...sheetOnShow(sheets),
    ...(recipe === null ? table : { ...settledBy(recipe), header_row: recipe.has_header ? headerRow : null }),
    ...change,
  };
}

function sheetOnShow(sheets: ImportPreview['sheets']): TableByHand {
  const read = hasChoice(sheets) ? sheets.find(({ is_read: isRead }) => isRead) : undefined;
  return read === undefined ? {} : { sheet: read.name };
}

/** Returns whether a workbook has several sheets. */
export function hasChoice(sheets: ImportPreview['sheets']): boolean {
  return sheets.length > 1;
}

function settledBy({ encoding, delimiter, sheet, date_order, decimal_mark, footer_rows }: ImportRecipe): TableByHand {
  return {
    ...(encoding === null ? {} : { encoding }),
    ...(delimiter === null ? {} : { delimiter }),
    ...(sheet === null ? {} : { sheet }),
    ...(date_order === null ? {} : { date_order }),
    ...(decimal_mark === null ? {} : { decimal_mark }),
    ...(footer_rows === null ? {} : { footer_rows }),
  };
}

/** Returns the first recipe for a table whose columns were not understood. No column has a role yet. Null without columns. */
export function blankRecipe(
  { dialect, columns, file }: Pick<ImportPreview, 'dialect' | 'columns' | 'file'>,
  sheet: string | null = null,
): ImportRecipe | null {
  if (columns.length === 0) return null;
  return {
    schema: RECIPE_SCHEMA,
    version: RECIPE_VERSION,
    name: file.name.replace(/\.[^.]+$/, '').trim() || file.name,
    encoding: dialect.encoding === '' ? null : dialect.encoding,
    delimiter: dialect.delimiter === '' ? null : dialect.delimiter,
    sheet,
    has_header: dialect.header_row !== null,
    columns: columns.map(({ header, role }) => ({ header, role })),
    date_order: null,
    decimal_mark: null,
    sign_model: null,
    direction_words: null,
    footer_rows: null,
    overlap: null,
    currency: null,
    stream_key: null,
    bank_account: null,
  };
}

/** Files that were opened from outside of the window and wait for the import screen. */
export const openedFiles = createStore<{ readonly files: readonly ChosenFile[] }>()(() => ({ files: [] }));

/** The queue of the import. It is worked through while other screens are open. */
export const importQueue = createStore<{ readonly lines: readonly QueueLine[]; readonly progress: JobProgress | null }>()(() => ({
  lines: [],
  progress: null,
}));

/** One file of several. `look` means that a person must decide something, in the file's own screen. */
export interface QueueLine {
  readonly file: ChosenFile;
  readonly state: 'waiting' | 'reading' | 'importing' | 'done' | 'look' | 'failed' | 'cancelled' | 'opened';
  /** The result of the file, or the reason why it waits for a person. */
  readonly words: string;
  readonly result: ImportResult | null;
}

export function queueOf(files: readonly ChosenFile[]): readonly QueueLine[] {
  return files.map((file) => ({ file, state: 'waiting', words: '', result: null }));
}

type Parts = Outcome<{ readonly files: readonly { readonly file_token: string; readonly name: string; readonly byte_length: number }[] }>;

/**
 * Returns the files, with each archive of several files replaced by its contents. An archive that cannot be read is reported in `failures` and
 * omitted.
 */
export async function unpacked(
  chosen: readonly ChosenFile[],
  partsOf: (token: string) => Promise<Parts>,
): Promise<{ readonly files: readonly ChosenFile[]; readonly failures: readonly { readonly name: string; readonly failure: Failure }[] }> {
  const files: ChosenFile[] = [];
  const failures: { name: string; failure: Failure }[] = [];
  for (const file of chosen) {
    // A workbook is a zip archive as well, but it is one file, and opening a large one takes time.
    const parts = /\.xls\w?$/i.test(file.name) ? null : await partsOf(file.token);
    if (parts !== null && !parts.ok) failures.push({ name: file.name, failure: parts.error });
    else if (parts === null || parts.value.files.length === 0) files.push(file);
    else files.push(...parts.value.files.map(({ file_token: token, name, byte_length: byteLength }) => ({ token, name, byteLength })));
  }
  return { files, failures };
}

/** Returns the stream that a file of several goes to without a question: the chosen one, else that of its recipe; null when a person must choose. */
export function streamOf(preview: ImportPreview, chosenKey: string | null): string | null {
  if (chosenKey !== null) return chosenKey;
  return preview.suggestion.is_known ? preview.suggestion.stream_key : null;
}

/** Notes that need a person, because the file may mean something else. A recipe that was followed settles all of them except the currency. */
const ASKED: Readonly<Record<string, string>> = {
  currency_differs: say('imports.asked.currencyDiffers'),
  sheets_left_out: say('imports.asked.sheetsLeftOut'),
  date_order_assumed: say('imports.asked.dateOrderAssumed'),
  decimal_mark_assumed: say('imports.asked.decimalMarkAssumed'),
  date_notations_mixed: say('imports.asked.dateNotationsMixed'),
  columns_assumed: say('imports.asked.columnsAssumed'),
  fees_assumed: say('imports.asked.feesAssumed'),
  signs_assumed: say('imports.asked.signsAssumed'),
  sent_amounts_assumed: say('imports.asked.sentAmountsAssumed'),
  returns_in_amounts: say('imports.asked.returnsInAmounts'),
};

/** Returns why a file of several needs a person or failed; null when it can be imported. */
export function reasonToLook(
  preview: ImportPreview,
  chosenKey: string | null,
): { readonly state: 'look' | 'failed'; readonly words: string } | null {
  const { result } = preview;
  const fatal = result.problems.find((problem) => problem.severity === 'fatal');
  const look = (words: string) => ({ state: 'look', words }) as const;
  const lock = lockOf(preview);
  if (lock !== null) return look(say('imports.importQueue.itNeedsAPassword'));
  // A person can say how to read a table.
  if (fatal !== undefined)
    return preview.head.length > 0 || preview.sheets.length > 1 ? look(fatal.message) : { state: 'failed', words: fatal.message };
  if (preview.accounts.length > 1) return look(say('imports.importQueue.itHoldsSeveralAccounts'));
  if (streamOf(preview, chosenKey) === null) return look(say('imports.importQueue.chooseTheAccountThatItsLines'));
  const wrong = result.problems.find(({ code }) => code === 'wrong_currency');
  if (wrong !== undefined) return look(wrong.message);
  const closed = result.problems.find(({ code }) => code === 'period_closed');
  if (closed !== undefined) return look(closed.message);
  if (result.misfits[0] !== undefined) return look(result.misfits[0].message);
  if (result.questions[0] !== undefined) return look(result.questions[0].message);
  if (result.recipe?.state === 'doubtful') return look(say('imports.importQueue.theImportProfileKeptForItsHeader'));
  const asked = result.problems.find(({ code }) => code in ASKED && (result.recipe?.state === 'guessed' || code === 'currency_differs'));
  if (asked !== undefined) return look(ASKED[asked.code] ?? '');
  if (result.rejected > 0) return look(say('imports.importQueue.ofItsRowsCannotBeRead', { rejected: result.rejected }));
  const cut = result.problems.find(({ code }) => code === 'file_cut_off');
  if (result.proof === 'broken') return look(cut?.message ?? say('imports.importQueue.itsBalancesDoNotAgree'));
  if (needsProof(result)) return look(say('imports.importQueue.noBalanceProvesItsLines'));
  return null;
}

/** Returns the queue with one line changed. */
export function withLine(lines: readonly QueueLine[], index: number, change: Partial<QueueLine>): readonly QueueLine[] {
  return lines.map((line, at) => (at === index ? { ...line, ...change } : line));
}

/** Returns the queue with all waiting files cancelled. */
export function cancelled(lines: readonly QueueLine[]): readonly QueueLine[] {
  return lines.map((line) =>
    line.state === 'waiting' ? { ...line, state: 'cancelled', words: say('imports.importQueue.cancelledBeforeItWasRead') } : line,
  );
}

export function isWorking(lines: readonly QueueLine[]): boolean {
  return lines.some(({ state }) => state === 'waiting' || state === 'reading' || state === 'importing');
}

/**
 * Returns the finished share of the queue, 0 to 100, weighted by file size. `percent` is that of the running job: reading a file is the first half of
 * its work, importing it the second.
 */
export function shareOfQueue(lines: readonly QueueLine[], percent: number): number {
  let done = 0;
  let total = 0;
  for (const { file, state } of lines) {
    const size = Math.max(1, file.byteLength);
    total += size;
    if (state === 'reading') done += (size * percent) / 200;
    else if (state === 'importing') done += size * (0.5 + percent / 200);
    else if (state !== 'waiting') done += size;
  }
  return total === 0 ? 0 : (100 * done) / total;
}

/** A row as the window lists it. `replaces` is the record with the same id and other content. */
export type ListedRow = ImportPreview['rows'][number] & { readonly replaces?: number | null };

function isAt(one: Place, other: Place): boolean {
  return one.row === other.row && one.occurrence === other.occurrence;
}

/** Returns the decisions with one more. It replaces an earlier one about the same row. */
export function withDecision(decisions: readonly ImportOverrule[], decision: ImportOverrule): ImportOverrule[] {
  return [...withoutDecision(decisions, decision), decision];
}

export function withoutDecision(decisions: readonly ImportOverrule[], place: Place): ImportOverrule[] {
  return decisions.filter((other) => !isAt(other, place));
}

/** Returns a row that was left out, as it looks after the decisions about it. */
export function listedRow(row: ImportRow, decisions: readonly ImportOverrule[]): ListedRow {
  const { code, outcome, record_id: recordId, ...rest } = row;
  const replaces = code === 'same_id_other_content' ? recordId : null;
  const asRead = { ...rest, replaces, reference: null, is_overruled: code === 'left_out', outcome: outcomeOf(outcome, code) } as const;
  const decision = decisions.find((each) => isAt(each, row));
  if (decision === undefined) return asRead;
  const line = decision.action === 'edit' ? editedOf(decision.line) : {};
  return { ...asRead, ...line, is_overruled: true, outcome: decision.action === 'leave_out' ? 'left_out' : 'new', message: null };
}

function outcomeOf(outcome: ImportRow['outcome'], code: string): ListedRow['outcome'] {
  if (outcome === 'rejected') return 'rejected';
  return code === 'left_out' ? 'left_out' : 'duplicate';
}

function editedOf({ date, amount, direction, description }: Extract<ImportOverrule, { action: 'edit' }>['line']): Partial<ListedRow> {
  return { date, amount, direction, ...(description === undefined ? {} : { description }) };
}

/**
 * Returns the decisions for another import of the same file, so that only newly decided rows are imported. The file's other rows are in the stream
 * already, except those that were left out by hand.
 */
export function decisionsAgain(earlier: readonly ImportOverrule[], decisions: readonly ImportOverrule[]): ImportOverrule[] {
  return decisions.reduce<ImportOverrule[]>(
    (all, decision) => (decision.action === 'leave_out' ? all : withDecision(withoutDecision(all, decision), decision)),
    earlier.filter(({ action }) => action === 'leave_out'),
  );
}
