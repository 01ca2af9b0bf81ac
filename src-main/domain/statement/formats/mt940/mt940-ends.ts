import type { Problem } from '../../../../../src-shared/contract/index.ts';
import { note } from '../../model/problems.ts';
import { cutOff, isTorn, lastRow } from '../shared/cut-off.ts';
import { BALANCE, type Field, HEAD_TAG, LINE, type Message, SUM } from './mt940-fields.ts';

/** A tag or an envelope of which not more than the beginning is there. */
const BEGUN = /^(?::[\dA-Z]{0,3}|\{[^}]*)$/;

/** What of the messages of a file is missing at their ends, as far as the format asks for it. */
export function missingEnds(text: string, messages: readonly Message[]): Problem[] {
  const end = lastRow(text);
  const problems: Problem[] = [];
  for (const [index, message] of messages.entries()) {
    const missing = missingOf(message, isTorn(text) && index === messages.length - 1);
    if (missing === null) continue;
    const next = messages[index + 1];
    problems.push(next === undefined ? cutOff(end, missing) : note('file_cut_off', between(message, missing, next), message.row));
  }
  if (problems.some(({ row }) => row === end)) return problems;
  const last = text.slice(text.lastIndexOf('\n') + 1).trimEnd();
  if (BEGUN.test(last)) problems.push(cutOff(end, 'the message that begins there'));
  return [...problems, ...missingPages(messages)];
}

function between({ row }: Message, missing: string, next: Message): string {
  return `The message that begins in row ${row} ends before the next one in row ${next.row} without ${missing}: a part of it is missing. Ask the bank for the whole file.`;
}

/** What a message lacks, in words; null where it is whole. Transactions behind the end of a message need no end of their own. */
function missingOf({ fields, isEnded, isEnveloped, row }: Message, isLineTorn: boolean): string | null {
  if (isEnveloped && !isEnded) return `the end (-}) of the message that begins in row ${row}`;
  if (!fields.some(({ tag }) => HEAD_TAG.test(tag))) return null;
  const last = fields.at(-1);
  const isThere = (field: Field): boolean => !isLineTorn || field !== last || field.lines.length > 1 || isRead(field);
  if (fields.some((field) => field.tag.startsWith('62') && isThere(field))) return null;
  const opening = fields.find(({ tag }) => tag.startsWith('60'));
  if (opening !== undefined) return `the closing balance (tag 62) of the statement that opens in row ${opening.row}`;
  // An interim report has no balances; it says the totals of what it lists, or at least that it ends.
  const isSummed = directionsOf(fields).every((tag) => fields.some((field) => field.tag === tag && isThere(field)));
  if (isEnded || (isSummed && fields.some(({ tag }) => tag.startsWith('90')))) return null;
  return `the totals (tags 90D and 90C) or the end (-) of the message that begins in row ${row}`;
}

/** A last line of which all is there that cannot be left out. An amount has a decimal comma, or a point for it. */
function isRead({ lines: [line = ''], tag }: Field): boolean {
  return (tag.startsWith('62') ? BALANCE : SUM).test(line.trim()) && /[.,]/.test(line);
}

function directionsOf(fields: readonly Field[]): readonly string[] {
  const marks = fields.filter(({ tag }) => tag === '61').map(({ lines: [line = ''] }) => LINE.exec(line)?.[3]?.toUpperCase() ?? '');
  const isDebit = (mark: string): boolean => /^(?:D|ED|RC)$/.test(mark);
  return [...(marks.some(isDebit) ? ['90D'] : []), ...(marks.some((mark) => !isDebit(mark)) ? ['90C'] : [])];
}

/** An intermediate closing balance (62M) says that another page of the statement follows. */
function missingPages(messages: readonly Message[]): Problem[] {
  const lastPages = new Map<string, Field>();
  for (const { fields } of messages) {
    const account = fields.find(({ tag }) => tag === '25' || tag === '25P')?.lines[0]?.trim();
    const closing = fields.findLast(({ tag }) => tag.startsWith('62'));
    if (account !== undefined && closing !== undefined) lastPages.set(account, closing);
  }
  return [...lastPages]
    .filter(([, { tag }]) => tag === '62M')
    .map(([account, { row }]) => {
      const message = `The statement of account ${account} goes on behind its page that closes in row ${row} (tag 62M), but the file has no page behind it. Ask the bank for the whole file.`;
      return note('file_cut_off', message, row);
    });
}
