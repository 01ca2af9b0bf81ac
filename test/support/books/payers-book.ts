import type { EvidenceInput, PeoplesPairs } from '../../../src-main/domain/evidence/model/input.ts';
import { BookWriter } from '../../bench/data/evidence-generators.ts';
import type { EvidenceSet } from '../../bench/data/evidence-sets.ts';
import { inputOf } from '../inputs/evidence-run.ts';

const WORDS =
  'Amber Birch Cobalt Delta Ember Falcon Granite Harbour Indigo Juniper Kestrel Lumen Meadow Nimbus Orchid Pewter Quartz Raven Saffron Tundra Umber Velvet Willow Xenon Yarrow Zephyr'.split(
    ' ',
  );
const PAYERS =
  'Aldous Brimley Cuthbert Dunstan Egbert Fitzroy Godwin Horace Ignatz Jerome Kendrick Ludlow Mordecai Norbert Osgood Percival Quincy Roderick Sheldon Thaddeus Ulric Virgil Wendell Xavier Yorick Zebedee'.split(
    ' ',
  );
const PRICES = [12_000, 18_500, 24_900, 31_000, 47_500, 62_000, 88_000, 99_900];

interface PayersBook extends EvidenceSet {
  /** True pairs of each customer, in the order of days. */
  readonly byCustomer: readonly (readonly (readonly [number, number])[])[];
}

/** Returns customers whose bills a payer of another name pays: the sides share no word, and many amounts are equal. */
export function payers(customers: number, bills: number, seed = 21): PayersBook {
  const book = new BookWriter(seed);
  const byCustomer: (readonly [number, number])[][] = [];
  for (let customer = 0; customer < customers; customer += 1) {
    const name = `${WORDS[customer % WORDS.length] ?? ''} ${WORDS[(customer * 7 + 3) % WORDS.length] ?? ''} Foods`;
    const payer = `${PAYERS[customer % PAYERS.length] ?? ''} ${PAYERS[(customer * 5 + 2) % PAYERS.length] ?? ''}`.toUpperCase();
    const pairs: (readonly [number, number])[] = [];
    for (let bill = 0; bill < bills; bill += 1) {
      const day = bill * 9 + book.int(8);
      const amount = book.random() < 0.7 ? book.pick(PRICES) : 5_000 + book.int(90_000);
      const a = book.line('a', day, amount, name);
      const b = book.line('b', day + 1 + book.int(4), amount, payer);
      book.pair(a, b);
      pairs.push([a, b]);
    }
    byCustomer.push(pairs);
  }
  return { ...book.set('payers'), byCustomer };
}

/** Returns the input of the model after people confirmed pairs: the lines of these are no longer free. */
export function taught(
  set: Pick<EvidenceSet, 'a' | 'b' | 'percent'>,
  people: Partial<PeoplesPairs>,
  given: Partial<EvidenceInput> = {},
): EvidenceInput {
  const told = { confirmed: [], rejected: [], removedAliases: [], ...people };
  const tied = new Set(told.confirmed.flat());
  const isFree = ({ id }: { readonly id: number }): boolean => !tied.has(id);
  const all = inputOf(set);
  const free = inputOf({ ...set, a: set.a.filter(isFree), b: set.b.filter(isFree) });
  return { ...all, a: { ...all.a, free: free.a.free }, b: { ...all.b, free: free.b.free }, people: told, ...given };
}
