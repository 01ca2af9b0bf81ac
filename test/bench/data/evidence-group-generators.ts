import { BookWriter } from './evidence-generators.ts';
import type { EvidenceSet } from './evidence-sets.ts';

/** Books with groups, that differ in kind, with what belongs together. Seeded as the others. */

/** Customers who pay several invoices at once: half name them, half do not; some invoices are paid one by one. */
export function severalInvoices(payments: number, seed = 21): EvidenceSet {
  const book = new BookWriter(seed);
  const clients = Array.from({ length: Math.ceil(payments / 8) }, () => book.name());
  let number = 4_000;
  for (let payment = 0; payment < payments; payment += 1) {
    const client = book.pick(clients);
    const paid = 20 + book.int(330);
    const count = book.random() < 0.6 ? 1 : 2 + book.int(book.random() < 0.8 ? 3 : 8);
    const invoices = Array.from({ length: count }, () => {
      const amount = book.random() < 0.25 ? book.pick([4_900, 9_900, 25_000]) : 3_000 + book.int(200_000);
      number += 1;
      return { id: book.line('a', paid - 2 - book.int(28), amount, `Invoice ${client}`, { invoice: `INV-${number}` }), number, amount };
    });
    const words = client.toUpperCase().slice(0, 16);
    const list = invoices.map((invoice) => `INV-${invoice.number}`).join(', ');
    const total = invoices.reduce((sum, { amount }) => sum + amount, 0);
    const told = book.random();
    const text = told < 0.5 ? `${words} ${list}` : told < 0.9 ? words : 'BANK GIRO CREDIT';
    const b = book.line('b', paid, total, text);
    for (const { id } of invoices) book.pair(id, b);
  }
  noise(book, payments, clients);
  return book.set('several invoices');
}

/** Rents paid in one or in several parts, in the month. */
export function instalments(tenants: number, seed = 22): EvidenceSet {
  const book = new BookWriter(seed);
  const names: string[] = [];
  for (let tenant = 0; tenant < tenants; tenant += 1) {
    const name = book.name();
    names.push(name);
    const rent = 40_000 + 100 * book.int(900);
    const words = book.random() < 0.5 ? name.toUpperCase() : `${name.slice(0, 1)} ${name.split(' ')[1] ?? ''}`.toUpperCase();
    for (let month = 0; month < 12; month += 1) {
      const day = Math.round(month * 30.4) + 1;
      const due = rent + (book.random() < 0.3 ? book.int(5_000) : 0);
      const a = book.line('a', day, due, `Rent ${name} unit ${tenant + 1}`);
      const parts = book.random() < 0.65 ? 1 : 2 + book.int(2);
      let rest = due;
      let at = day;
      for (let part = 0; part < parts; part += 1) {
        const share = Math.round(due / parts / 1_000) * 1_000;
        const paid =
          part + 1 === parts ? rest : Math.min(rest - 1, book.random() < 0.5 ? share : Math.floor(rest * (0.3 + 0.4 * book.random())));
        rest -= paid;
        at += book.int(9);
        book.pair(a, book.line('b', at, paid, `${words} RENT`));
      }
    }
  }
  noise(book, tenants * 12, names);
  return book.set('instalments');
}

/** Takings of shops, card by card kind, settled every working day, after a weekend for three days; receipts paid in together. */
export function deposits(days: number, shops = 3, seed = 23): EvidenceSet {
  const book = new BookWriter(seed);
  for (let shop = 0; shop < shops; shop += 1) {
    let open: number[] = [];
    let total = 0;
    for (let day = 0; day < days; day += 1) {
      for (const card of ['Visa', 'Mastercard']) {
        const amount = 5_000 + book.int(300_000);
        open.push(book.line('a', day, amount, `Takings ${card} branch ${shop + 1}`));
        total += amount;
      }
      if (day % 7 >= 5) continue;
      const b = book.line('b', day + 1, total, `WORLDPAY SETTLEMENT ${['NORTH', 'SOUTH', 'EAST', 'WEST'][shop % 4] ?? ''}`);
      for (const id of open) book.pair(id, b);
      open = [];
      total = 0;
    }
  }
  for (let deposit = 0; deposit < days / 6; deposit += 1) {
    const day = book.int(days - 4);
    let total = 0;
    const ids = Array.from({ length: 2 + book.int(4) }, () => {
      const amount = 2_000 + book.int(80_000);
      total += amount;
      return book.line('a', day + book.int(3), amount, `Receipt ${book.name()}`);
    });
    const b = book.line('b', day + 3, total, `CASH DEPOSIT ${100 + book.int(900)}`);
    for (const id of ids) book.pair(id, b);
  }
  noise(book, days, ['Anna Smith', 'Tom Berg']);
  return book.set('deposits');
}

/** A bank reconciliation as most are: payments with and without references, groups, fees, reversals, lines without a partner. */
export function mixed(lines: number, seed = 24): EvidenceSet {
  const book = new BookWriter(seed);
  const clients = Array.from({ length: Math.ceil(lines / 12) }, () => `${book.name()}${book.random() < 0.4 ? ' Ltd' : ''}`);
  let number = 1_000;
  while (book.a.length < lines) {
    const client = book.pick(clients);
    const words = book.random() < 0.7 ? client.toUpperCase().slice(0, 16) : client.toUpperCase().split(' ').toReversed().join(' ');
    const day = 10 + book.int(340);
    const kind = book.random();
    const sign = book.random() < 0.6 ? 1 : -1;
    const amountOf = (): number => (book.random() < 0.2 ? 5_000 * (1 + book.int(20)) : 1_000 + book.int(300_000));
    number += 1;
    if (kind < 0.72) {
      const amount = sign * amountOf();
      const told = book.random();
      const reference = `${sign > 0 ? 'RCT' : 'PAY'}-${number}`;
      const a = book.line('a', day, amount, `${client} ${told < 0.45 ? reference : 'payment'}`);
      book.pair(a, book.line('b', day + book.int(4), amount, told < 0.45 ? `BGC ${reference}` : told < 0.85 ? words : 'TRANSFER'));
    } else if (kind < 0.9) {
      const count = 2 + book.int(book.random() < 0.8 ? 4 : 12);
      const told = book.random();
      const batch = `DEP-${number}`;
      const name = told < 0.4 ? null : client;
      const amounts = Array.from({ length: count }, amountOf);
      const ids = amounts.map((amount) =>
        book.line('a', day + book.int(3), sign * amount, `${name ?? book.pick(clients)} ${told < 0.4 ? batch : 'invoice'}`),
      );
      const total = sign * amounts.reduce((sum, amount) => sum + amount, 0);
      const b = book.line('b', day + 3 + book.int(2), total, told < 0.4 ? `PAYMENT ${batch}` : told < 0.9 ? words : 'DEPOSIT');
      for (const id of ids) book.pair(id, b);
    } else if (kind < 0.96) book.line('a', day, sign * amountOf(), `${client} payment`);
    else book.line('b', day, sign * amountOf(), words);
  }
  return book.set('mixed');
}

function noise(book: BookWriter, lines: number, names: readonly string[]): void {
  for (let other = 0; other < lines / 15; other += 1)
    book.line('b', book.int(360), 500 + book.int(100_000), book.pick(names).toUpperCase());
  for (let other = 0; other < lines / 20; other += 1) book.line('a', book.int(360), 500 + book.int(100_000), `Invoice ${book.pick(names)}`);
}
