import type { Identity } from './document.ts';

/** Returns the facts about a report as names and values. They are the head of every page, sheet and file. */
export function identityRows(identity: Identity): (readonly [string, string])[] {
  const {
    bookName,
    reconciliation,
    account,
    accountNumber,
    sources,
    days,
    currency,
    preparedBy,
    state,
    isStale,
    fingerprint,
    contents,
    printed,
  } = identity;
  return [
    ['Reconciliation', bookName === null ? reconciliation : `${reconciliation}, ${bookName}`],
    ['Account', accountNumber === null ? account : `${account}, ${accountNumber}`],
    ['Sources', sources.join('; ')],
    ['Period', `${days}, ${currency}`],
    ['Prepared by', preparedBy ?? 'not prepared yet'],
    ['State', `${state}${isStale ? ', changed since it was signed' : ''}`],
    ['Fingerprint', fingerprint],
    ['Contents', contents],
    ['Printed', printed],
  ];
}
