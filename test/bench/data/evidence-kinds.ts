import { BookWriter } from './evidence-generators.ts';
import type { EvidenceSet } from './evidence-sets.ts';

/** One book for each kind of trouble that matching by evidence once had, with what belongs together. Seeded as the others. */

const VENDORS = ['Alder Foods', 'Birch Print', 'Cedar Steel', 'Dover Media', 'Elgin Paper', 'Forth Motors', 'Gower Linen', 'Holm Energy'];
const FORMS = ['Ltd', 'GmbH', 'Inc', 'Sons', 'Group'];
const MEMOS = ['office rent', 'spare parts', 'second delivery', 'consulting hours', 'paper and toner', 'freight charges', 'annual service'];

const vendorsOf = (book: BookWriter, count: number): string[] =>
  Array.from(
    { length: count },
    (_, number) => `${VENDORS[number % VENDORS.length] ?? ''} ${book.name().split(' ')[1] ?? ''} ${book.pick(FORMS)}`,
  );

/** Vendors paid for five bills at once, each bill with a memo of its own that the bank does not have. */
export function memos(groups: number, seed = 41): EvidenceSet {
  const book = new BookWriter(seed);
  const vendors = vendorsOf(book, groups);
  for (const [number, vendor] of vendors.entries()) {
    const day = Math.floor((number * 300) / groups);
    let total = 0;
    const bills = Array.from({ length: 5 }, () => {
      const amount = 2_000 + book.int(200_000);
      total += amount;
      return book.line('a', day + book.int(4), -amount, `${vendor} - ${book.pick(MEMOS)} ${book.pick(MEMOS)}`);
    });
    const paid = book.line('b', day + 5, -total, `${vendor.toUpperCase()} ${book.pick(MEMOS)}`);
    for (const bill of bills) book.pair(bill, paid);
    const single = 2_000 + book.int(200_000);
    book.pair(book.line('a', day, -single, `${vendor} - ${book.pick(MEMOS)}`), book.line('b', day + 2, -single, vendor.toUpperCase()));
  }
  return book.set('memo texts');
}

/** Payments that came back, the payment and its return booked on both sides. */
export function returns(payments: number, seed = 42): EvidenceSet {
  const book = new BookWriter(seed);
  for (let number = 0; number < payments; number += 1) {
    const [day, amount, name] = [book.int(300), 2_000 + book.int(200_000), book.name()];
    book.pair(book.line('a', day, amount, `Payment ${name}`), book.line('b', day + 1 + book.int(3), amount, name.toUpperCase()));
    if (book.random() >= 0.15) continue;
    const back = day + 4 + book.int(12);
    book.pair(
      book.line('a', back, -amount, `Returned ${name}`),
      book.line('b', back + book.int(3), -amount, `RETURN ${name.toUpperCase()}`),
    );
  }
  return book.set('returns');
}

/** Invoices that payments name, a fifth of them unpaid, and a share of the payments made twice. */
export function invoices(count: number, twice: number, seed = 43): EvidenceSet {
  const book = new BookWriter(seed);
  for (let number = 0; number < count; number += 1) {
    const [day, amount, name] = [book.int(200), 2_000 + book.int(300_000), `${book.pick(VENDORS)} ${book.pick(FORMS)}`];
    const invoice = book.line('a', day, amount, name, { invoice: `INV-${2_000 + number}` });
    if (book.random() < 0.2) continue;
    const paid = day + 2 + book.int(25);
    const text = `${name.toUpperCase()} INV-${2_000 + number}`;
    book.pair(invoice, book.line('b', paid, amount, text));
    if (book.random() < twice) book.line('b', paid + 1 + book.int(20), amount, text);
  }
  return book.set(twice === 0 ? 'unpaid invoices' : 'second payments');
}

/** Payments whose text lists the numbers of their invoices, joined to words or to each other. */
export function joined(payments: number, isRun: boolean, seed = 44): EvidenceSet {
  const book = new BookWriter(seed);
  const numbers = new Set<string>();
  while (numbers.size < payments * 4) numbers.add(String(1_000_000_000 + book.int(8_000_000) * 1_117).slice(0, 10));
  const rest = [...numbers];
  for (let payment = 0; payment < payments; payment += 1) {
    const day = book.int(300);
    const of = rest.splice(0, 1 + book.int(4));
    let total = 0;
    const ids = of.map((number) => {
      const amount = 2_000 + book.int(300_000);
      total += amount;
      return book.line('a', day - book.int(20), amount, 'Invoice', { number });
    });
    const text = isRun ? of.join('') : of.map((number, place) => `NO ${place}: ${number}`).join('');
    const paid = book.line('b', day + 1, total, `REMITTANCE ${text}`);
    for (const id of ids) book.pair(id, paid);
  }
  return book.set(isRun ? 'numbers in a run' : 'numbers joined');
}

/** Cheques by number, some of them drawn and never paid in, some paid in that the ledger does not have. */
export function cheques(count: number, seed = 45): EvidenceSet {
  const book = new BookWriter(seed);
  for (let number = 0; number < count; number += 1) {
    const [day, amount] = [Math.floor((number * 250) / count), -(5_000 + book.int(100_000))];
    const kind = book.random();
    const isDrawn = kind >= 0.06;
    const isPaid = kind < 0.94;
    const a = isDrawn ? book.line('a', day, amount, `${book.pick(VENDORS)} - supplies`, { reference: `CHK-${4_700 + number}` }) : 0;
    const b = isPaid ? book.line('b', day + 3 + book.int(12), amount, `CHECK #${4_700 + number}`) : 0;
    if (isDrawn && isPaid) book.pair(a, b);
  }
  return book.set('cheque numbers');
}

/** Bills paid in a first part and the rest later; some rests are never paid. */
export function parts(bills: number, seed = 46): EvidenceSet {
  const book = new BookWriter(seed);
  for (let number = 0; number < bills; number += 1) {
    const [day, amount, name] = [book.int(250), 20_000 + book.int(300_000), book.name()];
    const bill = book.line('a', day, amount, `Bill ${name}`, { bill: `B-${7_000 + number}` });
    const text = `${name.toUpperCase()} B-${7_000 + number}`;
    const first = book.random() < 0.25 ? Math.round((amount * (0.3 + 0.4 * book.random())) / 100) * 100 : amount;
    book.pair(bill, book.line('b', day + 3 + book.int(10), first, text));
    if (first < amount && book.random() < 0.8) book.pair(bill, book.line('b', day + 20 + book.int(25), amount - first, text));
  }
  return book.set('part payments');
}

/** Card sales paid out less a rate and a fixed part, and invoices less a discount for paying early, exact to the cent. */
export function formulas(lines: number, discount: number, seed = 47): EvidenceSet {
  const book = new BookWriter(seed);
  const [rate, fixed] = discount === 0 ? [0.005 * (2 + book.int(5)) + 0.004, 10 + 5 * book.int(6)] : [discount, 0];
  for (let number = 0; number < lines; number += 1) {
    const [day, gross, name] = [Math.floor((number * 250) / lines), 2_000 + book.int(200_000), book.name()];
    const sale = book.line('a', day, gross, discount === 0 ? `Card sale ${name}` : `Invoice ${name}`, {
      order: `ORD-${5_000 + number * 7}`,
    });
    const kind = book.random();
    if (kind < 0.05) continue;
    const isWhole = discount !== 0 && kind < 0.5;
    const net = isWhole ? gross : gross - Math.round(gross * rate) - fixed;
    book.pair(sale, book.line('b', day + 1 + book.int(3), net, discount === 0 ? 'PSP PAYOUT' : name.toUpperCase()));
  }
  for (let other = 0; other < lines / 20; other += 1) book.line('b', book.int(250), 2_000 + book.int(200_000), 'SUNDRY RECEIPT');
  return book.set(discount === 0 ? 'fees by formula' : 'discounts');
}

/**
 * Card sales that a processor pays out by day, less 1.4 % + 0.20: of each sale (`line`) or of the whole (`sum`). The ledger notes the
 * number of the payout where `isNumbered`, and holds other receipts besides.
 */
export function payoutsLess(payouts: number, per: 'line' | 'sum', isNumbered: boolean, seed = 51): EvidenceSet {
  const book = new BookWriter(seed);
  const feeOf = (gross: number): number => Math.round(gross * 0.014) + 20;
  for (let payout = 0; payout < payouts; payout += 1) {
    const day = Math.floor((payout * 7) / 5) + (payout % 5 === 4 ? 1 : 0);
    const sales = Array.from({ length: 1 + book.int(9) }, () => 500 + book.int(30_000));
    const metadata = isNumbered ? { payout: `PO-${60_300 + payout}` } : {};
    const ids = sales.map((gross) => book.line('a', day, gross, `Card sale ${book.name()}`, metadata));
    const total = sales.reduce((sum, gross) => sum + gross, 0);
    const fee = per === 'sum' ? feeOf(total) : sales.reduce((sum, gross) => sum + feeOf(gross), 0);
    const paid = book.line('b', day + 2, total - fee, 'CARD ACQUIRER SETTLEMENT');
    for (const id of ids) book.pair(id, paid);
    if (book.random() < 0.6) {
      const [amount, name] = [5_000 + book.int(90_000), book.name()];
      book.pair(book.line('a', day, amount, `Transfer ${name}`), book.line('b', day + book.int(2), amount, name.toUpperCase()));
    }
  }
  return book.set(`payouts less a fee of each ${per === 'line' ? 'sale' : 'day'}`);
}

const SYLLABLES =
  'bra ken tol mar vin dor sel pan rik ost lem fau gan hir jut kel nor pel quin ras sol tam ulf ver wal yor zan bec cor dil'.split(' ');
const SHOPS = ['Staples Store', 'Delta Air', 'Shell Oil', 'Home Depot', 'Hertz Rental', 'State Farm', 'Office Depot', 'Sysco Foods'];

/**
 * A general ledger's cash account against the bank: cheques that clear late, transfers, cards, receipts, deposits of several receipts, and a few
 * vendors that are paid one amount again and again.
 */
export function generalLedger(lines: number, seed = 48): EvidenceSet {
  const book = new BookWriter(seed);
  const word = (): string => Array.from({ length: 2 + book.int(2) }, () => book.pick(SYLLABLES)).join('');
  const companies = (count: number): string[] =>
    Array.from({ length: Math.max(12, count) }, () => `${word()} ${word()} ${book.pick(FORMS)}`);
  const [vendors, clients] = [companies(Math.ceil(lines / 25)), companies(Math.ceil(lines / 15))];
  const amountOf = (middle: number): number =>
    Math.max(199, Math.round(middle * Math.exp((book.random() + book.random() + book.random() - 1.5) * 2.2)));
  let entry = 0;
  const booked = (day: number, amount: number, text: string): number => {
    entry += 1;
    return book.line('a', day, amount, text, { entry: `JE${String(entry).padStart(5, '0')}` });
  };
  while (book.a.length < lines) {
    const [kind, day, vendor, client] = [book.random(), 3 + book.int(345), book.pick(vendors), book.pick(clients)];
    if (kind < 0.26) {
      const amount = -amountOf(60_000);
      const cheque = booked(day, amount, `Ck ${10_400 + entry} ${vendor}`);
      if (book.random() < 0.93) book.pair(cheque, book.line('b', day + 3 + book.int(14), amount, `CHECK ${10_399 + entry}`));
    } else if (kind < 0.46) {
      const amount = -amountOf(45_000);
      const words = vendor.toUpperCase().slice(0, 15);
      book.pair(
        booked(day, amount, `Bill pmt - ${vendor}`),
        book.line('b', day + book.int(3), amount, `ACH DEBIT ${words} ${100_000_000 + book.int(900_000_000)}`),
      );
    } else if (kind < 0.64) {
      const [amount, shop] = [-(book.random() < 0.25 ? book.pick([999, 1_499, 5_000]) : amountOf(8_000)), book.pick(SHOPS)];
      const text = `POS ${shop.toUpperCase()} ${1_000 + book.int(9_000)}`;
      book.pair(booked(day, amount, `${shop} ${book.pick(MEMOS)}`), book.line('b', day + 1 + book.int(3), amount, text));
    } else if (kind < 0.78) {
      const amount = amountOf(90_000);
      const text = `ACH CREDIT ${client.toUpperCase().slice(0, 16)}`;
      book.pair(booked(day, amount, `Receipt ${client}`), book.line('b', day + book.int(2), amount, text));
    } else if (kind < 0.9) {
      const amounts = Array.from({ length: 2 + book.int(6) }, () => amountOf(50_000));
      const receipts = amounts.map((amount) => booked(day, amount, `Receipt ${book.pick(clients)} chk ${1_000 + book.int(8_000)}`));
      const total = amounts.reduce((sum, amount) => sum + amount, 0);
      const deposit = book.line('b', day + 1 + book.int(2), total, 'BRANCH DEPOSIT');
      for (const receipt of receipts) book.pair(receipt, deposit);
    } else if (kind < 0.94) {
      const place = book.int(6);
      const amount = -([120_000, 45_000, 89_900][place % 3] ?? 0);
      const name = vendors[place] ?? '';
      book.pair(
        booked(day, amount, `Recurring ${name}`),
        book.line('b', day + book.int(4), amount, `AUTOPAY ${name.toUpperCase().slice(0, 14)}`),
      );
    } else if (kind < 0.97) book.line('b', day, -amountOf(2_000), book.pick(['SERVICE CHARGE', 'WIRE FEE']));
    else booked(day, -amountOf(30_000), `Accrual ${vendor}`);
  }
  return book.set('general ledger');
}

/**
 * Receipts that are paid in together. The ledger notes the number of the slip, or enters the receipts of a deposit one after the other (`isNumbered`);
 * the bank says nothing.
 */
export function slips(deposits: number, isNumbered: boolean, seed = 49): EvidenceSet {
  const book = new BookWriter(seed);
  let entry = 0;
  for (let slip = 0; slip < deposits; slip += 1) {
    const day = Math.floor((slip * 90) / deposits);
    let total = 0;
    const ids = Array.from({ length: 2 + book.int(5) }, () => {
      const amount = 2_000 + book.int(90_000);
      total += amount;
      entry += 1 + book.int(2);
      const text = isNumbered ? `Receipt ${book.name()} slip ${70_500 + slip}` : `Receipt ${book.name()}`;
      return book.line('a', day, amount, text, isNumbered ? {} : { entry: `JE${10_000 + entry}` });
    });
    const paid = book.line('b', day + 1 + book.int(2), total, 'COUNTER CREDIT');
    for (const id of ids) book.pair(id, paid);
    entry += 1 + book.int(9);
    if (book.random() < 0.1)
      book.line('a', day, 2_000 + book.int(90_000), 'Receipt cash', isNumbered ? {} : { entry: `JE${10_000 + entry}` });
  }
  return book.set(isNumbered ? 'paying-in slips' : 'lines as entered');
}

/** Customers who pay some of their invoices at once, weeks later, half of them without a number. */
export function cashApplication(payments: number, seed = 50): EvidenceSet {
  const book = new BookWriter(seed);
  const clients = vendorsOf(book, Math.ceil(payments / 12));
  let number = 9_100_000;
  for (let payment = 0; payment < payments; payment += 1) {
    const [client, day] = [book.pick(clients), book.int(160)];
    let total = 0;
    const bills = Array.from({ length: 1 + book.int(5) }, () => {
      const amount = 5_000 + book.int(200_000);
      total += amount;
      number += 1 + book.int(2);
      return { number, id: book.line('a', day - book.int(14), amount, `Invoice ${client}`, { document: String(number) }) };
    });
    const list = book.random() < 0.5 ? ` ${bills.map((bill) => bill.number).join(' ')}` : '';
    const paid = book.line('b', day + 18 + book.int(15), total, `LOCKBOX ${client.toUpperCase().slice(0, 16)}${list}`);
    for (const { id } of bills) book.pair(id, paid);
  }
  return book.set('cash application');
}

/** The kinds by name, each made from a seed. */
export const KINDS: Readonly<Record<string, (seed: number) => EvidenceSet>> = {
  'memo texts': (seed) => memos(60, seed),
  returns: (seed) => returns(700, seed),
  'unpaid invoices': (seed) => invoices(500, 0, seed),
  'second payments': (seed) => invoices(500, 0.04, seed),
  'numbers joined': (seed) => joined(200, false, seed),
  'numbers in a run': (seed) => joined(200, true, seed),
  'cheque numbers': (seed) => cheques(400, seed),
  'part payments': (seed) => parts(400, seed),
  'fees by formula': (seed) => formulas(500, 0, seed),
  discounts: (seed) => formulas(500, 0.02, seed),
  'payouts less a fee of each sale': (seed) => payoutsLess(150, 'line', false, seed),
  'payouts less a fee of each day': (seed) => payoutsLess(150, 'sum', true, seed),
  'general ledger': (seed) => generalLedger(3_000, seed),
  'paying-in slips': (seed) => slips(400, true, seed),
  'lines as entered': (seed) => slips(400, false, seed),
  'cash application': (seed) => cashApplication(400, seed),
};

/** A club: monthly dues of one amount, which each member pays after a number of days of his own, and bills that are paid within days. */
export function club(members: number, bills: number, seed = 52): EvidenceSet {
  const book = new BookWriter(seed);
  for (let member = 0; member < members; member += 1) {
    const [name, paidAfter] = [`${book.name()} ${1_000 + member * 7}`, 8 + book.int(10)];
    for (let month = 0; month < 8; month += 1) {
      const due = book.line('a', month * 30, 2_500, `Dues of ${name}`);
      if (book.random() < 0.95) book.pair(due, book.line('b', month * 30 + paidAfter + book.int(2), 2_500, name.toUpperCase()));
    }
  }
  for (let bill = 0; bill < bills; bill += 1) {
    const [day, amount, name] = [book.int(240), -1_000 - book.int(900_000), book.name()];
    book.pair(book.line('a', day, amount, `Bill of ${name}`), book.line('b', day + book.int(4), amount, name.toUpperCase()));
  }
  return book.set('club');
}
