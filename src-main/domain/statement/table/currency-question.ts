import type { OpenQuestion } from '../../../../src-shared/contract/index.ts';
import { NO_CURRENCY } from '../../../../src-shared/values/money.ts';
import { currenciesOf } from '../vocabulary/currencies.ts';

/** Asks for the currency of a file, or of those of its rows, that name none. Any other code of three letters answers it as well as the choices do. */
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

/** What signs beside amounts may stand for, where each of them stands for several. */
export function currenciesOfSigns(signs: Iterable<string>): string[] {
  return [...signs].flatMap(currenciesOf);
}

/** What is said of a file of which nothing names the currency. */
export const NAMES_NO_CURRENCY = 'Nothing in the file names its currency.';
