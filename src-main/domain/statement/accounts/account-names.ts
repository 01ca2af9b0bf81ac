import type { GridRow } from '../model/grid-row.ts';
import type { WhoseFile } from '../model/statement.ts';
import { normaliseHeader } from '../vocabulary/meaning.ts';

/** Digits hidden by a bank: `****1234`, `XXXX1234`. */
const HIDDEN = /[*#•…]+|[xX]{2,}|\.{2,}|_{2,}/;
/** Fewest digits of an account number. */
const FEWEST_DIGITS = 4;
/** Fewest characters of a part of an account that count as a match in a longer one. */
const FEWEST_PART = 5;
const FEWEST_SHOWN = 3;

/** Whether a text is the number of an account; a bank's name for it, such as `Checking`, is none. */
export function isAccountNumber(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '').length;
  return digits >= (HIDDEN.test(text) ? FEWEST_SHOWN : FEWEST_DIGITS);
}

/** Returns letters and digits of an account in upper case, without a trailing currency (`NL91ABNA0417164300EUR`). */
function compact(account: string): string {
  const bare = account.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return /\d[A-Z]{3}$/.test(bare) && bare.length > 8 ? bare.slice(0, -3) : bare;
}

/** Returns the whole account and the part after its last slash: `37040044/0532013000` names the bank first. */
function partsOf(account: string): string[] {
  const bare = (text: string): string => compact(text).replace(/^0+/, '');
  return [bare(account), bare(account.slice(account.lastIndexOf('/') + 1))].filter((part) => part.length >= FEWEST_PART);
}

/**
 * Whether two texts name one account. Banks write it as an IBAN, with their own code before it, with leading zeros, or with digits hidden; so the
 * shorter text is searched for in the longer one.
 */
export function isSameAccount(one: string, other: string): boolean {
  const [whole, long] = [compact(one), compact(other)];
  if (whole === long) return true;
  const shown = [one, other].map((account) => (HIDDEN.test(account) ? compact(account.split(HIDDEN).at(-1) ?? '') : null));
  const [shownOne = null, shownOther = null] = shown;
  if (shownOne !== null || shownOther !== null) {
    const [left, right] = [shownOne ?? whole, shownOther ?? long];
    const [short, ofLong] = left.length <= right.length ? [left, right] : [right, left];
    return short.length >= FEWEST_SHOWN && ofLong.endsWith(short);
  }
  return partsOf(one).some((part) => long.includes(part)) || partsOf(other).some((part) => whole.includes(part));
}

/** Whether two texts name one holder: all words of one name are among those of the other. */
export function isSameHolder(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const [shorter, longer] = words.size <= others.size ? [words, others] : [others, words];
  return [...shorter].every((word) => longer.has(word));
}

function wordsOf(name: string): ReadonlySet<string> {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return new Set(plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''));
}

/** Labels of an account number above a table, as banks write them. */
const ACCOUNT_LABELS: ReadonlySet<string> = new Set(
  (
    'account,account number,account no,account nr,account id,account iban,iban,iban number,card number,your account,' +
    'konto,kontonummer,konto nr,kontonr,kontonummer iban,iban kontonummer,kartennummer,' +
    'compte,numero de compte,n de compte,no de compte,cuenta,numero de cuenta,n de cuenta,conta,numero da conta,' +
    'conto,numero conto,numero di conto,rekening,rekeningnummer,rachunek,numer rachunku,nr rachunku,cislo uctu,tilinumero'
  ).split(','),
);
/** Labels of an account's holder above a table. */
const HOLDER_LABELS: ReadonlySet<string> = new Set(
  (
    'account holder,account holder name,name of account holder,account owner,holder,owner,customer,customer name,client,' +
    'kontoinhaber,inhaber,kunde,titulaire,titulaire du compte,titular,titular de la cuenta,titolare,intestatario,' +
    'rekeninghouder,tenaamstelling,wlasciciel,posiadacz,posiadacz rachunku,kontohaver,kontohavare,majitel uctu'
  ).split(','),
);
const LONGEST_VALUE = 100;

/** Returns the accounts and holders that the lines above a table and the file's name state. */
export function whoseTable(above: readonly GridRow[], filename: string): WhoseFile {
  const accounts = new Set<string>();
  const holders = new Set<string>();
  for (const { cells } of above) {
    for (const [label, value] of labelled(cells)) {
      const words = normaliseHeader(label);
      if (ACCOUNT_LABELS.has(words) && isAccountNumber(value)) accounts.add(value);
      else if (HOLDER_LABELS.has(words) && /\p{L}/u.test(value)) holders.add(value);
    }
    for (const cell of cells) if (isIban(cell)) accounts.add(cell.trim());
  }
  const named = accounts.size > 0 ? [] : filename.split(/[^A-Za-z0-9]+/).filter(isIban);
  return { accounts: [...accounts, ...named], holders: [...holders] };
}

/** Yields pairs of a label and its value: `Account: 12`, or two cells beside each other. */
function* labelled(cells: readonly string[]): Generator<readonly [string, string]> {
  for (const [index, cell] of cells.entries()) {
    if (cell.length > 2 * LONGEST_VALUE) continue;
    const colon = cell.indexOf(':');
    const own = colon < 0 ? '' : cell.slice(colon + 1).trim();
    const value = own === '' ? (cells.slice(index + 1).find((other) => other !== '') ?? '') : own;
    if (value !== '' && value.length <= LONGEST_VALUE) yield [colon < 0 ? cell : cell.slice(0, colon), value];
  }
}

/** Whether a text is an IBAN whose check digits hold. */
function isIban(text: string): boolean {
  const bare = text.replaceAll(' ', '').toUpperCase();
  if (bare.length > 34 || !/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(bare)) return false;
  let rest = 0;
  for (const letter of `${bare.slice(4)}${bare.slice(0, 4)}`) {
    const value = Number.parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}
