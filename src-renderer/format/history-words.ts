import { HISTORY_ACTORS, HISTORY_KINDS } from '../../src-shared/contract/book/history.ts';
import type { HistoryEntry } from '../../src-shared/contract/index.ts';
import { capitalized } from '../../src-shared/values/english.ts';
import { currencyText } from '../../src-shared/values/notation.ts';
import { say } from '../../src-shared/words/say.ts';
import { dateText } from './dates.ts';
import { withMinus } from './money.ts';

type Thing = HistoryEntry['things'][number];

/** Names of the filters of the history. */
const KIND_NAMES = {
  records: say('book.history.kind.records'),
  imports: say('book.history.kind.imports'),
  matches: say('book.history.kind.matches'),
  open_items: say('book.history.kind.open_items'),
  exceptions: say('book.history.kind.exceptions'),
  rules: say('book.history.kind.rules'),
  runs: say('book.history.kind.runs'),
  periods: say('book.history.kind.periods'),
  reconciliations: say('book.history.kind.reconciliations'),
  accounts: say('book.history.kind.accounts'),
  sync: say('book.history.kind.sync'),
  book: say('book.history.kind.book'),
} as const;
export const HISTORY_KIND_NAMES = HISTORY_KINDS.map((value) => ({ value, label: KIND_NAMES[value] }));

const ACTOR_NAMES = {
  window: say('book.history.by.window'),
  command_line: say('book.history.by.command_line'),
  program: say('book.history.by.program'),
  sync: say('book.history.by.sync'),
  tieout: say('book.history.by.tieout'),
} as const;
export const HISTORY_ACTOR_NAMES = HISTORY_ACTORS.map((value) => ({ value, label: ACTOR_NAMES[value] }));

/** The words of things without a name. */
const NUMBERED = {
  record: 'book.history.thing.record',
  match: 'book.history.thing.match',
  reconciliation: 'book.history.thing.reconciliation',
  period: 'book.history.thing.period',
  import: 'book.history.thing.import',
  run: 'book.history.thing.run',
  rule: 'book.history.thing.rule',
  bank_account: 'book.history.thing.bank_account',
  exception: 'book.history.thing.exception',
  story: 'book.history.thing.story',
  import_recipe: 'book.history.thing.import_recipe',
} as const;

/** Returns the name of what an entry is about; its number where it has none. */
export function thingName({ kind, id, key, name }: Thing): string {
  return name ?? (kind === 'stream' ? (key ?? '') : say(NUMBERED[kind], { id: String(id ?? '') }));
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  amount: say('book.history.field.amount'),
  date: say('book.history.field.date'),
  value_date: say('book.history.field.valueDate'),
  description: say('book.history.field.description'),
  external_id: say('book.history.field.externalId'),
  metadata: say('book.history.field.metadata'),
  status: say('book.history.field.status'),
  owner: say('book.history.field.owner'),
  comment: say('book.history.field.comment'),
  expected_on: say('book.history.field.expectedOn'),
  name: say('book.history.field.name'),
  is_sample: say('book.history.field.isSample'),
  status_explains: say('book.history.field.statusExplains'),
  days: say('book.notation.days'),
  decimal: say('book.notation.decimal'),
  week: say('book.notation.week'),
  paper: say('book.notation.paper'),
};

/** Returns a name of the log as words: `lookback_days` as `Lookback days`, `bank_account_id` as `Bank account`. */
const plain = (name: string): string => capitalized(name.replace(/_ids?$/, '').replaceAll('_', ' '));

/** The words of a choice of dates and numbers, by its field and its value. */
const CHOICES: ReadonlyMap<string, string> = new Map([
  ...['days', 'decimal', 'week', 'paper'].map((field) => [`${field} computer`, say('book.notation.asThisComputer')] as const),
  ['days dmy', say('book.notation.dmy')],
  ['days mdy', say('book.notation.mdy')],
  ['days ymd', say('book.notation.ymd')],
  ['decimal .', say('book.notation.point')],
  ['decimal ,', say('book.notation.comma')],
  ['week monday', say('book.notation.monday')],
  ['week sunday', say('book.notation.sunday')],
  ['week saturday', say('book.notation.saturday')],
]);

const LONGEST_VALUE = 200;
const YES_OR_NO: ReadonlyMap<string, string> = new Map([
  ['true', say('book.history.yes')],
  ['false', say('book.history.no')],
]);

/** Whether a person can read the value: the numbers that the book gives and lists of the log tell nobody anything. */
const isReadable = (field: string, value: string | null): boolean => !/_ids?$/.test(field) && !/^[[{]/.test(value ?? '');

/** Returns an amount of the log, `-755.53 GBP`, as people read it. */
function amountText(value: string): string {
  const [, decimal, currency] = /^(-?\d+(?:\.\d+)?) ([A-Z]{3})$/.exec(value) ?? [];
  return decimal === undefined || currency === undefined ? value : withMinus(currencyText(decimal, currency));
}

function valueText(field: string, value: string | null): string {
  if (value === null) return say('book.history.nothing');
  if (field === 'status') return plain(value);
  const text = CHOICES.get(`${field} ${value}`) ?? YES_OR_NO.get(value) ?? (field === 'amount' ? amountText(value) : dateText(value));
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

/** Returns a change of one field: `Owner: nobody → Ana`. */
export function changeText({ field, before, after, known }: HistoryEntry['changes'][number]): string {
  const name = FIELD_NAMES[field] ?? plain(field);
  const isShown = field === 'external_id' || (isReadable(field, before) && isReadable(field, after));
  if (!isShown || known === 'neither' || (known === 'after' && after === null)) return say('book.history.changed', { name });
  if (known === 'after') return say('book.history.became', { name, after: valueText(field, after) });
  return say('book.history.was', { name, before: valueText(field, before), after: valueText(field, after) });
}
