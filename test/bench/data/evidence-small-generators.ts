import { BookWriter } from './evidence-generators.ts';
import type { EvidenceSet } from './evidence-sets.ts';

/** Books of 10 to 50 lines a side, of which little can be learned. Seeded as the others. */

const THINGS = ['chairs', 'table', 'carpet', 'lamps', 'desks', 'paint', 'cable', 'tiles'] as const;
const FIRMS = ['Alder Works', 'Birch Supplies', 'Cedar Foods', 'Dunlin Print', 'Fern & Sons', 'Grafton Estates', 'Holm Energy'] as const;

/** Bank lines against open entries of a ledger: some name a document, some list two, some are instalments, some name nothing. */
export function bankAndLedger(seed: number): EvidenceSet {
  const book = new BookWriter(seed);
  const [document, order] = [108_000 + book.int(500), 106_000 + book.int(500)];
  const entries = Array.from({ length: 10 + book.int(40) }, (_, number) => {
    const day = book.int(120);
    const amount = roundAs(book, 5_000 + book.int(2_000_000));
    const [own, external] = [String(document + number), String(15_000 + book.int(25_000))];
    const thing = book.random() < 0.3 ? book.pick(THINGS) : '';
    const words = book.random() < 0.5 ? `Invoice ${own}` : `Order ${thing} ${order + number}`;
    return { id: book.line('a', day, -amount, words, { document: own, external }), day, amount, own, external, thing };
  });
  for (let place = 0; place < entries.length; place += 1) {
    const { id, day, amount, own, external, thing } = entries[place] as (typeof entries)[number];
    const next = entries[place + 1];
    const kind = book.random();
    if (kind < 0.2) continue;
    if (kind < 0.3) {
      const first = Math.round((amount * (0.2 + 0.5 * book.random())) / 100) * 100;
      const parts = [first, amount - first];
      parts.forEach((part, at) => book.pair(id, book.line('b', day + 2 + 3 * at, -part, `Instalment ${at + 1} for ${external}`)));
    } else if (kind < 0.45 && next !== undefined) {
      place += 1;
      const words = book.random() < 0.6 ? `Two orders (${external} and ${next.external})` : '2 invoices';
      const line = book.line('b', Math.max(day, next.day) + book.int(6), -amount - next.amount, words);
      for (const each of [id, next.id]) book.pair(each, line);
    } else {
      const told = book.random();
      const unnamed = thing === '' || told > 0.8 ? 'Here you go' : `For the ${thing}`;
      const words = told < 0.4 ? `Payment for ${own}` : told < 0.55 ? `Paid ${external}` : unnamed;
      book.pair(id, book.line('b', day + book.int(8), -amount, words));
    }
  }
  for (let other = book.int(4); other > 0; other -= 1)
    book.line('b', book.int(125), -roundAs(book, 5_000 + book.int(2_000_000)), `Payment for ${order + book.int(60)}`);
  return book.set('bank and ledger');
}

function roundAs(book: BookWriter, amount: number): number {
  const step = book.pick([10_000, 500, 1]);
  return Math.max(step, Math.round(amount / step) * step);
}

/** Rents under the number of the tenancy, the same each month; some tenants share a name. */
export function tenancies(seed: number): EvidenceSet {
  const book = new BookWriter(seed);
  for (let tenancy = 10 + book.int(12); tenancy > 0; tenancy -= 1) {
    const number = String(400_000 + book.int(500_000));
    const name = book.name();
    const rent = book.random() < 0.5 ? book.pick([50_000, 75_000, 95_000]) : 2_000 + book.int(80_000);
    const months = 1 + book.int(3);
    for (let month = 0; month < months; month += 1) {
      const day = month * 30 + book.int(10);
      const a = book.line('a', day, rent, `Rent ${name}`, { tenancy: number });
      book.pair(a, book.line('b', day + book.int(5), rent, book.random() < 0.5 ? `${name.toUpperCase()} ${number}` : `RENT ${number}`));
    }
  }
  return book.set('tenancies');
}

/** Rents of one amount, paid under a name, or a surname that others have too. */
export function alikeNames(seed: number): EvidenceSet {
  const book = new BookWriter(seed);
  const rent = book.pick([65_000, 75_000, 80_000]);
  for (let tenant = 10 + book.int(12); tenant > 0; tenant -= 1) {
    const [first = '', last = ''] = book.name().split(' ');
    const surname = book.random() < 0.3 ? 'Smith' : last;
    const amount = book.random() < 0.5 ? rent : 30_000 + 100 * book.int(500);
    const months = 1 + book.int(2);
    for (let month = 0; month < months; month += 1) {
      const day = month * 30 + book.int(4);
      const a = book.line('a', day, amount, `Rent ${first} ${surname}`);
      if (book.random() < 0.07) continue;
      const payer = book.random() < 0.5 ? `${first} ${surname}` : `${first.slice(0, 1)} ${surname}`;
      book.pair(a, book.line('b', day + book.int(6), amount, payer.toUpperCase()));
    }
  }
  return book.set('alike names');
}

/** Orders against what a processor pays out: prices come again, some payouts are less a fee, some orders are paid back. */
export function payouts(seed: number): EvidenceSet {
  const book = new BookWriter(seed);
  const first = 1_000 + book.int(9_000);
  const lines = 10 + book.int(40);
  for (let number = 0; number < lines; number += 1) {
    const day = book.int(30);
    const price = book.random() < 0.6 ? book.pick([1_999, 2_499, 4_999, 9_900]) : 500 + book.int(20_000);
    const order = `#${first + number}`;
    const a = book.line('a', day, price, `Order ${order} ${book.name()}`, { order });
    const kind = book.random();
    if (kind < 0.1) continue;
    const paid = kind < 0.2 ? price - 30 - Math.round(price * 0.014) : price;
    book.pair(a, book.line('b', day + book.int(4), paid, `PAYOUT ${order}`, { transaction: `TX${50_000 + book.int(40_000)}` }));
    if (book.random() < 0.04) book.line('b', day + 3 + book.int(9), -paid, `REFUND ${order}`);
  }
  return book.set('payouts');
}

/** Invoices under the number of the account, paid in round parts that name the account: some sums come out by chance. */
export function accounts(seed: number): EvidenceSet {
  const book = new BookWriter(seed);
  const step = book.pick([1_000, 5_000, 10_000]);
  for (let account = 6 + book.int(12); account > 0; account -= 1) {
    const number = String(20_000 + book.int(60_000));
    const name = book.name();
    const invoices = 1 + book.int(3);
    for (let invoice = 0; invoice < invoices; invoice += 1) {
      const day = book.int(60);
      const steps = 2 + book.int(25);
      const a = book.line('a', day, step * steps, `Invoice ${name}`, { account: number });
      const part = book.random() < 0.3 ? steps : 1 + book.int(steps - 1);
      book.pair(a, book.line('b', day + book.int(10), step * part, `${name.toUpperCase()} ${number}`));
      if (part < steps && book.random() < 0.6)
        book.pair(a, book.line('b', day + 5 + book.int(20), step * (steps - part), `PART ${number}`));
    }
  }
  return book.set('accounts');
}

/** A small business: vouchers here and there, suppliers once or twice, takings, charges that the books do not have. */
export function shop(seed: number): EvidenceSet {
  const book = new BookWriter(seed);
  const lines = 10 + book.int(35);
  for (let line = 0; line < lines; line += 1) {
    const day = book.int(31);
    const firm = book.pick(FIRMS);
    const voucher = `${book.pick(['RCT', 'INV', 'ELC'])}-${100 + book.int(9_000)}`;
    const isTaking = book.random() < 0.4;
    const amount = (isTaking ? 1 : -1) * (book.random() < 0.4 ? 100 * (1 + book.int(3_000)) : 500 + book.int(200_000));
    const a = book.line('a', day, amount, isTaking ? 'Card takings' : firm, book.random() < 0.8 ? { voucher } : {});
    if (book.random() < 0.12) continue;
    const text = book.pick([voucher, firm.toUpperCase(), `DD ${firm.toUpperCase()} ${voucher}`, '']);
    book.pair(a, book.line('b', day + (book.random() < 0.6 ? 0 : book.int(5)), amount, text));
  }
  for (let charge = book.int(4); charge > 0; charge -= 1) book.line('b', book.int(31), -500 - book.int(3_000), 'BANK CHARGE');
  return book.set('shop');
}
