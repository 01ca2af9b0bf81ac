import type { DifferenceCode } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf } from '../../../src-shared/values/money.ts';
import { amountText, counted, dayText, labelOf, type LedgerSide, type OpenItemStatus, sideName } from '../../domain/ledger/index.ts';
import { REASON_TITLES, type ReportChange, STATUS_WORDS } from '../../domain/report/index.ts';
import type { Changes, CloseChange } from './changes.ts';
import type { CloseSource } from './close-source.ts';
import { actorText, momentOf } from './words.ts';

type Said = NonNullable<CloseChange['before']>;
type Line = Pick<ReportChange, 'what' | 'before' | 'after'>;

/** Labels of a match that are written. */
const LABELS = 3;
const NO_TEXT = 'a line without text';
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const recordIdsOf = (said: Said): readonly number[] => said['record_ids'] as readonly number[];

/** Writes changes beneath a sign-off as people read them; `currency` is that of the report, amounts of others name theirs. */
class ChangeWords {
  readonly #source: CloseSource;
  readonly #currency: string;
  readonly #places: ReadonlyMap<string, number>;
  readonly #labels: ReadonlyMap<number, string>;

  constructor(source: CloseSource, currency: string, changes: readonly CloseChange[]) {
    this.#source = source;
    this.#currency = currency;
    this.#places = new Map(source.currencies.map((lines) => [lines.currency, lines.decimalPlaces]));
    this.#labels = labelsOf(source, changes);
  }

  linesOf({ kind, key, id, before, after }: CloseChange): Line[] {
    if (kind === 'balance') return this.#balance(key, before, after);
    if (kind === 'record') return this.#record(before, after);
    const [was, became] = [before, after].map((said) => (said === null ? null : this.#whole(kind, said)));
    const named = present(after ?? before, 'what a change says');
    const what = kind === 'import' ? `File ${String(named['name'])} of ${this.#side(named)}` : this.#whatOf(kind, id, named);
    return [{ what, before: was ?? null, after: became ?? null }];
  }

  #whatOf(kind: 'match' | 'note', id: number | null, said: Said): string {
    if (kind === 'note') return `Mark on ${this.#label(id ?? 0)}`;
    const ids = recordIdsOf(said);
    const shown = ids.slice(0, LABELS).map((each) => this.#label(each));
    return `Match of ${shown.join(', ')}${ids.length > LABELS ? ` and ${ids.length - LABELS} more` : ''}`;
  }

  /** What is said of a thing that has no fields of its own to compare. */
  #whole(kind: 'match' | 'note' | 'import', said: Said): string {
    if (kind === 'import') return 'imported';
    if (kind === 'note') return STATUS_WORDS[said['status'] as OpenItemStatus];
    const reason = said['reason'] as DifferenceCode | null;
    return reason === null ? 'matched' : `matched, ${REASON_TITLES[reason].toLowerCase()}`;
  }

  #label(id: number): string {
    return this.#labels.get(id) ?? NO_TEXT;
  }

  #side(said: Said): string {
    return sideName(this.#source, said['side'] as LedgerSide);
  }

  #amount(amount: unknown, currency: string): string | null {
    if (typeof amount !== 'number') return null;
    const text = amountText(amount, this.#places.get(currency) ?? decimalPlacesOf(currency));
    return currency === this.#currency ? text : `${text} ${currency}`;
  }

  #balance(key: string, before: Said | null, after: Said | null): Line[] {
    const [currency = '', side = 'bank'] = key.split(' ');
    const of = sideName(this.#source, side as LedgerSide);
    return (['opening', 'stated_closing'] as const).flatMap((member) => {
      const [was, became] = [before?.[member], after?.[member]].map((amount) => this.#amount(amount, currency));
      const title = member === 'opening' ? 'Opening balance' : 'Stated closing balance';
      return was === became ? [] : [{ what: `${title} of ${of}`, before: was ?? null, after: became ?? null }];
    });
  }

  #field(said: Said, member: string): string | null {
    const value = said[member];
    if (member === 'amount') return this.#amount(value, String(said['currency']));
    if (member === 'date') return dayText(dayFromIso(String(value)) ?? 0);
    if (member === 'side') return this.#side(said);
    if (member !== 'stream_id') return textOrNull(value);
    const stream = [...this.#source.streams.bank, ...this.#source.streams.books].find(({ id }) => id === value);
    return stream?.name ?? `stream ${String(value)}`;
  }

  /** A line that came or went with its amount, else each of its fields that is another one. */
  #record(before: Said | null, after: Said | null): Line[] {
    const said = present(after ?? before, 'what a change says');
    const label = labelOfSaid(said) ?? NO_TEXT;
    if (before === null || after === null) {
      const amount = this.#amount(said['amount'], String(said['currency']));
      const what = `Line ${label} of ${this.#side(said)}, ${this.#field(said, 'date') ?? ''}`;
      return [{ what, before: before === null ? null : amount, after: after === null ? null : amount }];
    }
    return Object.entries(FIELDS).flatMap(([member, title]) =>
      before[member] === after[member]
        ? []
        : [
            {
              what: `${label} of ${this.#side(before)}, ${title}`,
              before: this.#field(before, member),
              after: this.#field(after, member),
            },
          ],
    );
  }
}

/** Members of a line that is covered, as people call them. */
const FIELDS = {
  side: 'side',
  date: 'date',
  amount: 'amount',
  currency: 'currency',
  reference: 'reference',
  description: 'particulars',
  stream_id: 'stream',
} as const;

function labelOfSaid(said: Said): string | null {
  return labelOf({ reference: textOrNull(said['reference']), description: textOrNull(said['description']) });
}

/** What the records of matches and marks are called, those that are gone by what was signed of them. */
function labelsOf({ currencies }: CloseSource, changes: readonly CloseChange[]): Map<number, string> {
  const labels = new Map<number, string>();
  for (const { kind, id, before, after } of changes) {
    const said = after ?? before;
    if (kind === 'record' && id !== null && said !== null) labels.set(id, labelOfSaid(said) ?? NO_TEXT);
  }
  const wanted = new Set(
    changes.flatMap(({ kind, id, before, after }) => {
      if (kind === 'match') return recordIdsOf(present(after ?? before, 'what a change says')).slice(0, LABELS);
      return kind === 'note' ? (id ?? []) : [];
    }),
  );
  for (const { records } of currencies) {
    for (const record of records) if (wanted.has(record.id)) labels.set(record.id, labelOf(record) ?? NO_TEXT);
  }
  return labels;
}

/** Changes in words; what is counted and not listed is said at the end. */
export function reportChanges({ count, listed }: Changes, source: CloseSource, currency: string): ReportChange[] {
  const words = new ChangeWords(source, currency, listed);
  const told = listed.flatMap((change) => {
    const { at, by } = change;
    const who = { at: at === null ? null : momentOf(at), by: by === null ? null : actorText(by) };
    return words.linesOf(change).map((line): ReportChange => ({ ...who, ...line }));
  });
  const more = count - listed.length;
  if (more === 0) return told;
  return [
    ...told,
    { at: null, by: null, what: `and ${counted(more, 'change', 'changes')} that this report does not list`, before: '', after: '' },
  ];
}
