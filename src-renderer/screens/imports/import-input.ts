import type { Call, Job } from '../../../src-shared/contract/index.ts';
import type { ChosenFile, Outcome } from '../../../src-shared/contract/wire.ts';
import { type ImportFlow, NEW_ACCOUNT, type Target } from '../../state/import-flow.ts';

/** Why a look at a file, or its import, came to nothing. */
export function failureOf(answer: Outcome<Job>, cancelledWords: string): { readonly message: string } {
  if (!answer.ok) return answer.error;
  if (answer.value.status === 'cancelled') return { message: cancelledWords };
  return { message: answer.value.error_message ?? 'The file could not be read, and no reason was given.' };
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

export type Reading = Pick<ImportFlow, 'target' | 'recipe' | 'table' | 'answers' | 'anyCurrency' | 'kept' | 'overrules'>;

/** Everything that the file is read with. */
export function readingOf({ target, recipe, table, answers, anyCurrency, kept, overrules }: Reading) {
  return {
    ...currencyOf(target),
    ...accountOf(target),
    ...bankAccountOf(target),
    ...(recipe === null ? {} : { recipe }),
    ...(table === null ? {} : { table }),
    ...(Object.keys(answers).length === 0 ? {} : { answers }),
    ...(anyCurrency ? { accept_currency: true } : {}),
    kept_recipe: kept,
    overrules: [...overrules],
  };
}

/** What an import is started with. */
export function importInput(file: ChosenFile, flow: ImportFlow): Call<'imports.start'> {
  const { target, consent, remember } = flow;
  return {
    file_token: file.token,
    stream_key: target.key,
    ...(target.mode === 'new' && target.name.trim() !== '' ? { stream_name: target.name.trim() } : {}),
    ...readingOf(flow),
    // The account of a kept recipe was proposed, and stays or was taken out.
    link_by_recipe: false,
    ...(remember === null ? {} : { remember_recipe: remember.trim() }),
    accept_rejected: consent.rejected,
    accept_broken: consent.broken,
    accept_target: consent.target,
  };
}
