import type { MappingQuestion, SideMapping } from '../../src-shared/contract/databases/mapping.ts';
import type { Result } from '../../src-shared/values/result.ts';
import { failed, success } from '../../src-shared/values/result.ts';
import { csvLines } from '../../src-shared/values/csv.ts';
import { say } from '../../src-shared/words/say.ts';
import { type Statement, readStatement, type Unreadable } from '../domain/statement/index.ts';
import type { Side } from '../domain/records/fields.ts';
import type { Cell, SourceColumn } from './engine.ts';

/** What a person must say of a side. */
interface Question {
  readonly code: MappingQuestion;
  readonly message: string;
}

/** A side as it was proposed: what is sure, and what a person must say. */
export interface Proposal {
  readonly mapping: Partial<SideMapping>;
  readonly questions: readonly Question[];
}

/** Rows of a table that a proposal looks at. */
export const SAMPLE_ROWS = 500;

/** Returns the columns that amounts are in: one, or money in before money out. */
export function amountColumns({ amount }: Pick<SideMapping, 'amount'>): readonly string[] {
  return typeof amount === 'string' ? [amount] : [amount.in, amount.out];
}

/** Returns the names of all columns that a mapping reads, with what each is. */
export function columnsOfMapping(mapping: SideMapping): readonly (readonly [string, string])[] {
  const named: [string, string | undefined][] = [
    ['day', mapping.day],
    ['value_day', mapping.value_day],
    ...amountColumns(mapping).map((name): [string, string] => ['amount', name]),
    ['sign', typeof mapping.sign === 'string' ? undefined : mapping.sign.column],
    ['currency', typeof mapping.currency === 'string' ? undefined : mapping.currency.column],
    ['balance', mapping.balance],
    ['description', mapping.description],
    ['reference', mapping.reference],
    ['id', mapping.id],
    ...Object.entries(mapping.metadata ?? {}).map(([name, of]): [string, string] => [`metadata.${name}`, of]),
  ];
  return named.flatMap(([what, name]) => (name === undefined ? [] : [[what, name] as const]));
}

/** Returns why a mapping does not fit the columns of its table: all faults at once. */
export function faultsOfMapping(side: Side, mapping: SideMapping, columns: readonly SourceColumn[]): string[] {
  const name = side.toUpperCase();
  const known = new Map(columns.map((each) => [each.name, each]));
  const faults: string[] = [];
  for (const [what, column] of columnsOfMapping(mapping)) {
    if (!known.has(column)) {
      faults.push(
        say('warehouse.mapping.thereIsNoColumn', { side: name, what, column, columns: columns.map((each) => each.name).join(', ') }),
      );
    }
  }
  const day = known.get(mapping.day);
  const valueDay = mapping.value_day === undefined ? undefined : known.get(mapping.value_day);
  for (const each of [day, valueDay]) {
    if (each === undefined) continue;
    if (each.kind === 'instant_with_zone' && mapping.time_zone === undefined) {
      faults.push(say('warehouse.mapping.instantsNeedAZone', { side: name, column: each.name, type: each.type }));
    } else if (!['day', 'instant', 'instant_with_zone', 'text'].includes(each.kind)) {
      faults.push(say('warehouse.mapping.holdsNoDays', { side: name, column: each.name, type: each.type }));
    }
  }
  for (const amount of amountColumns(mapping).flatMap((each) => known.get(each) ?? [])) {
    if (amount.kind === 'float' && mapping.floats === undefined) {
      faults.push(say('warehouse.mapping.floatsForMoney', { side: name, column: amount.name, type: amount.type }));
    } else if (!['integer', 'decimal', 'float', 'text'].includes(amount.kind)) {
      faults.push(say('warehouse.mapping.holdsNoAmounts', { side: name, column: amount.name, type: amount.type }));
    }
  }
  return faults;
}

/**
 * Proposes a mapping by the names and the first rows of a table, as the reader of files understands them. What these do not show for sure is asked. `hasOrder`: whether
 * the rows are in the order of the table.
 */
export function proposeMapping(
  side: Side,
  columns: readonly SourceColumn[],
  rows: readonly (readonly Cell[])[],
  hasOrder = false,
): Proposal {
  const name = side.toUpperCase();
  const read = readSample(columns, rows);
  const questions: Question[] = [];
  const ask = (code: MappingQuestion, message: string): unknown => questions.push({ code, message });
  if (!read.ok) {
    ask('not_understood', say('warehouse.mapping.notUnderstood', { side: name, message: read.error.message }));
    return { mapping: {}, questions };
  }
  const recipe = read.value.table?.recipe;
  const roles = new Map<string, string>();
  for (const each of recipe?.columns ?? []) if (!roles.has(each.role)) roles.set(each.role, each.header);
  const role = (of: string): string | undefined => roles.get(of);
  const day = columns.find((each) => each.name === role('date'));
  const amounts = columnsOfAmounts(recipe?.sign_model ?? null, role);
  const amount = columns.find((each) => each.name === (amounts === undefined ? undefined : amountColumns({ amount: amounts })[0]));
  if (day?.kind === 'instant_with_zone')
    ask('instants_need_a_zone', say('warehouse.mapping.instantsNeedAZone', { side: name, column: day.name, type: day.type }));
  if (amounts === undefined) ask('no_amount_column', say('warehouse.mapping.noAmountColumn', { side: name }));
  if (amount?.kind === 'float')
    ask('floats_for_money', say('warehouse.mapping.floatsForMoney', { side: name, column: amount.name, type: amount.type }));
  if (amount?.kind === 'integer') ask('major_or_minor', say('warehouse.mapping.majorOrMinor', { side: name, column: amount.name }));
  const sign = signOf(recipe?.sign_model ?? null, role('direction'), recipe?.direction_words ?? null);
  if (sign === undefined) ask('which_sign', say('warehouse.mapping.whichSign', { side: name, column: amount?.name ?? '' }));
  const currency = role('currency');
  if (currency === undefined) ask('which_currency', say('warehouse.mapping.whichCurrency', { side: name }));
  const optional = {
    value_day: role('value_date'),
    description: role('description'),
    reference: role('reference'),
    id: role('external_id'),
    // Balances that hold at the beginning are to hold throughout.
    balance: hasOrder && read.value.proof === 'proved' ? role('balance') : undefined,
  };
  const mapping: Partial<SideMapping> = {
    ...(day === undefined ? {} : { day: day.name }),
    ...(amounts === undefined ? {} : { amount: amounts }),
    ...(amount === undefined || amount.kind === 'integer' ? {} : { unit: 'major' as const }),
    ...(sign === undefined ? {} : { sign }),
    ...(currency === undefined ? {} : { currency: { column: currency } }),
    ...Object.fromEntries(Object.entries(optional).filter(([, of]) => of !== undefined)),
  };
  return { mapping, questions };
}

/** Returns the column of amounts, or both of money in and money out; undefined where rows do not show which. */
function columnsOfAmounts(model: string | null, role: (of: string) => string | undefined): SideMapping['amount'] | undefined {
  const [paidIn, paidOut] = [role('paid_in'), role('paid_out')];
  if (paidIn === undefined || paidOut === undefined) return role('amount');
  if (model === 'columns') return { in: paidIn, out: paidOut };
  return model === 'columns_swapped' ? { in: paidOut, out: paidIn } : undefined;
}

function signOf(
  model: string | null,
  direction: string | undefined,
  words: { readonly in: readonly string[]; readonly out: readonly string[] } | null,
): SideMapping['sign'] | undefined {
  if (model === 'signed' || model === 'columns' || model === 'columns_swapped') return 'positive_in';
  if (model === 'signed_inverted') return 'positive_out';
  if (direction === undefined || words === null || words.in.length === 0 || words.out.length === 0) return undefined;
  return { column: direction, in: [...words.in], out: [...words.out] };
}

function readSample(columns: readonly SourceColumn[], rows: readonly (readonly Cell[])[]): Result<Statement, Pick<Unreadable, 'message'>> {
  if (rows.length === 0) return failed({ message: say('warehouse.mapping.theTableIsEmpty') });
  const text = csvLines([columns.map(({ name }) => name), ...rows], { newline: '\n', escapeFormulae: false });
  const read = readStatement(
    new TextEncoder().encode(text),
    { filename: 'sample.csv', currency: null },
    { onProgress: () => undefined, isCancelled: () => false },
  );
  return read.ok ? success(read.value) : failed({ message: read.error.message });
}
