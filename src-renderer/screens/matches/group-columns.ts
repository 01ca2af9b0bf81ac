import type { ColDef, ColGroupDef } from 'ag-grid-community';
import type { MatchGroup, Reconciliation, SidedRecord } from '../../../src-shared/contract/index.ts';
import { countOf, listText } from '../../format/counts.ts';
import { dateText } from '../../format/dates.ts';
import { reasonText } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { referenceOf } from '../../format/record-words.ts';
import { likelihoodText } from '../../format/match-words.ts';
import { moneyText, plainAmount, signedOf, sumsOf } from '../../format/money.ts';
import { CERTAINTY_LABELS, originText } from '../../format/words.ts';
import type { Side } from '../../state/selection.ts';
import { notation } from '../../../src-shared/values/notation.ts';
import { say } from '../../../src-shared/words/say.ts';

type Column = ColDef<MatchGroup>;

/** Returns the records of one side of a group. */
export function recordsOf(group: MatchGroup, side: Side): SidedRecord[] {
  return group.records.filter((record) => record.side === side);
}

/** Returns the currency and the decimal places of a group's difference: the finest of its records. */
export function scaleOf(group: MatchGroup): { readonly currency: string; readonly decimalPlaces: number } {
  const decimalPlaces = Math.max(0, ...group.records.map((record) => record.decimal_places));
  return { currency: group.records[0]?.currency ?? '', decimalPlaces };
}

/** Returns the name of a group in a sentence: the description and the amount of its first line. */
export function groupName(group: MatchGroup): string {
  const [first] = group.records;
  if (first === undefined) return String(group.match.id);
  const name = first.description ?? first.external_id ?? say('matches.groupDetail.noDescription');
  return `${name}, ${plainAmount(signedOf(first), first.decimal_places)}`;
}

/** Returns the difference between the sides. When an adjustment balances it, the text says so in place of 0. */
function differenceText(group: MatchGroup): string {
  const { difference, adjustment_record_id: adjustmentId } = group.match;
  return difference === 0 && adjustmentId !== null ? 'adjusted' : plainAmount(difference, scaleOf(group).decimalPlaces);
}

/** Returns the recorded reason of a difference, and whether an adjustment balances it. */
function differenceHint({ match }: MatchGroup): string {
  const said = match.difference_reason === null ? '' : reasonText(match.difference_reason);
  if (match.adjustment_record_id === null) return said;
  return said === '' ? say('matches.groupColumns.balancedByAnAdjustment') : say('matches.groupColumns.balancedByAdjustmentNamed', { said });
}

function datesOf(records: readonly SidedRecord[]): string {
  const dates = records.map((record) => record.date).toSorted();
  const [first] = dates;
  const last = dates.at(-1);
  if (first === undefined || last === undefined) return '';
  return first === last ? dateText(first) : `${dateText(first)}…`;
}

function linesText(lines: readonly SidedRecord[]): string {
  const [only] = lines;
  if (only === undefined) return '';
  if (lines.length === 1) return only.description ?? only.external_id ?? '';
  return `${countOf(lines.length, 'count.lines')}: ${lines
    .slice(0, 3)
    .map((record) => record.description ?? '')
    .join(', ')}`;
}

/** Returns the lines of one side as text. An adjustment is labelled. */
function textOf(group: MatchGroup, side: Side): string {
  const records = recordsOf(group, side);
  const isAdjustment = (record: SidedRecord): boolean => record.id === group.match.adjustment_record_id;
  const lines = linesText(records.filter((record) => !isAdjustment(record)));
  const adjustment = records.find(isAdjustment);
  if (adjustment === undefined) return lines;
  const reason =
    adjustment.description === null ? 'adjustment' : say('matches.groupColumns.adjustment', { description: adjustment.description });
  return lines === '' ? reason.replace('a', 'A') : `${lines} + ${reason}`;
}

/** Returns the reference of each line of a side, as its account names it. */
function referencesOf(group: MatchGroup, side: Side, streams: Reconciliation['side_a_streams']): string {
  const fields = new Map(streams.map(({ key, reference_field: field }) => [key, field]));
  const found = recordsOf(group, side)
    .filter(({ id }) => id !== group.match.adjustment_record_id)
    .map((record) => referenceOf(record, fields.get(record.data_stream_key) ?? null));
  return [...new Set(found.filter((reference) => reference !== null))].join(', ');
}

/** The pixels of a whole day and the mark of further ones: hyphens are wider than slashes. */
const dateWidth = (): number => (notation().days === 'ymd' ? 116 : 108);

function sideColumns(side: Side, isMixed: boolean, streams: Reconciliation['side_a_streams']): Column[] {
  const of = (group: MatchGroup | undefined): SidedRecord[] => (group === undefined ? [] : recordsOf(group, side));
  return [
    {
      colId: `date-${side}`,
      headerName: say('matches.groupColumns.date'),
      width: dateWidth(),
      minWidth: dateWidth(),
      cellClass: side === 'b' ? ['date-cell', 'side-start'] : 'date-cell',
      valueGetter: ({ data }) => datesOf(of(data)),
      tooltipValueGetter: ({ data }) =>
        of(data)
          .map((record) => record.date)
          .join(', '),
    },
    {
      colId: `text-${side}`,
      headerName: say('matches.groupColumns.description'),
      flex: 1,
      minWidth: 76,
      valueGetter: ({ data }) => (data === undefined ? '' : textOf(data, side)),
      tooltipValueGetter: ({ data }) =>
        of(data)
          .map((record) => record.description ?? '')
          .join('\n'),
    },
    {
      colId: `reference-${side}`,
      headerName: say('matches.groupColumns.reference'),
      flex: 0.8,
      minWidth: 72,
      cellClass: 'dimmed-cell',
      valueGetter: ({ data }) => (data === undefined ? '' : referencesOf(data, side, streams)),
      tooltipValueGetter: ({ data }) => (data === undefined ? '' : referencesOf(data, side, streams)),
    },
    {
      colId: `amount-${side}`,
      headerName: say('matches.groupColumns.amount'),
      width: 98,
      minWidth: 98,
      cellClass: 'amount-cell',
      headerClass: 'amount-header',
      valueGetter: ({ data }) =>
        sumsOf(of(data))
          .map((sum, _, all) =>
            isMixed || all.length > 1 ? moneyText(sum.net, sum.currency, sum.decimal_places) : plainAmount(sum.net, sum.decimal_places),
          )
          .join(', '),
    },
  ];
}

const CERTAINTY_COLUMN: Column = {
  colId: 'certainty',
  headerName: say('matches.certaintyColumn.headerName'),
  width: 104,
  valueGetter: ({ data }) =>
    data === undefined ? '' : data.match.certainty === null ? say('matches.groupColumns.byHand') : CERTAINTY_LABELS[data.match.certainty],
};

const LIKELIHOOD_COLUMN: Column = {
  colId: 'likelihood',
  headerName: say('matches.likelihoodColumn.headerName'),
  width: 80,
  cellClass: 'amount-cell',
  headerClass: 'amount-header',
  valueGetter: ({ data }) => (typeof data?.match.likelihood === 'number' ? likelihoodText(data.match.likelihood) : ''),
};

/** Returns the columns of the groups: the two sides, the difference, the likelihood, the certainty and what made it. */
export function groupColumns(
  reconciliation: Reconciliation,
  rules: ReadonlyMap<number, string>,
  isMixed: boolean,
): (Column | ColGroupDef<MatchGroup>)[] {
  const sideName = (side: Side): string =>
    `${side.toUpperCase()} · ${listText((side === 'a' ? reconciliation.side_a_streams : reconciliation.side_b_streams).map(({ name }) => name))}`;
  return [
    { headerName: sideName('a'), children: sideColumns('a', isMixed, reconciliation.side_a_streams) },
    { headerName: sideName('b'), children: sideColumns('b', isMixed, reconciliation.side_b_streams) },
    {
      headerName: say('matches.groupColumns.match'),
      children: [
        {
          colId: 'difference',
          headerName: say('matches.groupColumns.difference'),
          width: 84,
          cellClass: ['amount-cell', 'side-start'],
          headerClass: 'amount-header',
          cellClassRules: { 'difference-cell': ({ data }) => (data?.match.difference ?? 0) !== 0 },
          valueGetter: ({ data }) => (data === undefined ? '' : differenceText(data)),
          tooltipValueGetter: ({ data }) => (data === undefined ? '' : differenceHint(data)),
        },
        LIKELIHOOD_COLUMN,
        CERTAINTY_COLUMN,
        originColumn(rules),
      ],
    },
  ];
}

/** Returns the description of the rule that made a group; null when it was deleted or has none. */
export function ruleOf(group: MatchGroup, rules: ReadonlyMap<number, string>): string | null {
  const id = group.match.reconciliation_rule_id;
  return id === null ? null : (rules.get(id) ?? null);
}

function originColumn(rules: ReadonlyMap<number, string>): Column {
  return {
    colId: 'origin',
    headerName: say('matches.groupColumns.madeBy'),
    width: 150,
    cellClass: 'dimmed-cell',
    valueGetter: ({ data }) => (data === undefined ? '' : originText(data.match, ruleOf(data, rules))),
    tooltipValueGetter: ({ data }) => (data === undefined ? '' : originText(data.match, ruleOf(data, rules))),
  };
}
