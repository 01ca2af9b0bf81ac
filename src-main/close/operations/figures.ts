import { STATUS_WORDS } from '../../../src-shared/contract/close/period-statement.ts';
import type { Input, Output } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { ageBuckets, type LedgerSide } from '../../domain/ledger/index.ts';
import { verdictOf, verdictText } from '../../domain/report/index.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing, refuse, refuseField, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { whenRead } from '../work/figures.ts';
import type { CloseAt, CurrencyAt } from '../work/read-close.ts';
import { ageBucketView } from './statement-view.ts';

type Handled = 'figures.open' | 'figures.items' | 'figures.matched' | 'figures.balances' | 'figures.accounts' | 'figures.statement';
type Row<K extends Handled> = Output<K>['data'][number];
type Side = LedgerSide | undefined;

interface Asked {
  readonly id: number;
  readonly as_of?: string | undefined;
  readonly currency?: string | undefined;
}

/** The content of a cell: a value, or a few words that say why there is none. */
type Value = { readonly value: string; readonly no_value: null } | { readonly value: null; readonly no_value: string };

const shown = (value: string): Value => ({ value, no_value: null });
const none = (why: string): Value => ({ value: null, no_value: why });

/** Returns the value of the only row; where there are several, a few words that say by which parameter one is chosen. */
function ofOne<T>(rows: readonly T[], by: string, each: (row: T) => string, of: (row: T) => Value): Value {
  const [row] = rows;
  if (row === undefined) return none(phrase('close.figures.nothingThere'));
  if (rows.length === 1) return of(row);
  const named = [...new Set(rows.map(each))];
  return none(
    phrase('close.figures.severalAddOrAnother', {
      by,
      named: named.slice(0, 3).join(` or ${by}=`),
      isNamed: named.length > 3 ? 'yes' : 'no',
    }),
  );
}

type Money = { readonly decimal_places: number };
const amountOf = (amount: number | null, { decimal_places: places }: Money, why = phrase('close.figures.notKnown')): Value =>
  amount === null ? none(why) : shown(decimalText(amount, places));

const sidesOf = (side: Side): readonly LedgerSide[] => (side === undefined ? ['bank', 'books'] : [side]);
const moneyOf = ({ statement }: CurrencyAt) => ({ currency: statement.currency, decimal_places: statement.decimalPlaces });

/** The members that every figure has. */
function headOf(context: ServiceContext, { id, name }: { readonly id: number; readonly name: string }, at: CloseAt) {
  return {
    reconciliation_id: id,
    reconciliation: name,
    as_of: isoFromDay(at.day),
    pinned: at.isPinned,
    read_at: timestampOf(context.clock.nowMs()),
    link: `tieout://reconciliations/${id}${at.periodId === null ? '' : `/close?period=${at.periodId}`}`,
  };
}

type Head = ReturnType<typeof headOf>;

/** Reads the figures of a reconciliation as of the day that is asked for, and answers what `work` makes of them. */
function atDay<R>(context: ServiceContext, caller: Caller, asked: Asked, work: (at: CloseAt, head: Head) => R) {
  const { id, currency } = asked;
  const found = findReconciliation(context.database, caller.environmentId, id);
  if (found === undefined) return missing('reconciliation', id);
  const day = asked.as_of === undefined ? context.clock.today() : present(dayFromIso(asked.as_of), 'date');
  return whenRead(context.figures.of('closeAt', id, day), (read) => {
    if (!read.ok) return refuse('total_out_of_range', read.error.message);
    const at = read.value;
    const currencies = at.currencies.filter(({ statement }) => currency === undefined || statement.currency === currency);
    if (currencies.length === 0)
      return refuseField(
        'unknown_reference',
        'currency',
        phrase('close.figures.nothingIsIn', { currency: currency ?? phrase('close.figures.thisCurrency') }),
      );
    return work({ ...at, currencies }, headOf(context, found, at));
  });
}

function openRows({ currencies, day }: CloseAt, side: Side): Row<'figures.open'>[] {
  return currencies.flatMap((one) =>
    sidesOf(side).flatMap((of) =>
      ageBuckets(
        one.openItems.filter(({ record }) => record.side === of),
        day,
      ).map((bucket) => ({ side: of, ...moneyOf(one), ...ageBucketView(bucket) })),
    ),
  );
}

/** Adds a member over all rows, which are of one side or of both; null where it cannot be told exactly. */
function added<T>(rows: readonly T[], of: (row: T) => number | null): number | null {
  const sum = rows.reduce<bigint | null>((total, row) => {
    const part = of(row);
    return total === null || part === null ? null : total + BigInt(part);
  }, 0n);
  return sum === null || !Number.isSafeInteger(Number(sum)) ? null : Number(sum);
}

function openValue(rows: readonly Row<'figures.open'>[], measure: 'count' | 'net' | 'receipts' | 'payments'): Value {
  if (measure === 'count') return shown(String(added(rows, ({ count }) => count) ?? 0));
  const byCurrency = [...Map.groupBy(rows, ({ currency }) => currency).values()];
  return ofOne(
    byCurrency,
    'currency',
    ([first]) => first?.currency ?? '',
    (own) =>
      amountOf(
        added(own, (row) => row[measure]),
        present(own[0], 'row'),
        phrase('close.refusals.theTotalIsBeyond'),
      ),
  );
}

const LIST = phrase('close.figures.figuresItemsDate');

function itemRows({ currencies, names }: CloseAt, side: Side): Row<'figures.items'>[] {
  return currencies
    .flatMap((one) => one.openItems.map((item) => ({ item, money: moneyOf(one) })))
    .filter(({ item }) => side === undefined || item.record.side === side)
    .toSorted((left, right) => left.item.record.day - right.item.record.day || left.item.record.id - right.item.record.id)
    .map(({ item: { record, note, age }, money }) => ({
      record_id: record.id,
      side: record.side,
      date: isoFromDay(record.day),
      account: names.get(record.streamId) ?? '',
      reference: record.reference,
      description: record.description,
      amount: record.amount,
      ...money,
      age_days: age.days,
      status: STATUS_WORDS[note?.status ?? 'open'],
      owner: note?.owner ?? null,
      comment: note?.comment ?? null,
    }));
}

const HUNDREDTHS = 10_000;

/** Returns a share in percent, cut after two places. */
function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((part * HUNDREDTHS) / whole) / 100;
}

function matchedRows({ currencies }: CloseAt, side: Side): Row<'figures.matched'>[] {
  return currencies.flatMap((one) =>
    sidesOf(side).map((of) => {
      const lines = one.lineCounts[of];
      const open = one.openItems.filter(({ record }) => record.side === of).length;
      const { currency } = one.statement;
      return { side: of, currency, lines, matched: lines - open, open, percent: percentOf(lines - open, lines) };
    }),
  );
}

function matchedValue(rows: readonly Row<'figures.matched'>[], measure: 'percent' | 'lines' | 'matched' | 'open'): Value {
  const sum = (member: 'lines' | 'matched' | 'open') => rows.reduce((total, row) => total + row[member], 0);
  return shown(String(measure === 'percent' ? percentOf(sum('matched'), sum('lines')) : sum(measure)));
}

function balanceRows({ currencies }: CloseAt): Row<'figures.balances'>[] {
  return currencies.map((one) => {
    const { bank, books, adjustedBank, adjustedBooks, unexplained, doubts } = one.statement;
    return {
      ...moneyOf(one),
      bank: bank.balance,
      books: books.balance,
      adjusted_bank: adjustedBank,
      adjusted_books: adjustedBooks,
      unexplained,
      agrees: doubts.length === 0,
      verdict: verdictText(verdictOf({ doubts, unexplained })),
    };
  });
}

function accountRows({ currencies }: CloseAt, side: Side, account: string | undefined): Row<'figures.accounts'>[] {
  return currencies.flatMap((one) =>
    one.accounts
      .filter((found) => side === undefined || found.side === side)
      .filter(({ name, streamKeys }) => account === undefined || name === account || streamKeys.includes(account))
      .map(({ side: of, name, streamKeys, balance, source }) => ({
        side: of,
        account: name,
        data_stream_keys: streamKeys.join(' '),
        ...moneyOf(one),
        balance,
        source,
      })),
  );
}

function accountValue(rows: readonly Row<'figures.accounts'>[], measure: 'balance' | 'source'): Value {
  const named = new Set(rows.map(({ account }) => account)).size > 1 ? 'account' : 'currency';
  return ofOne(
    rows,
    named,
    (row) => (named === 'account' ? (row.data_stream_keys.split(' ')[0] ?? '') : row.currency),
    (row) => (measure === 'source' ? shown(row.source ?? phrase('close.figures.notKnown')) : amountOf(row.balance, row)),
  );
}

/** Returns the statement of one currency as rows, each with its amount as the statement adds it. */
function statementRows(one: CurrencyAt): Row<'figures.statement'>[] {
  const { document } = one;
  const money = moneyOf(one);
  return [
    ...document.sides.flatMap(({ side, title, movement, balance, groups, adjusted }) => {
      const of = { ...money, side, section: title, date: null };
      const plain = ({ label, note, amount, unknown }: Pick<typeof balance, 'label' | 'note' | 'amount' | 'unknown'>) => ({
        ...of,
        label,
        note,
        amount,
        unknown,
      });
      return [
        ...movement.map(plain),
        plain(balance),
        ...groups.flatMap((group) => [
          plain(group),
          ...group.lines.map(({ date, label, note, amount }) => ({ ...of, section: group.title, date, label, note, amount, unknown: '' })),
        ]),
        plain(adjusted),
      ];
    }),
    {
      ...money,
      side: null,
      section: document.title,
      label: document.unexplained.label,
      date: null,
      note: document.verdict,
      amount: document.unexplained.amount,
      unknown: document.unexplained.unknown,
    },
  ];
}

function balancesValue(rows: readonly Row<'figures.balances'>[], measure: Exclude<Input<'figures.balances'>['measure'], 'read_at'>): Value {
  return ofOne(
    rows,
    'currency',
    ({ currency }) => currency,
    (row) => (measure === 'verdict' ? shown(row.verdict) : amountOf(row[measure], row)),
  );
}

/** Answers rows with their one value, which is the time of reading where that is asked for. */
function figureAnswer<R, M extends string>(head: Head, measure: M, value: (measure: Exclude<M, 'read_at'>) => Value, data: R[]) {
  const isOfTime = measure === 'read_at';
  return answer({ ...head, ...(isOfTime ? shown(head.read_at) : value(measure as Exclude<M, 'read_at'>)), data });
}
export function figureHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  return {
    'figures.open': (caller, input) =>
      atDay(context, caller, input, (at, head) => {
        const data = openRows(at, input.side);
        return figureAnswer(head, input.measure, (measure) => openValue(data, measure), data);
      }),
    'figures.items': (caller, input) => {
      const start = pageStart(input, LIST);
      if (!start.ok) return start;
      return atDay(context, caller, input, (at, head) => {
        const rows = itemRows(at, input.side);
        const first = start.value.after === undefined ? start.value.offset : start.value.after.value + 1;
        const placed = rows.map((row, place) => ({ row, place })).slice(first, first + start.value.limit + 1);
        const page = pageAnswer(
          placed,
          start.value,
          LIST,
          ({ row, place }) => ({ value: place, id: row.record_id }),
          (taken) => taken.map(({ row }) => row),
        );
        return answer({ ...head, ...shown(input.measure === 'read_at' ? head.read_at : String(rows.length)), ...page });
      });
    },
    'figures.matched': (caller, input) =>
      atDay(context, caller, input, (at, head) => {
        const data = matchedRows(at, input.side);
        return figureAnswer(head, input.measure, (measure) => matchedValue(data, measure), data);
      }),
    'figures.balances': (caller, input) =>
      atDay(context, caller, input, (at, head) => {
        const data = balanceRows(at);
        return figureAnswer(head, input.measure, (measure) => balancesValue(data, measure), data);
      }),
    'figures.accounts': (caller, input) =>
      atDay(context, caller, input, (at, head) => {
        const data = accountRows(at, input.side, input.account);
        const { account } = input;
        if (data.length === 0 && account !== undefined) {
          return refuseField('unknown_reference', 'account', phrase('close.refusals.noAccountOfThisReconciliationIsCalled', { account }));
        }
        return figureAnswer(head, input.measure, (measure) => accountValue(data, measure), data);
      }),
    'figures.statement': (caller, input) =>
      atDay(context, caller, input, (at, head) => {
        const data = at.currencies.flatMap(statementRows);
        return figureAnswer(head, input.measure, (measure) => balancesValue(balanceRows(at), measure), data);
      }),
  };
}
