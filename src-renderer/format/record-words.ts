import type { ReconciliationException, RecordItem, Stream } from '../../src-shared/contract/index.ts';
import { dayFromIso } from '../../src-shared/values/civil-date.ts';
import { type LineTerms, minorBounds } from '../../src-shared/values/line-filter.ts';
import { say } from '../../src-shared/words/say.ts';
import { dateText } from './dates.ts';
import { signedOf, typedAmount } from './money.ts';

export const RECORD_STATES = ['all', 'open', 'matched', 'overdue', 'returns'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

/** Returns the state of a line in one word. */
export function recordStateText({ status, overdue }: Pick<RecordItem, 'status' | 'overdue'>): string {
  if (status === 'reconciled') return say('records.record.matched');
  return overdue.length > 0 ? say('records.record.overdue') : say('records.record.open');
}

/** Labels of the filters by state. */
export const RECORD_STATE_NAMES: Readonly<Record<RecordState, string>> = {
  all: say('records.recordStateNames.all'),
  open: say('records.recordStateNames.open'),
  matched: say('records.recordStateNames.matched'),
  overdue: say('records.recordStateNames.overdue'),
  returns: say('records.recordStateNames.returns'),
};

/** Returns a sentence about a search that found nothing. */
export function nothingFoundText(search: string, isPartial: boolean): string {
  if (isPartial) return say('records.record.noLineThatIsSearched');
  return search.trim() === '' ? say('records.record.noLineFitsTheseFilters') : say('records.record.noLineHasTheseWords');
}

/** The fields of a record that its reference can come from. */
interface Referenced {
  readonly external_id: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

/** Returns the text by which a person would look a line up: the stream's reference field, else the external id. */
export function referenceOf(line: Referenced, referenceField: string | null): string | null {
  if (referenceField?.startsWith('metadata.') === true)
    return textOf(line.metadata[referenceField.slice('metadata.'.length)]) ?? line.external_id;
  if (referenceField === 'description') return line.external_id ?? line.description;
  return line.external_id;
}

/** Returns text for a cell of a spreadsheet: without the marks that end a cell or a row. */
function cellText(text: string): string {
  return text.replaceAll(/[\t\r\n]+/g, ' ');
}

type Copied = Referenced & Pick<RecordItem, 'date' | 'data_stream_key' | 'currency' | 'amount' | 'direction' | 'decimal_places'>;

/** Returns lines as rows of a spreadsheet: day, description, reference, account, currency, signed amount without digit groups. */
export function linesAsCells(lines: readonly Copied[], streams: readonly Pick<Stream, 'key' | 'name' | 'reference_field'>[]): string {
  const byKey = new Map(streams.map((stream) => [stream.key, stream]));
  return lines
    .map((line) => {
      const stream = byKey.get(line.data_stream_key);
      const reference = referenceOf(line, stream?.reference_field ?? null) ?? '';
      const amount = typedAmount(signedOf(line), line.decimal_places);
      return [line.date, line.description ?? '', reference, stream?.name ?? line.data_stream_key, line.currency, amount]
        .map(cellText)
        .join('\t');
    })
    .join('\n');
}

/** Returns the other fields of a record as text, in the order of the file. */
export function fieldsOf(line: Referenced): { readonly name: string; readonly text: string }[] {
  return Object.entries(line.metadata).flatMap(([name, value]) => {
    const text = textOf(value) ?? (value === null || value === undefined || value === '' ? null : JSON.stringify(value));
    return text === null ? [] : [{ name, text }];
  });
}

type OtherFile = RecordItem['other_files'][number];

/** Returns a sentence that another file has the line as well, with that file's description of it. */
export function otherFileText({ filename, imported_at: at, description }: OtherFile): string {
  const file = say('records.otherFiles.alsoInImported', {
    filename: filename ?? say('records.otherFiles.anotherFile'),
    at: dateText(at.slice(0, 10)),
  });
  return description === null ? file : `${file}: ${description}`;
}

/** Returns the age of the oldest line in days; null without a line. */
export function oldestDays({ aggregates: { oldest_at: at } }: ReconciliationException, today: number): number | null {
  const day = at === null ? null : dayFromIso(at.slice(0, 10));
  return day === null ? null : Math.max(0, today - day);
}

const within = (value: number, { from, to }: { readonly from: number | null; readonly to: number | null }): boolean =>
  (from === null || value >= from) && (to === null || value <= to);

/** Whether an exception has what is typed: the grammar of all searches, over its words, its sum, its days and its age. */
export function fitsTerms(item: ReconciliationException, terms: LineTerms, today: number): boolean {
  const { aggregates, decimal_places: places } = item;
  const words = [
    item.title,
    item.description,
    item.data_stream_name,
    item.data_stream_key,
    item.reconciliation_name,
    item.status,
    ...item.assignees,
    ...item.comments,
  ]
    .filter((text) => text !== null)
    .join('\n')
    .toLowerCase();
  const has = (text: string): boolean => words.includes(text.toLowerCase());
  // Not the words of the reconciliation, which names accounts of both sides.
  const isOfAccount = (name: string): boolean =>
    item.data_stream_key === name || item.data_stream_name.toLowerCase().includes(name.toLowerCase());
  const age = oldestDays(item, today);
  const amountFits = (term: LineTerms['amounts'][number]): boolean => {
    const { least, most } = minorBounds(term, places);
    return within(term.isSigned ? aggregates.total_amount : Math.abs(aggregates.total_amount), { from: least, to: most });
  };
  return (
    [...terms.words, ...terms.parties].every(has) &&
    terms.numbers.every((digits) => has(digits) || Math.abs(aggregates.total_amount) === Number(digits) * 10 ** places) &&
    terms.amounts.every(amountFits) &&
    terms.days.every((span) => age !== null && within(today - age, span)) &&
    terms.ages.every((span) => age !== null && within(age, span)) &&
    (terms.accounts.length === 0 || terms.accounts.some(isOfAccount))
  );
}
