import { type Dispatch, useReducer, useState } from 'react';
import type {
  Call,
  ImportAnswers,
  ImportOverrule,
  ImportPreview,
  ImportRecipe,
  Job,
  TableByHand,
} from '../../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../../src-shared/contract/wire.ts';
import { useConnection } from '../../api/use-operation.ts';
import { type JobProgress, type LatestJob, useLatestJob } from '../../api/follow-job.ts';
import { notifyFailure } from '../../components/notify.tsx';
import {
  advanceImport,
  type Consent,
  decisionsAgain,
  type ImportAction,
  type ImportFlow,
  isFileKept,
  type KeptRecipe,
  lockOf,
  NEW_ACCOUNT,
  recipeFault,
  startOfImport,
  type Target,
  targetFault,
  targetToReadAgain,
  unreadableBecause,
} from '../../state/import-flow.ts';
import { say } from '../../../src-shared/words/say.ts';

/** The import of one file: its state and the user's actions. A failure of an action is in `flow.failure`. */
export interface ImportProcess extends Storing {
  readonly flow: ImportFlow;
  readonly progress: JobProgress | null;
  readonly choose: (file: ChosenFile) => void;
  /** Reads a locked file with its password. */
  readonly unlock: (password: string) => void;
  /** Sets the target. The file is read again when the stream or the currency changed. */
  readonly retarget: (target: Target) => void;
  readonly consent: (consent: Consent) => void;
  /**
   * Reads the file again in another way: by an edited recipe, with the table elsewhere, with an answer to a question, or with or without the stored
   * recipe.
   */
  readonly readBy: (reading: WayToRead) => void;
  /** Allows lines in another currency than the stream's. */
  readonly takeAnyCurrency: () => void;
  /** Reads the file as at first, without the user's settings. */
  readonly readAsFound: () => void;
  readonly remember: (name: string | null) => void;
  readonly keepFile: (keeps: boolean) => void;
  /** Sets a decision about a row. The file is read again, because the counts change. */
  readonly decide: (overrule: ImportOverrule) => void;
  readonly takeBack: (row: Pick<ImportOverrule, 'row' | 'occurrence'>) => void;
  readonly cancel: () => void;
  readonly again: () => void;
}

type WayToRead =
  | { readonly recipe: ImportRecipe }
  | { readonly table: TableByHand }
  | { readonly kept: KeptRecipe }
  | { readonly answers: ImportAnswers };

function actionOf(reading: WayToRead): ImportAction {
  if ('recipe' in reading) return { type: 'recipe', ...reading };
  if ('table' in reading) return { type: 'table', ...reading };
  return 'answers' in reading ? { type: 'answer', ...reading } : { type: 'kept', ...reading };
}

/** Carries out the steps of an import. A newer reading cancels an older one. */
export function useImport(streamKey: string | null): ImportProcess {
  const { client } = useConnection();
  const [flow, dispatch] = useReducer(advanceImport, streamKey, startOfImport);
  const { progress, follow, cancel, forget } = useLatestJob();
  const storing = useStoring(flow, dispatch, follow);

  async function read(file: ChosenFile, reading: Reading): Promise<ImportPreview | null> {
    const { key } = reading.target;
    const stream = key === '' ? {} : { stream_key: key };
    const answer = await follow(client.call('imports.preview', { file_token: file.token, ...stream, ...readingOf(reading) }));
    if (answer === null) return null;
    const preview = answer.ok ? answer.value.preview : null;
    if (answer.ok && preview !== null) dispatch({ type: 'previewed', preview, jobId: answer.value.id });
    else dispatch({ type: 'failed', failure: failureOf(answer, say('imports.useImport.readingWasCancelledChoose')) });
    return preview;
  }

  /** Reads a file that was chosen or unlocked. The stream and the bank account of its recipe are proposed once; the user can remove them. */
  async function readFirst(file: ChosenFile, action: ImportAction): Promise<void> {
    const first = advanceImport(flow, action);
    dispatch(action);
    const preview = await read(file, first);
    if (preview === null) return;
    const target = targetToReadAgain(first, preview);
    if (target === null) return;
    dispatch({ type: 'target', target });
    dispatch({ type: 'reread' });
    await read(file, { ...first, target });
  }

  function retarget(target: Target): void {
    const action = { type: 'target', target } as const;
    const next = advanceImport(flow, action);
    const isOther = next.target.key !== flow.target.key || JSON.stringify(readingOf(next)) !== JSON.stringify(readingOf(flow));
    if (isOther && targetFault(next.target) === null) readAfter(action);
    else dispatch(action);
  }

  function readAfter(action: ImportAction): void {
    const next = advanceImport(flow, action);
    dispatch(action);
    if (flow.file === null || (next.recipe !== null && recipeFault(next.recipe) !== null)) return;
    dispatch({ type: 'reread' });
    void read(flow.file, next);
  }

  return {
    flow,
    progress,
    choose: (file) => void readFirst(file, { type: 'file', file }),
    unlock(password) {
      if (flow.file !== null) void readFirst(flow.file, { type: 'password', password });
    },
    retarget,
    readBy: (reading) => readAfter(actionOf(reading)),
    takeAnyCurrency: () => readAfter({ type: 'any_currency' }),
    readAsFound: () => readAfter({ type: 'as_found' }),
    decide: (overrule) => readAfter({ type: 'overrule', overrule }),
    takeBack: ({ row, occurrence }) => readAfter({ type: 'take_back', row, occurrence }),
    remember: (name) => dispatch({ type: 'remember', name }),
    keepFile: (keeps) => dispatch({ type: 'keep_file', keeps }),
    consent: (consent) => dispatch({ type: 'consent', consent }),
    ...storing,
    cancel,
    // Without `forget`, a file that is still being read would come back at the end of its reading.
    again: () => (forget(), dispatch({ type: 'again' })),
  };
}

interface Storing {
  readonly start: () => void;
  /** Imports rows that were left out, as the user decided. The other rows of the file do not change. */
  readonly importDecided: (decisions: readonly ImportOverrule[], password: string | null) => Promise<void>;
  readonly isDeciding: boolean;
}

/** Imports the file, and later single rows of it. */
function useStoring(flow: ImportFlow, dispatch: Dispatch<ImportAction>, follow: LatestJob['follow']): Storing {
  const { client } = useConnection();
  const [isDeciding, setDeciding] = useState(false);

  async function start(): Promise<void> {
    if (flow.file === null) return;
    dispatch({ type: 'import' });
    const answer = await follow(client.call('imports.start', importInput(flow.file, flow)));
    if (answer === null) return;
    if (!imported(answer)) dispatch({ type: 'failed', failure: failureOf(answer, say('imports.useImport.theImportWasCancelled')) });
  }

  function imported(answer: Outcome<Job>): boolean {
    const result = answer.ok && answer.value.status === 'completed' ? answer.value.import_result : null;
    if (!answer.ok || result === null || lockOf({ result }) !== null) return false;
    dispatch({ type: 'imported', result, jobId: answer.value.id });
    return true;
  }

  async function importDecided(decisions: readonly ImportOverrule[], password: string | null): Promise<void> {
    if (flow.file === null) return;
    const again = {
      ...flow,
      overrules: decisionsAgain(flow.overrules, decisions),
      consent: { ...flow.consent, rejected: true },
      remember: null,
      password,
    };
    setDeciding(true);
    const answer = await follow(client.call('imports.start', importInput(flow.file, again)));
    setDeciding(false);
    if (answer === null || imported(answer)) return;
    notifyFailure(say('imports.useImport.theRowsWereNotImported'), failureOf(answer, say('imports.useImport.theImportWasCancelled')));
  }

  return { start: () => void start(), importDecided, isDeciding };
}

/** Returns why a preview or an import failed. */
function failureOf(answer: Outcome<Job>, cancelledWords: string): { readonly message: string } {
  if (!answer.ok) return answer.error;
  if (answer.value.status === 'cancelled') return { message: cancelledWords };
  const result = answer.value.import_result;
  const locked = result === null || lockOf({ result }) === null ? null : unreadableBecause({ result });
  if (locked !== null) return locked;
  return { message: answer.value.error_message ?? say('imports.useImport.theFileCouldNotBeRead') };
}

function currencyOf(target: Target): { readonly currency?: string } {
  return target.currency === '' ? {} : { currency: target.currency };
}

function accountOf(target: Target): { readonly account?: string } {
  return target.account === '' ? {} : { account: target.account };
}

function bankAccountOf({ bankAccount, bankAccountName }: Target): { bank_account_id?: string; bank_account_name?: string } {
  if (bankAccount === '') return {};
  return bankAccount === NEW_ACCOUNT ? { bank_account_name: bankAccountName } : { bank_account_id: bankAccount };
}

type Reading = Pick<ImportFlow, 'target' | 'password' | 'recipe' | 'table' | 'answers' | 'anyCurrency' | 'kept' | 'overrules'>;

/** Returns all settings by which the file is read. */
export function readingOf({ target, password, recipe, table, answers, anyCurrency, kept, overrules }: Reading) {
  return {
    ...currencyOf(target),
    ...accountOf(target),
    ...bankAccountOf(target),
    ...(password === null ? {} : { password }),
    ...(recipe === null ? {} : { recipe }),
    ...(table === null ? {} : { table }),
    ...(Object.keys(answers).length === 0 ? {} : { answers }),
    ...(anyCurrency ? { accept_currency: true } : {}),
    kept_recipe: kept,
    overrules: [...overrules],
  };
}

/** Returns the input of the import. */
function importInput(file: ChosenFile, flow: ImportFlow): Call<'imports.start'> {
  const { target, consent, remember } = flow;
  return {
    file_token: file.token,
    stream_key: target.key,
    ...(target.mode === 'new' && target.name.trim() !== '' ? { stream_name: target.name.trim() } : {}),
    ...readingOf(flow),
    // The account of a stored recipe was proposed before; the user kept or removed it.
    link_by_recipe: false,
    ...(remember === null ? {} : { remember_recipe: remember.trim() }),
    accept_rejected: consent.rejected,
    accept_broken: consent.broken,
    accept_unproved: consent.unproved,
    accept_target: consent.target,
    keep_file: isFileKept(flow),
  };
}
