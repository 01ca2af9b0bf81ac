import { Button, Skeleton } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure, RecordItem } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { PlaceLink } from '../../components/place-link.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { fullDay } from '../../format/close-days.ts';
import { lineName, recordTexts } from '../../format/close-words.ts';
import type { Slot } from '../../format/statement-rows.ts';
import { plainAmount, signedOf } from '../../format/money.ts';
import { useClosing } from './close-context.ts';
import { placeOfRecord } from './record-link.tsx';
import styles from './statement.module.css';

const PAGE = 100;

/** Lines of one side in the period by date, 100 at a time, stream after stream. */
function usePeriodLines(slot: Slot) {
  const { client } = useConnection();
  const { statement, reconciliation } = useClosing();
  const [lines, setLines] = useState<readonly RecordItem[]>([]);
  const [at, setAt] = useState<{ readonly stream: number; readonly cursor: string | null } | null>({ stream: 0, cursor: null });
  const [failure, setFailure] = useState<Failure | null>(null);
  const isA = (slot === 'bank') === (statement.bank_side !== 'b');
  const streams = isA ? reconciliation.side_a_streams : reconciliation.side_b_streams;
  const { from, to } = statement.period;
  const { currency } = statement;
  const more = useCallback(
    async (place: { readonly stream: number; readonly cursor: string | null }) => {
      const stream = streams[place.stream];
      if (stream === undefined) return null;
      const asked = { data_stream_key: stream.key, date_from: from, date_to: to, currency, sort: 'date', limit: PAGE } as const;
      return client.call('records.list', place.cursor === null ? asked : { ...asked, cursor: place.cursor });
    },
    [client, streams, from, to, currency],
  );
  const load = useCallback(async () => {
    if (at === null) return;
    const answer = await more(at);
    if (answer === null) {
      setAt(null);
      return;
    }
    if (!answer.ok) {
      setFailure(answer.error);
      return;
    }
    const { data, next_cursor: cursor } = answer.value;
    setLines((before) => [...before, ...data]);
    const next = cursor === null ? { stream: at.stream + 1, cursor: null } : { stream: at.stream, cursor };
    setAt(next.stream >= streams.length ? null : next);
  }, [at, more, streams]);
  return { lines, hasMore: at !== null, load, failure };
}

/** The lines that a balance is made of. */
export function PeriodLines({ slot }: { readonly slot: Slot }) {
  const { statement, reconciliation } = useClosing();
  const { lines, hasMore, load, failure } = usePeriodLines(slot);
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    void load();
  }, [load]);
  if (failure !== null) return <FailurePanel title="The lines could not be read" failure={failure} />;
  if (lines.length === 0 && hasMore) return <Skeleton height={120} mt="md" />;
  return (
    <>
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Line</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>{fullDay(line.date)}</td>
              <td>
                <PlaceLink place={placeOfRecord(reconciliation, line)} title="Show the line in the reconciliation" testId="record-link">
                  {lineName(recordTexts(line, reconciliation))}
                </PlaceLink>
              </td>
              <td>{plainAmount(signedOf(line), statement.decimal_places)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hasMore && (
        <Button variant="default" size="xs" mt="sm" onClick={() => void load()} data-testid="more-lines">
          Show more
        </Button>
      )}
    </>
  );
}
