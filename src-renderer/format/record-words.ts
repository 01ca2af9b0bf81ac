import type { RecordItem } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import { dateText } from './dates.ts';

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
