import { counted } from '../../../../src-shared/values/english.ts';
import type { Problem } from '../../../../src-shared/contract/index.ts';
import { RowNumbers } from '../model/row-numbers.ts';
import { note, placed } from '../model/problems.ts';
import type { AroundRows } from './sort-rows.ts';

/** Returns notes on all rows below the header that are not transactions: none is dropped silently. */
export function leftOutNotes(sorted: AroundRows, footer: readonly number[] = []): readonly Problem[] {
  const notes: Problem[] = [];
  if (sorted.blanks > 0)
    notes.push(
      note(
        'blank_rows',
        `${counted(sorted.blanks, 'blank row')} between or below the transactions ${sorted.blanks === 1 ? 'was' : 'were'} left out.`,
      ),
    );
  add(notes, 'repeated_header', sorted.repeatedHeaders, 'The header is repeated and was left out there');
  add(notes, 'total_rows', sorted.totals, 'Lines with totals are no transactions and were left out');
  add(notes, 'text_rows', sorted.texts, 'Lines of text without date and amount were left out');
  add(notes, 'balance_rows', sorted.balancesWithDate, 'Lines that state a balance were read as balances, not as transactions');
  add(notes, 'footer_rows', new RowNumbers(footer), 'Lines at the end were left out, as the recipe says');
  if (sorted.continued > 0)
    notes.push(
      note('continued_rows', `${counted(sorted.continued, 'row')} without date and amount continued the description of the row above.`),
    );
  return notes;
}

function add(notes: Problem[], code: string, rows: RowNumbers, sentence: string): void {
  if (rows.count > 0) notes.push(note(code, `${sentence}: ${placed(rows)}.`, rows.first[0] ?? null));
}
