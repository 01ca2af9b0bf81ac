import type { Problem } from '../../../../src-shared/contract/index.ts';
import { decimalPlacesOf, decimalText } from '../../../../src-shared/values/money.ts';
import { note } from '../model/problems.ts';
import type { StatedBalance, StatedFile, StatedSection } from './shared/stated-file.ts';

export function balanceOf(section: StatedSection, type: StatedBalance['type']): StatedBalance | undefined {
  return section.balances.find((balance) => balance.type === type);
}

/** Returns the opening balance. Some banks state the closing balance of the day before instead. */
export function openingOf(section: StatedSection): StatedBalance | undefined {
  return balanceOf(section, 'opening_ledger') ?? balanceOf(section, 'previously_closed_book');
}

/** Returns statements of one account in the order of their days; in file order where a day is missing. */
function inOrder(sections: readonly StatedSection[]): readonly StatedSection[] {
  const dayOf = (section: StatedSection): number | null => (balanceOf(section, 'closing_ledger') ?? openingOf(section))?.day ?? null;
  if (sections.some((section) => dayOf(section) === null)) return sections;
  return sections.toSorted((one, other) => (dayOf(one) ?? 0) - (dayOf(other) ?? 0));
}

/** Returns the opening balance of the first statement and the closing balance of the last, of one account. */
export function chainOf(sections: readonly StatedSection[]) {
  const ordered = inOrder(sections);
  const opening = ordered.map(openingOf).find((balance) => balance !== undefined);
  const closing = ordered.map((section) => balanceOf(section, 'closing_ledger')).findLast((balance) => balance !== undefined);
  return { opening, closing };
}

/** Returns a note for each statement that does not open with the closing balance of the one before. */
export function breaksBetween(sections: readonly StatedSection[], main: string): Problem[] {
  const breaks: Problem[] = [];
  let before: StatedBalance | undefined;
  for (const section of inOrder(sections)) {
    const opening = openingOf(section);
    if (before !== undefined && opening !== undefined && before.minor !== opening.minor)
      breaks.push(notFollowing(section, before, opening, main));
    before = balanceOf(section, 'closing_ledger');
  }
  return breaks;
}

function notFollowing({ account, currency }: StatedSection, before: StatedBalance, opening: StatedBalance, main: string): Problem {
  const code = opening.currency ?? currency ?? main;
  const text = (minor: number): string => `${decimalText(minor, decimalPlacesOf(code))} ${code}`;
  const difference = opening.minor - before.minor;
  const message =
    `The opening balance${account === null ? '' : ` of account ${account}`} in row ${opening.row} is ${text(opening.minor)}, but the statement before it closes with ` +
    `${text(before.minor)} (row ${before.row}): ${text(Math.abs(difference))} too ${difference > 0 ? 'much' : 'little'}. Look for a missing or doubled statement there.`;
  return note('balance_broken', message, opening.row);
}

/** Splits an account that is kept in several currencies into one account per currency, named by both. */
export function accountsApart(file: StatedFile): StatedFile {
  const currencies = new Map<string | null, Set<string>>();
  for (const { account, currency } of file.sections) {
    if (currency !== null) currencies.set(account, (currencies.get(account) ?? new Set()).add(currency));
  }
  if ([...currencies.values()].every((known) => known.size < 2)) return file;
  const sections = file.sections.map((section) => {
    const { account, currency } = section;
    if (currency === null || (currencies.get(account)?.size ?? 0) < 2) return section;
    return { ...section, account: account === null ? currency : `${account} ${currency}` };
  });
  return { ...file, sections };
}
