import type { ColDef } from 'ag-grid-community';
import type { RecordItem, Stream } from '../../../src-shared/contract/index.ts';
import { countText } from '../../format/counts.ts';
import { dateText } from '../../format/dates.ts';
import { listedAmount } from '../../format/money.ts';
import { recordStateText } from '../../format/record-words.ts';
import { referenceOf } from '../../format/references.ts';

interface RecordColumnsOptions {
  readonly streams: readonly Stream[];
  /** Several currencies: each amount names its own. */
  readonly isMixed: boolean;
  /** All lines are of one stream, so that none names it. */
  readonly isOneStream: boolean;
  /** There is no room for all: what the line in full says gives way, and never the amount. */
  readonly isNarrow: boolean;
}

/** Columns of lines of any stream. What the service cannot sort by cannot be sorted. */
export function recordColumns({ streams, isMixed, isOneStream, isNarrow }: RecordColumnsOptions): ColDef<RecordItem>[] {
  const byKey = new Map(streams.map((stream) => [stream.key, stream]));
  const nameOf = ({ data_stream_key: key }: RecordItem): string => byKey.get(key)?.name ?? key;
  const reference = (line: RecordItem): string => referenceOf(line, byKey.get(line.data_stream_key)?.reference_field ?? null) ?? '';
  const text = (of: (line: RecordItem) => string): Pick<ColDef<RecordItem>, 'valueGetter' | 'tooltipValueGetter'> => ({
    valueGetter: ({ data }) => (data === undefined ? '' : of(data)),
    tooltipValueGetter: ({ data }) => (data === undefined ? '' : of(data)),
  });
  const columns: (ColDef<RecordItem> | null)[] = [
    {
      colId: 'date',
      headerName: 'Date',
      width: 104,
      minWidth: 88,
      sortable: true,
      initialSort: 'desc',
      cellClass: 'date-cell',
      valueGetter: ({ data }) => (data === undefined ? '' : dateText(data.date)),
      tooltipValueGetter: ({ data }) => data?.date ?? '',
    },
    isOneStream ? null : { colId: 'stream', headerName: 'Stream', flex: 1.2, minWidth: 88, cellClass: 'dimmed-cell', ...text(nameOf) },
    { colId: 'description', headerName: 'Description', flex: 3, minWidth: 120, ...text((line) => line.description ?? '') },
    isNarrow
      ? null
      : { colId: 'reference', headerName: 'Reference', flex: 1.2, minWidth: 88, cellClass: 'dimmed-cell', ...text(reference) },
    {
      colId: 'state',
      headerName: 'State',
      width: 104,
      minWidth: 84,
      cellClass: 'state-cell',
      cellClassRules: {
        'matched-state': ({ data }) => data?.status === 'reconciled',
        'open-state': ({ data }) => data?.status === 'unreconciled' && data.overdue.length === 0,
        'overdue-state': ({ data }) => data?.status === 'unreconciled' && data.overdue.length > 0,
      },
      valueGetter: ({ data }) => (data === undefined ? '' : recordStateText(data)),
    },
    isNarrow
      ? null
      : {
          colId: 'days',
          headerName: 'Days open',
          width: 88,
          minWidth: 76,
          cellClass: 'amount-cell',
          headerClass: 'amount-header',
          valueGetter: ({ data }) => (data?.days_unreconciled === null || data === undefined ? '' : countText(data.days_unreconciled)),
        },
    {
      colId: 'amount',
      headerName: 'Amount',
      width: isMixed ? 132 : 116,
      minWidth: 104,
      sortable: true,
      cellClass: 'amount-cell',
      headerClass: 'amount-header',
      valueGetter: ({ data }) => (data === undefined ? '' : listedAmount(data, isMixed)),
    },
  ];
  return columns.filter((column) => column !== null);
}
