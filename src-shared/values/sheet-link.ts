/**
 * What a spreadsheet reads by a sheet link: the tables behind it with the columns that it shows, the formula of one figure, and the text of a query of
 * Power Query.
 */

/** A column of a table as its CSV has it. */
export interface LinkedColumn {
  readonly field: string;
  readonly kind: 'text' | 'day' | 'amount' | 'number';
  /** False for what only programs use. */
  readonly isShown: boolean;
}

export interface LinkedTable {
  /** The path behind the link. */
  readonly path: 'items' | 'open' | 'matched' | 'balances' | 'accounts' | 'statement';
  /** The key of its name in the catalogue of sentences. */
  readonly words: `close.linked.sheet${'Items' | 'Open' | 'Matched' | 'Balances' | 'Accounts' | 'Statement'}`;
  /** All columns of the CSV, in its order. */
  readonly columns: readonly LinkedColumn[];
}

const DAYS: ReadonlySet<string> = new Set(['date']);
const NUMBERS: ReadonlySet<string> = new Set([
  'age_days',
  'from_days',
  'to_days',
  'count',
  'lines',
  'matched',
  'open',
  'percent',
  'record_id',
]);

/** Returns the columns of a table. A field with `+` is an amount, which has a column in minor units and one in currency units. */
function columnsOf(fields: string): LinkedColumn[] {
  return fields.split(' ').flatMap((named): LinkedColumn[] => {
    const field = named.replace('+', '');
    if (field !== named) {
      return [
        { field, kind: 'number', isShown: false },
        { field: `${field}_decimal`, kind: 'amount', isShown: true },
      ];
    }
    const kind = DAYS.has(field) ? 'day' : NUMBERS.has(field) ? 'number' : 'text';
    return [{ field, kind, isShown: field !== 'decimal_places' && field !== 'record_id' }];
  });
}

export const LINKED_TABLES: readonly LinkedTable[] = [
  {
    path: 'items',
    words: 'close.linked.sheetItems',
    columns: columnsOf('record_id side date account reference description amount+ currency decimal_places age_days status owner comment'),
  },
  {
    path: 'open',
    words: 'close.linked.sheetOpen',
    columns: columnsOf('side currency decimal_places from_days to_days count receipts+ payments+ net+'),
  },
  { path: 'matched', words: 'close.linked.sheetMatched', columns: columnsOf('side currency lines matched open percent') },
  {
    path: 'balances',
    words: 'close.linked.sheetBalances',
    columns: columnsOf('currency decimal_places bank+ books+ adjusted_bank+ adjusted_books+ unexplained+ agrees verdict'),
  },
  {
    path: 'accounts',
    words: 'close.linked.sheetAccounts',
    columns: columnsOf('side account data_stream_keys currency decimal_places balance+ source'),
  },
  {
    path: 'statement',
    words: 'close.linked.sheetStatement',
    columns: columnsOf('currency decimal_places side section label date note amount+ unknown'),
  },
];

/** What a cell shows while nothing answers. */
const NOT_RUNNING = '#TIEOUT! not running';

/** Returns a column's name for people: `amount_decimal` is "Amount", `age_days` "Age days". */
export function headingOf({ field }: LinkedColumn): string {
  const words = field.replace(/_decimal$/, '').replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Returns the formula of a figure whose address is the text `address`, an expression: the number, else its text, else that Tieout is closed. */
export function figureFormula(address: string): string {
  const read = `WEBSERVICE(${address})`;
  return `=IFERROR(NUMBERVALUE(${read},"."),IFERROR(${read},"${NOT_RUNNING}"))`;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const M_TYPES = { text: 'type text', day: 'type date', amount: 'type number', number: 'type number' } as const;

/**
 * Returns the text of a query of Power Query for a table. Where Tieout does not answer or refuses, the query gives one cell that says so instead of
 * failing, because a failed query leaves the old rows in the sheet. Each row says when it was read.
 */
export function powerQueryText(link: string, { path, columns }: LinkedTable): string {
  const shown = columns.filter(({ isShown }) => isShown);
  const list = (each: (column: LinkedColumn) => string): string => shown.map(each).join(', ');
  return [
    'let',
    `    Link = ${quoted(link)},`,
    `    Read = try Text.FromBinary(Binary.Buffer(Web.Contents(Link, [RelativePath = ${quoted(path)}, Query = [format = "csv"], IsRetry = true])), TextEncoding.Utf8) otherwise ${quoted(NOT_RUNNING)},`,
    '    Answer = Text.TrimStart(Read, Character.FromNumber(65279)),',
    '    Refusal = #table(type table [Tieout = text], {{Answer}}),',
    '    Rows = Table.PromoteHeaders(Csv.Document(Answer, [Delimiter = ",", QuoteStyle = QuoteStyle.Csv]), [PromoteAllScalars = true]),',
    `    Chosen = Table.SelectColumns(Rows, {${list(({ field }) => quoted(field))}}),`,
    `    Typed = Table.TransformColumnTypes(Chosen, {${list(({ field, kind }) => `{${quoted(field)}, ${M_TYPES[kind]}}`)}}, "en-GB"),`,
    `    Named = Table.RenameColumns(Typed, {${list((column) => `{${quoted(column.field)}, ${quoted(headingOf(column))}}`)}}),`,
    '    Stamped = Table.AddColumn(Named, "Read at", each DateTime.LocalNow(), type datetime)',
    'in',
    '    if Text.StartsWith(Answer, "#TIEOUT!") then Refusal else Stamped',
    '',
  ].join('\n');
}
