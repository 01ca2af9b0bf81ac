import { Fragment } from 'react';
import type { PeriodStatement, Reconciliation, RecordItem } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { PlaceLink } from '../../components/place-link.tsx';
import { lineLabel, recordTexts, withMinus } from '../../format/close-words.ts';
import type { Place } from '../../state/places.ts';
import { useClosing } from './close-context.ts';
import { say } from '../../../src-shared/words/say.ts';

/** Returns the place of an open line: the reconciliation with a search for its text. */
function placeOf(id: number, words: string): Place {
  return { screen: 'reconciliation', id, find: words };
}

const labelOf = (record: RecordItem, reconciliation: Reconciliation): string => lineLabel(recordTexts(record, reconciliation));

/** Returns the place of any line: its match, or the open lines. */
export function placeOfRecord(reconciliation: Reconciliation, record: RecordItem): Place {
  const { id } = reconciliation;
  return record.matched_records_total > 0 ? { screen: 'reconciliation', id, tab: 'matched' } : placeOf(id, labelOf(record, reconciliation));
}

/** A link to a line in the reconciliation. */
export function RecordLink({ recordId, text }: { readonly recordId: number; readonly text?: string }) {
  const { reconciliation, statement } = useClosing();
  const item = statement.open_items.find((open) => open.record_id === recordId);
  if (item === undefined) return <OtherRecord recordId={recordId} {...(text === undefined ? {} : { text })} />;
  return (
    <PlaceLink
      place={placeOf(reconciliation.id, lineLabel(item))}
      title={say('close.recordLink.showTheLineInTheReconciliation')}
      testId="record-link"
    >
      {text ?? lineLabel(item)}
    </PlaceLink>
  );
}

/** A link to a line that the statement does not list. It is read first. */
function OtherRecord({ recordId, text }: { readonly recordId: number; readonly text?: string }) {
  const { reconciliation } = useClosing();
  const { data: record } = useOperation('records.get', { id: recordId });
  if (record === undefined) return <span>{text ?? say('close.recordLink.line', { recordId })}</span>;
  return (
    <PlaceLink
      place={placeOfRecord(reconciliation, record)}
      title={say('close.recordLink.showTheLineInTheReconciliation')}
      testId="record-link"
    >
      {text ?? labelOf(record, reconciliation)}
    </PlaceLink>
  );
}

interface CauseLinesProps {
  readonly causes: PeriodStatement['open_items'][number]['causes'];
}

/** Likely causes as entries of a list, with links to the lines that they mention. */
export function CauseLines({ causes }: CauseLinesProps) {
  return causes.map((cause) => (
    <li key={cause.sentence}>
      {withMinus(cause.sentence)}
      {cause.record_ids.map((id) => (
        <Fragment key={id}>
          {' '}
          <RecordLink recordId={id} />
        </Fragment>
      ))}
    </li>
  ));
}
