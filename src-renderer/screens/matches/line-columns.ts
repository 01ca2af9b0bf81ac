import type { ColDef } from 'ag-grid-community';
import type { Line, Stream } from '../../../src-shared/contract/index.ts';
import { dateText } from '../../format/dates.ts';
import { otherFileText } from '../../format/other-files-words.ts';
import { listedAmount } from '../../format/money.ts';
import { fieldsOf, referenceOf } from '../../format/references.ts';

interface LineColumnsOptions {
  readonly streams: readonly Stream[];
  /** Several currencies on one side: each amount names its own. */
  readonly isMixed: boolean;
  /** There is no room beside date, description and amount: the rest stands in the tooltip. */
  readonly isNarrow?: boolean;
  /** Some line has a value date. */
  readonly hasValueDates?: boolean;
}

function tooltipOf(line: Line | undefined, reference: string | null): string {
  if (line === undefined) return '';
  return [
    line.match_status === 'proposed' ? 'Stands in a proposal' : '',
    line.description ?? '',
    line.reversal_reason === null ? '' : `Return: ${line.reversal_reason}`,
    line.reversed_by_record_id === null ? '' : 'Returned by a later line',
    line.value_date === null ? '' : `Value date: ${dateText(line.value_date)}`,
    reference === null ? '' : `Reference: ${reference}`,
    ...fieldsOf(line).map(({ name, text }) => `${name}: ${text}`),
    ...line.other_files.map(otherFileText),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const VALUE_DATE: ColDef<Line> = {
  colId: 'value_date',
  headerName: 'Value date',
  width: 104,
  minWidth: 84,
  cellClass: 'date-cell',
  valueGetter: ({ data }) => (data === undefined || data.value_date === null ? '' : dateText(data.value_date)),
  tooltipValueGetter: ({ data }) => data?.value_date ?? '',
};

/** Columns of one side's lines. */
export function lineColumns({ streams, isMixed, isNarrow = false, hasValueDates = false }: LineColumnsOptions): ColDef<Line>[] {
  const byKey = new Map(streams.map((stream) => [stream.key, stream]));
  const fieldOf = (line: Line): string | null => byKey.get(line.data_stream_key)?.reference_field ?? null;
  // The service sorts by external_id alone; a reference kept elsewhere cannot be sorted yet.
  const isSortable = streams.every((stream) => stream.reference_field === null || stream.reference_field === 'external_id');
  const columns: (ColDef<Line> | null)[] = [
    {
      colId: 'date',
      headerName: 'Date',
      width: 96,
      minWidth: 84,
      // Not `sort`: that would be applied anew whenever the columns are.
      initialSort: 'asc',
      cellClass: 'date-cell',
      valueGetter: ({ data }) => (data === undefined ? '' : dateText(data.date)),
      tooltipValueGetter: ({ data }) => data?.date ?? '',
    },
    isNarrow || !hasValueDates ? null : VALUE_DATE,
    {
      colId: 'description',
      headerName: 'Description',
      flex: 3,
      minWidth: 80,
      cellClassRules: { 'proposed-line': ({ data }) => data?.match_status === 'proposed' },
      valueGetter: ({ data }) => data?.description ?? '',
      tooltipValueGetter: ({ data }) => tooltipOf(data, data === undefined ? null : referenceOf(data, fieldOf(data))),
    },
    isNarrow
      ? null
      : {
          colId: 'external_id',
          headerName: 'Reference',
          flex: 1.2,
          minWidth: 88,
          sortable: isSortable,
          cellClass: 'dimmed-cell',
          valueGetter: ({ data }) => (data === undefined ? '' : (referenceOf(data, fieldOf(data)) ?? '')),
        },
    isNarrow || streams.length < 2
      ? null
      : {
          colId: 'stream',
          headerName: 'Stream',
          flex: 1,
          minWidth: 72,
          sortable: false,
          cellClass: 'dimmed-cell',
          valueGetter: ({ data }) => (data === undefined ? '' : (byKey.get(data.data_stream_key)?.name ?? data.data_stream_key)),
        },
    {
      colId: 'amount',
      headerName: 'Amount',
      width: 108,
      minWidth: 96,
      cellClass: 'amount-cell',
      headerClass: 'amount-header',
      valueGetter: ({ data }) => (data === undefined ? '' : listedAmount(data, isMixed)),
    },
  ];
  return columns.filter((column) => column !== null);
}
