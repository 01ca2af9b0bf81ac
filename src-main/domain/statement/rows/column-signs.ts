import type { OpenQuestion } from '../../../../src-shared/contract/index.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import type { AmountShape } from '../cells/amounts.ts';
import type { Layout } from '../columns/table-columns.ts';
import { note, placed, RowNumbers } from '../model/problems.ts';
import { ownText } from '../text/grid.ts';
import { normaliseHeader } from '../vocabulary/meaning.ts';
import { saysMoneyBack, saysPaid } from './card-signs.ts';
import type { SignModel } from './signs.ts';
import { cellOf, type WrittenRow } from './sort-rows.ts';

/** Rows whose texts are looked at, of each kind. */
const MAX_ROWS_OF_TEXT = 1_000;
/** This many amounts of money in, all with a minus, show that the column is always written so. */
const MIN_WRITTEN_SO = 3;
/** Most different amounts of a column among which a reversed one is searched for. */
const MAX_AMOUNTS = 10_000;

type Side = 'paidIn' | 'paidOut';
type Sign = 'minus' | 'plain';

/** Amounts of one column that have a minus, or none. */
class Kind {
  readonly rows = new RowNumbers();
  readonly amounts = new Set<string>();
  /** Amounts of the examined rows whose words do not say that money comes back. */
  readonly #unsaid: string[] = [];
  #looked = 0;
  #paid = 0;
  /** The first of them. */
  example: { readonly row: number; readonly text: string } | null = null;

  add(row: WrittenRow, text: string, amount: string): void {
    this.rows.add(row.row);
    this.example ??= { row: row.row, text: ownText(text) };
    if (this.amounts.size < MAX_AMOUNTS) this.amounts.add(ownText(amount));
    if (this.#looked === MAX_ROWS_OF_TEXT) return;
    this.#looked += 1;
    if (!row.cells.some(saysMoneyBack)) this.#unsaid.push(ownText(amount));
    if (row.cells.some(saysPaid)) this.#paid += 1;
  }

  get count(): number {
    return this.rows.count;
  }

  /** Returns the share of amounts that reverse something, by their words or because another row has the same amount. */
  shareBack(others: ReadonlySet<string>): number {
    const unsaid = this.#unsaid.filter((amount) => !others.has(amount)).length;
    return this.#looked === 0 ? 0 : 1 - unsaid / this.#looked;
  }

  get sharePaid(): number {
    return this.#looked === 0 ? 0 : this.#paid / this.#looked;
  }
}

/** The effect of a minus in a column: it reverses the header's direction, it is the usual sign, or it has no effect. */
interface Usual {
  readonly minus: 'turns' | 'is usual' | 'means nothing';
  readonly isOpen: boolean;
}

/** The meaning of a minus in columns of money in and money out. */
export interface ColumnSigns {
  /** The first one is taken without proof; models that read all rows alike are listed once. */
  readonly models: readonly SignModel[];
  /** Nothing in the file decides between them. */
  readonly isOpen: boolean;
  /** True where a minus changes how an amount is read, whatever a recipe from files without one says. */
  readonly isMinusMeant: boolean;
  readonly kinds: readonly KindOfAmount[];
  /** Amounts of each column that CR or DR marks as the opposite of its header. */
  readonly marked: Readonly<Record<Side, RowNumbers>>;
}

/** Amounts of one column with a minus, or without one. */
interface KindOfAmount {
  readonly side: Side;
  readonly sign: Sign;
  readonly rows: RowNumbers;
  readonly example: { readonly row: number; readonly text: string } | null;
}

/** Returns the direction that a model gives to the amounts of a column: 1 is money in. */
function directionUnder(model: SignModel, side: Side, sign: Sign): 1 | -1 {
  const plain = side === 'paidIn' ? 1 : -1;
  if (model === 'columns_with_signs') return sign === 'minus' ? (-plain as 1 | -1) : plain;
  if (model === 'signed') return sign === 'minus' ? -1 : 1;
  if (model === 'signed_inverted') return sign === 'minus' ? 1 : -1;
  return plain;
}

const MODELS: readonly SignModel[] = ['columns', 'columns_with_signs', 'signed', 'signed_inverted'];

/** Counts the minus signs in columns of money in and money out, in the order of the file. */
export class ColumnSignFacts {
  readonly #kinds = {
    paidIn: { minus: new Kind(), plain: new Kind() },
    paidOut: { minus: new Kind(), plain: new Kind() },
  };

  readonly #marked = { paidIn: new RowNumbers(), paidOut: new RowNumbers() };

  add(row: WrittenRow, { paidIn, paidOut }: Layout): void {
    if (row.paidIn !== null) this.#add(row, 'paidIn', row.paidIn, paidIn);
    if (row.paidOut !== null) this.#add(row, 'paidOut', row.paidOut, paidOut);
  }

  #add(row: WrittenRow, side: Side, shape: AmountShape, column: number | null): void {
    if (!/[1-9]/.test(shape.body)) return;
    if (shape.flag === undefined) this.#kinds[side][shape.negative ? 'minus' : 'plain'].add(row, cellOf(row, column), shape.body);
    else if ((shape.flag === 'credit') !== (side === 'paidIn')) this.#marked[side].add(row.row);
  }

  decided(layout: Pick<Layout, 'literalDebitCredit' | 'paidIn' | 'paidOut' | 'headers'>): ColumnSigns {
    const kinds = SIDES.flatMap((side) =>
      SIGNS.flatMap((sign) => {
        const { rows, example, count } = this.#kinds[side][sign];
        return count === 0 ? [] : [{ side, sign, rows, example }];
      }),
    );
    const marked = this.#marked;
    if (!kinds.some(({ sign }) => sign === 'minus')) return { models: ['columns'], isOpen: false, isMinusMeant: false, kinds, marked };
    const isAlone = layout.paidIn === null || layout.paidOut === null;
    const isOfDecrease = DECREASE.test(normaliseHeader(layout.headers[layout.paidOut ?? -1] ?? ''));
    const usual = { paidIn: this.#usual('paidIn', isAlone, false), paidOut: this.#usual('paidOut', isAlone, isOfDecrease) };
    const read = (model: SignModel): string => kinds.map(({ side, sign }) => directionUnder(model, side, sign)).join();
    // In the sign convention of a ledger, a fully inverted model reads the rows alike.
    const turned = (model: SignModel): string => kinds.map(({ side, sign }) => -directionUnder(model, side, sign)).join();
    const wanted = kinds.map(({ side, sign }) => directionOf(side, sign, usual[side])).join();
    const found = MODELS.find((model) => read(model) === wanted);
    const standing = found ?? 'columns';
    const models: SignModel[] = [];
    for (const model of [standing, ...MODELS]) {
      const isKnown = models.some((other) => read(other) === read(model) || (layout.literalDebitCredit && turned(other) === read(model)));
      if (!isKnown) models.push(model);
    }
    const isMixed = SIDES.some((side) => this.#kinds[side].minus.count > 0 && this.#kinds[side].plain.count > 0);
    const isOpen = found === undefined || usual.paidIn.isOpen || usual.paidOut.isOpen;
    return { models, isOpen, isMinusMeant: standing !== 'columns' || (isOpen && isMixed), kinds, marked };
  }

  #usual(side: Side, isAlone: boolean, isOfDecrease: boolean): Usual {
    const { minus, plain } = this.#kinds[side];
    const [minusBack, plainBack] = [minus.shareBack(isOfDecrease ? NO_AMOUNTS : plain.amounts), plain.shareBack(NO_AMOUNTS)];
    if (minus.count === 0) return { minus: 'means nothing', isOpen: false };
    if (plain.count === 0) {
      if (minusBack === 1) return { minus: 'turns', isOpen: false };
      // Banks write what was paid out with a minus; what came in hardly one does.
      return { minus: 'means nothing', isOpen: side === 'paidIn' && minus.count < MIN_WRITTEN_SO };
    }
    if (minusBack >= HALF && minusBack > plainBack) return { minus: 'turns', isOpen: false };
    if (plainBack >= HALF && plainBack > minusBack) return { minus: 'is usual', isOpen: false };
    // One column that holds both signs holds both directions.
    if (isAlone) return { minus: 'turns', isOpen: false };
    if (isOfDecrease) return { minus: 'means nothing', isOpen: false };
    return { minus: 'means nothing', isOpen: side === 'paidIn' || minusBack > 0 || minus.sharePaid < HALF };
  }
}

const SIDES = ['paidIn', 'paidOut'] as const;
const SIGNS = ['minus', 'plain'] as const;
const HALF = 0.5;
/** A decrease is negative by its name, so a minus repeats it. */
const DECREASE = /^(?:decrease|abnahme|diminution|disminucion|diminuicao|diminuzione|afname|minskning|spadek|ubytek)$/;
const NO_AMOUNTS: ReadonlySet<string> = new Set();

/** Returns the direction of a column's amounts under the effect of a minus in it: 1 is money in. */
function directionOf(side: Side, sign: Sign, { minus }: Usual): 1 | -1 {
  const isTurned = minus === (sign === 'minus' ? 'turns' : 'is usual');
  return (side === 'paidIn') === isTurned ? -1 : 1;
}

const WAYS: Readonly<Record<string, string>> = {
  columns: phrase('statement.columnSigns.asTheTwoColumnsSay'),
  columns_with_signs: phrase('statement.columnSigns.minusTurnsRoundWhatItsColumnSays'),
  signed: phrase('statement.columnSigns.aMinusIsMoneyOut'),
  signed_inverted: phrase('statement.columnSigns.minusIsMoneyInWhatever'),
};

const nameOf = (side: Side, layout: Layout): string => layout.names[(side === 'paidIn' ? layout.paidIn : layout.paidOut) ?? -1] ?? '';

/** Asks what a minus means in columns of money in and money out, where nothing in the file decides. */
export function columnSignQuestions({ models, kinds }: ColumnSigns, layout: Layout, taken: SignModel): OpenQuestion[] {
  const places = kinds.filter(({ sign }) => sign === 'minus').map(({ side, rows }) => `${nameOf(side, layout)} (${placed(rows)})`);
  return [
    {
      about: 'sign_model',
      column: null,
      message: phrase('statement.columnSigns.someAmountsHaveAMinus', { places: places.join(', and in ') }),
      taken,
      choices: models.map((model) => ({
        value: model,
        label: WAYS[model] ?? model,
        examples: kinds.flatMap(({ side, sign, example }) =>
          example === null
            ? []
            : [
                {
                  written: `${example.text} in ${nameOf(side, layout)}, row ${example.row},`,
                  read: `money ${directionUnder(model, side, sign) === 1 ? 'in' : 'out'}`,
                },
              ],
        ),
      })),
    },
  ];
}

/** Returns notes on rows that are read against the header of their column. */
export function columnSignNotes({ kinds, marked }: ColumnSigns, layout: Layout, model: SignModel) {
  const ofMarks = SIDES.filter((side) => marked[side].count > 0).map((side) =>
    turnedNote(marked[side], nameOf(side, layout), side === 'paidIn' ? 'DR' : 'CR', side !== 'paidIn'),
  );
  const ofSigns = kinds.flatMap(({ side, sign, rows }) => {
    const isIn = directionUnder(model, side, sign) === 1;
    if (model === 'columns_swapped' || isIn === (side === 'paidIn')) return [];
    const name = nameOf(side, layout);
    return [
      turnedNote(
        rows,
        name,
        sign === 'minus' ? phrase('statement.columnSigns.aMinus') : phrase('statement.columnSigns.noMinusUnlikeMostOthers'),
        isIn,
      ),
    ];
  });
  return [...ofSigns, ...ofMarks];
}

function turnedNote(rows: RowNumbers, name: string, how: string, isIn: boolean) {
  const [what, has, was] =
    rows.count === 1 ? [phrase('statement.columnSigns.anAmount'), 'has', 'was'] : [`${rows.count} amounts`, 'have', 'were'];
  const message = phrase('statement.columnSigns.inTheColumnAndRead', {
    what,
    name,
    has,
    how,
    was,
    isIn: isIn ? 'yes' : 'no',
    rows: placed(rows),
  });
  return note('signs_turned', message, rows.first[0] ?? null, name);
}
