import type { Reconciliation, RecordItem } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { PlaceLink } from '../../components/place-link.tsx';
import { lineLabel, recordTexts } from '../../format/close-words.ts';
import type { Place } from '../../state/places.ts';
import { useClosing } from './close-context.ts';

/** Where a line is found in the reconciliation: among the open lines, looked for by its words. */
function placeOf(id: number, words: string): Place {
  return { screen: 'reconciliation', id, find: words };
}

const labelOf = (record: RecordItem, reconciliation: Reconciliation): string => lineLabel(recordTexts(record, reconciliation));

/** Where any line is found: among the matches, or among the open lines. */
export function placeOfRecord(reconciliation: Reconciliation, record: RecordItem): Place {
  const { id } = reconciliation;
  return record.matched_records_total > 0 ? { screen: 'reconciliation', id, tab: 'matched' } : placeOf(id, labelOf(record, reconciliation));
}

/** Leads to a line in the reconciliation. */
export function RecordLink({ recordId, text }: { readonly recordId: number; readonly text?: string }) {
  const { reconciliation, statement } = useClosing();
  const item = statement.open_items.find((open) => open.record_id === recordId);
  if (item === undefined) return <OtherRecord recordId={recordId} {...(text === undefined ? {} : { text })} />;
  return (
    <PlaceLink place={placeOf(reconciliation.id, lineLabel(item))} title="Show the line in the reconciliation" testId="record-link">
      {text ?? lineLabel(item)}
    </PlaceLink>
  );
}

/** A line that the statement does not list. */
function OtherRecord({ recordId, text }: { readonly recordId: number; readonly text?: string }) {
  const { reconciliation } = useClosing();
  const { data: record } = useOperation('records.get', { id: recordId });
  if (record === undefined) return <span>{text ?? `line ${recordId}`}</span>;
  return (
    <PlaceLink place={placeOfRecord(reconciliation, record)} title="Show the line in the reconciliation" testId="record-link">
      {text ?? labelOf(record, reconciliation)}
    </PlaceLink>
  );
}
