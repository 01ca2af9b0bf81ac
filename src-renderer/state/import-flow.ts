import type { Failure, ImportPreview, ImportResult } from '../../src-shared/contract/index.ts';
import type { ChosenFile } from '../../src-shared/contract/wire.ts';

/** Stands for a bank account that is to be made. */
export const NEW_ACCOUNT = 'new';

/** Where the file's lines go. `currency` is empty while the file's own is used. */
export interface Target {
  readonly mode: 'existing' | 'new';
  readonly key: string;
  readonly name: string;
  readonly currency: string;
  /** The account chosen of a file with several, `*` for all; empty while none is. */
  readonly account: string;
  /** The id of the bank account to link the stream to, `new` for one of `bankAccountName`; empty for none. */
  readonly bankAccount: string;
  readonly bankAccountName: string;
}

/** Choices that are made of one stream, or of one file, and not carried to the next. */
const NO_ACCOUNTS = { account: '', bankAccount: '', bankAccountName: '' } as const;

/** What the user has deliberately agreed to, for a file with faults. */
export interface Consent {
  readonly rejected: boolean;
  readonly broken: boolean;
}

export interface ImportFlow {
  readonly step: 'choose' | 'reading' | 'preview' | 'importing' | 'done';
  readonly file: ChosenFile | null;
  readonly preview: ImportPreview | null;
  readonly target: Target;
  readonly consent: Consent;
  readonly result: ImportResult | null;
  readonly failure: Pick<Failure, 'message'> | null;
  /** The preview on show was made for another stream or currency; a newer one is on its way. */
  readonly isRereading: boolean;
}

export type ImportAction =
  | { readonly type: 'file'; readonly file: ChosenFile }
  | { readonly type: 'previewed'; readonly preview: ImportPreview }
  | { readonly type: 'reread' }
  | { readonly type: 'target'; readonly target: Target }
  | { readonly type: 'consent'; readonly consent: Consent }
  | { readonly type: 'import' }
  | { readonly type: 'imported'; readonly result: ImportResult }
  | { readonly type: 'failed'; readonly failure: Pick<Failure, 'message'> }
  | { readonly type: 'again' };

const NO_CONSENT: Consent = { rejected: false, broken: false };

export function startOfImport(streamKey: string | null): ImportFlow {
  const target: Target = { mode: streamKey === null ? 'new' : 'existing', key: streamKey ?? '', name: '', currency: '', ...NO_ACCOUNTS };
  return { step: 'choose', file: null, preview: null, target, consent: NO_CONSENT, result: null, failure: null, isRereading: false };
}

/** The steps of an import. Pure: what happens next is decided here, doing it is the screen's part. */
export function advanceImport(flow: ImportFlow, action: ImportAction): ImportFlow {
  switch (action.type) {
    case 'file':
      return {
        ...flow,
        step: 'reading',
        file: action.file,
        target: { ...flow.target, ...NO_ACCOUNTS },
        preview: null,
        consent: NO_CONSENT,
        failure: null,
        result: null,
      };
    case 'previewed': {
      const unreadable = unreadableBecause(action.preview);
      if (unreadable !== null) return { ...flow, step: 'choose', file: null, preview: null, failure: unreadable, isRereading: false };
      return {
        ...flow,
        step: 'preview',
        preview: action.preview,
        target: withSuggestion(flow.target, action.preview),
        failure: null,
        isRereading: false,
      };
    }
    case 'reread':
      return { ...flow, isRereading: true, consent: NO_CONSENT };
    case 'target':
      return { ...flow, target: withAccountOf(action.target, flow.target) };
    case 'consent':
      return { ...flow, consent: action.consent };
    case 'import':
      return { ...flow, step: 'importing', failure: null };
    case 'imported':
      return { ...flow, step: 'done', result: action.result, failure: null };
    case 'failed':
      // A failed import goes back to the preview with everything as it was; an unreadable file back to choosing.
      return { ...flow, step: flow.preview === null ? 'choose' : 'preview', failure: action.failure, isRereading: false };
    case 'again':
      return startOfImport(flow.target.mode === 'existing' ? flow.target.key : null);
  }
}

/** The sentence about a file of which nothing could be read: there is no preview worth showing. */
function unreadableBecause(preview: ImportPreview): Pick<Failure, 'message'> | null {
  if (preview.result.rows > 0) return null;
  return preview.result.problems.find((problem) => problem.severity === 'fatal') ?? null;
}

/** Another stream may be linked to another account. */
function withAccountOf(target: Target, before: Target): Target {
  return target.key === before.key ? target : { ...target, bankAccount: '', bankAccountName: '' };
}

function withSuggestion(target: Target, preview: ImportPreview): Target {
  if (target.key !== '') return target;
  return { ...target, key: preview.suggestion.stream_key, name: preview.suggestion.stream_name };
}

/** What the service would refuse of a target; the file is not read again for such a one. */
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
  | 'rejected'
  | 'broken'
  | null;

/** Why the file cannot be imported as things stand; null when it can. */
export function hindranceOf(flow: ImportFlow): Hindrance {
  const result = flow.preview?.result;
  if (result === undefined || isUnusable(flow)) return 'nothing_to_import';
  if (flow.target.key === '') return 'no_stream';
  const fault = targetFault(flow.target);
  if (fault !== null) return fault;
  if (flow.target.account === '' && (flow.preview?.accounts.length ?? 0) > 1) return 'no_account';
  if (result.rejected > 0 && !flow.consent.rejected) return 'rejected';
  return result.proof === 'broken' && !flow.consent.broken ? 'broken' : null;
}

function isUnusable(flow: ImportFlow): boolean {
  const { preview } = flow;
  if (preview === null || preview.result.rows === 0 || preview.result.rows <= preview.result.rejected) return true;
  return preview.result.problems.some((problem) => problem.severity === 'fatal');
}
