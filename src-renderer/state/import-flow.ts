import type {
  Failure,
  ImportAnswers,
  ImportOverrule,
  ImportPreview,
  ImportRecipe,
  ImportResult,
  TableByHand,
} from '../../src-shared/contract/index.ts';
import { LIMITS } from '../../src-shared/contract/common.ts';
import { isUnprovedPdf } from '../../src-shared/contract/imports/imports.ts';
import type { ChosenFile } from '../../src-shared/contract/wire.ts';
import { recipeFault } from './recipe-edit.ts';
import { say } from '../../src-shared/words/say.ts';

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
  };
}

/** Returns the next state of an import. It is pure: the screen carries out the effects. */
export function advanceImport(flow: ImportFlow, action: ImportAction): ImportFlow {
  switch (action.type) {
    case 'file':
      return {
        ...flow,
        step: 'reading',
        file: action.file,
        target: targetOf(flow.origin),
        preview: null,
        ...NO_LOCK,
        consent: NO_CONSENT,
        failure: null,
        result: null,
        ...NO_RECIPE,
      };
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
  // The answer about lines that are here already does not change how the next file is read, and keeps decisions about single rows.
  if (answers.overlap !== undefined) return { ...flow, answers: { ...flow.answers, ...answers } };
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
  if (isUnprovedPdf(result) && !flow.consent.unproved) return 'unproved';
  return result.proof === 'broken' && !flow.consent.broken ? 'broken' : null;
}

function isUnusable(flow: ImportFlow): boolean {
  const { preview } = flow;
  if (preview === null) return true;
  const { rows, rejected } = preview.result;
  if (rows <= rejected && !isWithoutMovement(preview.result)) return true;
  return preview.result.problems.some((problem) => problem.severity === 'fatal');
}
