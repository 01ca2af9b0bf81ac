import type { OpenQuestion } from '../../../../src-shared/contract/index.ts';
import { NO_CURRENCY } from '../../../../src-shared/values/money.ts';
import { currenciesOf } from '../vocabulary/currencies.ts';

/**
 * Returns the question for the currency of a file, or of those of its rows that name none. The answer may be any code of three letters, not only one
 * of the choices.
 */
export function currencyQuestion(message: string, choices: Iterable<string>, column: string | null = null): OpenQuestion {
  return {
    about: 'currency',
    column,
    message: `${message} Say which currency it is.`,
    taken: NO_CURRENCY,
    choices: [...new Set(choices)].map(currencyChoice),
  };
}

function currencyChoice(currency: string): OpenQuestion['choices'][number] {
  return { value: currency, label: currency, examples: [] };
}

/** Returns all currencies that ambiguous signs beside amounts may mean. */
export function currenciesOfSigns(signs: Iterable<string>): string[] {
  return [...signs].flatMap(currenciesOf);
}

export const NAMES_NO_CURRENCY = 'Nothing in the file names its currency.';
