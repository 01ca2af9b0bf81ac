import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { quoted, unreadable } from '../model/problems.ts';
import type { Statement, Unreadable } from '../model/statement.ts';
import { looksLikeBai2, readBai2 } from './bai2.ts';
import { accountsApart } from './following.ts';
import { looksLikeCamt, readCamt } from './camt/camt.ts';
import { looksLikeMt940, readMt940 } from './mt940/mt940.ts';
import { looksLikeNacha, readNacha } from './nacha.ts';
import { looksLikeOfx, readOfx } from './ofx.ts';
import { looksLikeQif, readQif } from './qif.ts';
import type { PdfText } from './pdf/pages.ts';
import { readPdf } from './pdf/read-pdf.ts';
import type { FormatOptions, StatedFile } from './shared/stated-file.ts';
import { statementOf } from './statement-of.ts';

interface Format {
  readonly looksLike: (text: string) => boolean;
  readonly read: (text: string, options: FormatOptions) => Result<StatedFile, Unreadable>;
}

/** The formats in the order in which they are tried. The content decides, never the file's name. */
const FORMATS: readonly Format[] = [
  { looksLike: looksLikeOfx, read: readOfx },
  { looksLike: looksLikeCamt, read: readCamt },
  { looksLike: looksLikeNacha, read: (text) => success(readNacha(text)) },
  { looksLike: looksLikeBai2, read: (text) => success(readBai2(text)) },
  { looksLike: looksLikeQif, read: readQif },
  { looksLike: looksLikeMt940, read: (text, { currency }) => success(readMt940(text, currency?.toUpperCase())) },
];

function noSuchAccount(account: string, known: readonly (string | null)[]): Unreadable {
  const names = known.filter((name) => name !== null).map(quoted);
  const has = names.length === 0 ? 'It names no account.' : `It has ${names.join(', ')}.`;
  return unreadable('no_such_account', `The file holds no account ${quoted(account)}. ${has}`);
}

/** Whether a text is in a format with fixed meaning; its beginning is enough. */
export function isOfFormat(text: string): boolean {
  return FORMATS.some((each) => each.looksLike(text));
}

/** Reads a file of a format with fixed meaning; null when the text is in none of them. Line ends must be `\n`. */
export function readFormat(text: string, encoding: string, options: FormatOptions): Result<Statement, Unreadable> | null {
  const format = FORMATS.find((each) => each.looksLike(text));
  if (format === undefined) return null;
  return statementOfFile(format.read(text, options), encoding, options);
}

/** Reads the text of a PDF, whose places alone say what its figures mean. */
export function readPdfStatement(text: PdfText, options: FormatOptions): Result<Statement, Unreadable> {
  return statementOfFile(readPdf(text, options), '', options);
}

function statementOfFile(read: Result<StatedFile, Unreadable>, encoding: string, options: FormatOptions): Result<Statement, Unreadable> {
  if (!read.ok) return failed(read.error);
  const file = accountsApart(read.value);
  const account = options.account ?? null;
  const known = [...new Set(file.sections.map((section) => section.account))];
  if (account !== null && !known.includes(account)) return failed(noSuchAccount(account, known));
  return success(statementOf(file, encoding, options));
}
