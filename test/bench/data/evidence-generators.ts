import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { seeded } from './data.ts';
import type { EvidenceSet } from './evidence-sets.ts';

/** Books that differ in kind, with what belongs together. Seeded: the same seed gives the same book. */

const FIRST_OF_B = 10_000_000;
const DAY_ZERO = 20_454;
const FIRST_NAMES = 'James Mary Wei Fatima Olga Jose Anna Kofi Yuki Liam Noor Ivan Chloe Amir Greta Juan Mei Tom Sara Abel'.split(' ');
const LAST_NAMES =
  'Smith Garcia Chen Okafor Ivanova Silva Muller Tanaka Brown Haddad Novak Dubois Rossi Kim Patel Lopez Berg Cohen Ahmed Walsh Byrne Costa Duarte Engel Fabre Gallo Hansen Ito Jansen Kovac'.split(
    ' ',
  );

export class BookWriter {
  readonly a: EngineRecord[] = [];
  readonly b: EngineRecord[] = [];
  readonly truth = new Set<string>();
  readonly random: () => number;

  constructor(seed: number) {
    this.random = seeded(seed);
  }

  int(count: number): number {
    return Math.floor(this.random() * count);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T;
  }

  name(): string {
    return `${this.pick(FIRST_NAMES)} ${this.pick(LAST_NAMES)}`;
  }

  line(side: 'a' | 'b', day: number, amountMinor: number, description: string, metadata: Readonly<Record<string, string>> = {}): number {
    const list = this[side];
    const id = (side === 'a' ? 1 : FIRST_OF_B) + list.length;
    list.push({
      id,
      amountMinor: Math.abs(amountMinor),
      decimalPlaces: 2,
      direction: amountMinor < 0 ? 'debit' : 'credit',
      day: DAY_ZERO + day,
      valueDay: null,
      currency: 'GBP',
      description,
      externalId: null,
      streamKey: side,
      reference: null,
      metadata,
    });
    return id;
  }

  pair(a: number, b: number): void {
    this.truth.add(`${a},${b}`);
  }

  set(name: string, percent: number | null = null): EvidenceSet {
    return { name, a: this.a, b: this.b, truth: this.truth, percent };
  }
}

/** Rents and subscriptions: each tenant pays the same amount each month, some late; a few names are shared. */
export function rents(tenants: number, seed = 11): EvidenceSet {
  const book = new BookWriter(seed);
  for (let tenant = 0; tenant < tenants; tenant += 1) {
    const name = book.name();
    const unit = `Unit ${1 + book.int(tenants)}`;
    const rent = book.random() < 0.4 ? book.pick([75_000, 85_000, 95_000, 120_000]) : 40_000 + 500 * book.int(200);
    const due = 1 + book.int(5);
    const cut = book.random() < 0.5 ? name.toUpperCase().slice(0, 18) : `${name.slice(0, 1)} ${name.split(' ')[1] ?? ''}`.toUpperCase();
    for (let month = 0; month < 12; month += 1) {
      const day = Math.round(month * 30.4) + due;
      const late = book.random() < 0.8 ? book.int(3) : book.int(12);
      const a = book.line('a', day, rent, `Rent ${name} ${unit}`);
      const b = book.line('b', day + late, rent, `${cut} RENT`);
      book.pair(a, b);
    }
  }
  for (let other = 0; other < tenants / 2; other += 1)
    book.line('b', book.int(365), -100 * (1 + book.int(400)), `CARD ${book.name().toUpperCase()}`);
  return book.set('rents');
}

/** Card settlements: one a day for each shop, paid a day or two later net of a fee of some per cent. */
export function settlements(days: number, shops = 4, seed = 12): EvidenceSet {
  const book = new BookWriter(seed);
  for (let shop = 0; shop < shops; shop += 1) {
    const fee = 0.012 + 0.006 * book.random();
    for (let day = 0; day < days; day += 1) {
      if (day % 7 === 6) continue;
      const gross = 20_000 + book.int(400_000);
      const a = book.line('a', day, gross, `Card takings shop ${shop + 1}`, { shop: `SHOP${shop + 1}` });
      const net = gross - Math.round(gross * (fee + 0.000_5 * (book.random() - 0.5))) - 20;
      const b = book.line('b', day + (day % 7 >= 4 ? 3 : 1 + book.int(2)), net, `WORLDCARD SETTLEMENT MID ${700 + shop}`);
      book.pair(a, b);
    }
  }
  return book.set('settlements', 5);
}

/** Customers with similar names who pay invoices: some name the invoice, some pay twice (`twice`: a share), some amounts recur. */
export function customers(invoices: number, twice = 0.02, seed = 13): EvidenceSet {
  const book = new BookWriter(seed);
  const clients = Array.from({ length: Math.ceil(invoices / 6) }, () => `${book.name()}${book.random() < 0.3 ? ' Ltd' : ''}`);
  const plans = [4_900, 9_900, 14_900, 25_000];
  for (let number = 0; number < invoices; number += 1) {
    const client = book.pick(clients);
    const day = book.int(300);
    const amount = book.random() < 0.35 ? book.pick(plans) : 2_000 + book.int(90_000);
    const reference = `INV-${30_000 + number}`;
    const a = book.line('a', day, amount, `Invoice ${client}`, { invoice: reference });
    if (book.random() < 0.08) continue;
    const told = book.random();
    const words = client.toUpperCase().slice(0, 14);
    const text =
      told < 0.4 ? `${words} ${reference}` : told < 0.5 ? `${words} ${30_000 + number}` : told < 0.9 ? words : 'BANK GIRO CREDIT';
    const paid = day + 5 + book.int(30);
    const b = book.line('b', paid, amount, text);
    book.pair(a, b);
    // A second payment of the same invoice.
    if (book.random() < twice) book.line('b', paid + 1 + book.int(20), amount, text);
  }
  for (let other = 0; other < invoices / 12; other += 1)
    book.line(
      'b',
      book.int(340),
      book.random() < 0.5 ? book.pick(plans) : 2_000 + book.int(90_000),
      book.pick(clients).toUpperCase().slice(0, 14),
    );
  return book.set('customers');
}
