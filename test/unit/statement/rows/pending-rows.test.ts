import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../../src-main/domain/statement/model/statement.ts';
import { readLarge } from '../../../../src-main/domain/statement/read.ts';
import { codesOf, lines, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

/** Rows that a bank had not booked yet went in as booked where they had a date. When they were booked, with another day and amount, they were there twice. */

const gbp = { currency: 'GBP' };
const control = { onProgress: () => undefined, isCancelled: () => false };

/** The same by the reader of large files. */
function large(text: string): Statement {
  const bytes = new TextEncoder().encode(text);
  const understood = readLarge({ byteLength: bytes.length, head: bytes, stretches: () => [bytes] }, { filename: 'x.csv', ...gbp }, control);
  if (!understood.ok || understood.value === null) throw new Error('no table');
  const read = understood.value.read(control, () => undefined);
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

/** What both readers say; they agree. */
function both(text: string): Statement {
  const [whole, streamed] = [statementOf(text, gbp), large(text)];
  expect(streamed.problems).toEqual(whole.problems);
  expect(summaryOf(streamed)).toEqual(summaryOf(whole));
  return whole;
}

const note = (statement: Statement) => statement.problems.find(({ code }) => code === 'pending_rows_left_out');
const table = (status: string, booked: string, word: string) =>
  lines(
    `Date;Details;Amount;${status}`,
    `2026-06-01;Shop;-1.00;${booked}`,
    `2026-06-02;Bus;-2.00;${booked}`,
    `2026-06-04;Fuel;-40.00;${word}`,
  );

it.each([
  ['Status', 'Posted', 'Pending'],
  ['Status', '', 'PENDING'],
  ['Transaction Status', 'Completed', 'Authorised'],
  ['Status', 'Settled', 'Authorized'],
  ['State', 'COMPLETED', 'In progress'],
  ['Status', 'Cleared', 'On hold'],
  ['Status', 'Booked', 'Payment pending'],
  ['Status', 'Booked', 'Not yet posted'],
  ['Posting status', 'Posted', 'Unposted'],
  ['Status', 'gebucht', 'vorgemerkt'],
  ['Umsatzstatus', 'gebucht', 'offen'],
  ['Buchungsstatus', 'Umsatz gebucht', 'Umsatz vorgemerkt'],
  ['Statut', 'Comptabilisé', 'En attente'],
  ["Statut de l'opération", 'Exécutée', 'À venir'],
  ['Estado', 'Contabilizado', 'Pendiente'],
  ['Estado', 'Liquidada', 'Retenido'],
  ['Situação', 'Processado', 'Pendente'],
  ['Stato', 'Contabilizzato', 'In sospeso'],
  ['Status', 'Geboekt', 'Gereserveerd'],
  ['Status', 'Bogført', 'Reserveret'],
  ['Status', 'Bokført', 'Reservert'],
  ['Status', 'Bokförd', 'Reserverad'],
  ['Tila', 'Kirjattu', 'Katevaraus'],
  ['Staða', 'Bókað', 'Í bið'],
  ['Olek', 'Teostatud', 'Broneeritud'],
  ['Statuss', 'Izpildīts', 'Rezervēts'],
  ['Būsena', 'Įvykdyta', 'Rezervuota'],
  ['Status', 'Zaksięgowana', 'Oczekująca'],
  ['Stav', 'Zaúčtováno', 'Blokace'],
  ['Stav', 'Zaúčtované', 'Čaká na zaúčtovanie'],
  ['Állapot', 'Könyvelt', 'Függőben'],
  ['Stare', 'Procesat', 'În așteptare'],
  ['Durum', 'Tamamlandı', 'Provizyon'],
  ['Status', 'Berhasil', 'Tertunda'],
  ['Trạng thái', 'Thành công', 'Đang chờ'],
  ['Status', 'Izvršeno', 'Na čekanju'],
  ['Статус', 'Исполнено', 'В обработке'],
  ['Статус', 'Проведено', 'Авторизация'],
  ['Стан', 'Виконано', 'В обробці'],
  ['Статус', 'Завършено', 'Чакаща'],
  ['Κατάσταση', 'Ολοκληρώθηκε', 'Σε εκκρεμότητα'],
  ['סטטוס', 'בוצע', 'ממתין'],
  ['الحالة', 'مكتمل', 'معلق'],
  ['สถานะ', 'สำเร็จ', 'รอดำเนินการ'],
  ['交易状态', '交易成功', '待入账'],
  ['状态', '已完成', '处理中'],
  ['ステータス', '確定', '未確定'],
  ['상태', '완료', '승인대기'],
  ['Pending', 'no', 'yes'],
  ['Booked', 'true', 'false'],
])('a row whose %s is not %s but %s is left out by name', (status, booked, word) => {
  const statement = both(table(status, booked, word));
  expect(summaryOf(statement)).toEqual(['2026-06-01 -100 GBP', '2026-06-02 -200 GBP']);
  expect(statement.rejectedRows).toBe(0);
  expect(note(statement)).toMatchObject({ row: 4, severity: 'note' });
  expect(note(statement)?.message).toMatch(/^1 line that the bank has not booked yet was left out \(.*\): row 4\./);
  expect(note(statement)?.message).toContain(`${status} "${word}"`);
});

it('a line that is booked with another day and amount exists once', () => {
  const later = lines('Date;Details;Amount;Status', '2026-06-02;Bus;-2.00;Posted', '2026-06-05;Fuel with tip;-46.00;Posted');
  const all = [...summaryOf(both(table('Status', 'Posted', 'Pending'))), ...summaryOf(both(later))];
  expect(all.filter((line) => /-4[06]00/.test(line))).toEqual(['2026-06-05 -4600 GBP']);
});

describe('a text that is no status keeps its line', () => {
  it.each(['Description', 'Note', 'Comment', 'Category', 'Reference'])('a column called %s that holds the word', (header) => {
    const statement = both(lines(`Date,${header},Amount,Status`, '2026-06-01,Pending,-1.00,Posted', '2026-06-02,Authorised,-2.00,Posted'));
    expect([statement.lines.length, codesOf(statement)]).toEqual([2, []]);
  });

  it('a description that goes on with the word in a row below', () => {
    const statement = both(lines('Date,Amount,Details', '2026-06-01,-1.00,Shop', ',,Pending', '2026-06-02,-2.00,Bus'));
    expect([statement.lines.length, statement.lines[0]?.description]).toEqual([2, 'Shop Pending']);
  });

  it.each([
    ['Date,Invoice number,Customer,Amount,Status', 'Sent', 'Pending'],
    ['Date,Customer,Details,Amount,Status', 'Completed', 'On hold'],
    ['Datum;Rechnungsnummer;Name;Betrag;Status', 'bezahlt', 'offen'],
    ['Fecha;Documento;Detalle;Importe;Estado', 'Pagado', 'Pendiente'],
  ])('an invoice: %s', (header, paid, waits) => {
    const mark = header.includes(';') ? ';' : ',';
    const row = (day: number, status: string) => [`2026-06-0${day}`, `R-${day}`, `Shop ${day}`, `-${day}.00`, status].join(mark);
    const statement = both(lines(header, row(1, paid), row(2, waits), row(3, paid)));
    expect([statement.lines.length, codesOf(statement)]).toEqual([3, ['pending_rows_kept']]);
  });
});

it('a column without a telling header is a status where each of its cells says whether the row is booked', () => {
  expect(both(table('Info', 'Umsatz gebucht', 'Umsatz vorgemerkt')).lines).toHaveLength(2);
  expect(both(table('Info', 'Umsatz gebucht', 'Karte')).lines).toHaveLength(3);
});

it.each([
  ['Pending transactions', 'Posted transactions'],
  ['Pending', 'Completed'],
  ['Vorgemerkte Umsätze', 'Gebuchte Umsätze'],
  ['Opérations en attente', 'Opérations comptabilisées'],
  ['Movimientos pendientes', 'Movimientos'],
  ['Lançamentos futuros', 'Lançamentos'],
  ['Operazioni non contabilizzate', 'Operazioni'],
  ['Gereserveerde transacties', 'Transacties'],
  ['Операции в обработке', 'Операции'],
])('rows under the title %s are left out, above and below those under %s', (pending, booked) => {
  const header = 'Date,Details,Amount';
  const [waits, rows] = [['2026-06-04,Fuel,-40.00'], ['2026-06-01,Shop,-1.00', '2026-06-02,Bus,-2.00']];
  const orders = [
    lines('Account 1', '', pending, header, ...waits, '', booked, header, ...rows),
    lines('Account 1', '', booked, header, ...rows, '', pending, header, ...waits),
    lines(header, pending, ...waits, booked, ...rows),
  ];
  for (const text of orders) {
    const statement = both(text);
    expect(summaryOf(statement)).toEqual(['2026-06-01 -100 GBP', '2026-06-02 -200 GBP']);
    expect(note(statement)?.message).toContain(`under "${pending}"`);
  }
  const none = both(lines(pending, 'None', '', booked, header, ...rows));
  expect([none.lines.length, note(none)]).toEqual([2, undefined]);
});

describe('balances', () => {
  const rows = (running: readonly string[], status = 'Pending') =>
    lines(
      'Date,Details,Amount,Balance,Status',
      `2026-06-01,Shop,-10.00,${running[0] ?? ''},Posted`,
      `2026-06-02,Fuel,-40.00,${running[1] ?? ''},${status}`,
      `2026-06-03,Bus,-20.00,${running[2] ?? ''},Posted`,
      `2026-06-04,Wages,50.00,${running[3] ?? ''},Posted`,
    );

  it('that leave out pending rows prove the lines', () => {
    for (const waiting of ['', '90.00']) {
      const statement = both(rows(['90.00', waiting, '70.00', '120.00']));
      expect(statement).toMatchObject({ proof: 'proved', openingBalanceMinor: 10_000, closingBalanceMinor: 12_000 });
      expect(statement.lines).toHaveLength(3);
    }
  });

  it('that count pending rows prove no lines and state no balance', () => {
    const statement = both(rows(['90.00', '50.00', '30.00', '80.00']));
    expect(statement).toMatchObject({ proof: 'unproved', openingBalanceMinor: null, closingBalanceMinor: null, balances: [] });
    expect(statement.lines).toHaveLength(3);
  });

  it('and totals of booked rows are no line, even with a date', () => {
    const statement = both(
      lines(
        'Date,Details,Amount,Status',
        '2026-06-01,Shop,-1.00,Posted',
        '2026-06-02,Fuel,-5.00,Pending',
        '2026-06-03,Bus,-2.00,Posted',
        '2026-06-30,Total debits,-3.00,',
      ),
    );
    expect(summaryOf(statement)).toEqual(['2026-06-01 -100 GBP', '2026-06-03 -200 GBP']);
  });
});

it('an authorisation of a wallet waits for its payment, whatever invoices the file names', () => {
  const statement = both(
    lines(
      'Date,Name,Type,Status,Currency,Gross,Fee,Net,Transaction ID,Invoice Number,Balance',
      '06/13/2026,A,Website Payment,Completed,GBP,50.00,-1.80,48.20,TX1,R-1,48.20',
      '06/14/2026,B,General Authorization,Pending,GBP,30.00,0.00,30.00,TX2,R-2,48.20',
      '06/14/2026,C,General Authorization,Completed,GBP,31.00,0.00,31.00,TX3,R-3,48.20',
      '06/15/2026,A,Payment Refund,Completed,GBP,-50.00,1.80,-48.20,TX4,R-1,0.00',
      '06/16/2026,D,Website Payment,Completed,GBP,20.00,-0.80,19.20,TX5,R-5,19.20',
      '06/17/2026,E,Website Payment,Completed,GBP,30.00,-1.20,28.80,TX6,R-6,48.00',
    ),
  );
  expect(summaryOf(statement)).toEqual(['2026-06-13 4820 GBP', '2026-06-15 -4820 GBP', '2026-06-16 1920 GBP', '2026-06-17 2880 GBP']);
  expect(statement.proof).toBe('proved');
  expect(note(statement)?.message).toContain('Type "General Authorization"');
});

it('an id that the bank gives at booking is an id, although pending rows have none', () => {
  const statement = both(
    lines(
      'Date,Details,Amount,Transaction ID,Status',
      '2026-06-01,Shop,-1.00,T1,Posted',
      '2026-06-02,Bus,-2.00,T2,Posted',
      '2026-06-04,Fuel,-40.00,,Pending',
    ),
  );
  expect(statement.lines.map(({ externalId }) => externalId)).toEqual(['T1', 'T2']);
});

describe('other words for pending rows', () => {
  it.each([
    ['Status', 'Reserverat belopp'],
    ['Estado', 'Importe retenido'],
    ['Statut', 'Montant autorisé'],
    ['Stato', 'Importo prenotato'],
    ['Status', 'Gereserveerd bedrag'],
    ['Status', 'Kwota zablokowana'],
    ['Type', 'Autorisation générale'],
    ['Typ', 'Allgemeine Autorisierung'],
    ['Tipo', 'Autorización general'],
    ['Tipo', 'Autorizzazione generale'],
    ['Type', 'Reauthorization'],
  ])('%s "%s"', (header, word) => {
    const statement = both(table(header, header.startsWith('T') ? 'Payment' : 'Posted', word));
    expect(summaryOf(statement)).toEqual(['2026-06-01 -100 GBP', '2026-06-02 -200 GBP']);
    expect(note(statement)).toMatchObject({ row: 4 });
  });

  it.each(['PENDING - Fuel', 'Pending: Fuel', '[Pending] Fuel', '*PENDING* Fuel', 'vorgemerkt: Fuel', 'Opération en attente - Fuel'])(
    'a description that begins with "%s"',
    (text) => {
      const statement = both(lines('Date;Details;Amount', '2026-06-01;Shop;-1.00', '2026-06-02;Bus;-2.00', `2026-06-04;${text};-40.00`));
      expect([summaryOf(statement), note(statement)?.row]).toEqual([['2026-06-01 -100 GBP', '2026-06-02 -200 GBP'], 4]);
    },
  );

  it.each(['Pending Ltd', 'Reservation: Hotel', 'Authorization - 12345', 'Spending: food'])(
    'a description such as "%s" belongs to a booked line',
    (text) => {
      expect(both(lines('Date;Details;Amount', '2026-06-01;Shop;-1.00', `2026-06-04;${text};-40.00`)).lines).toHaveLength(2);
    },
  );
});

it.each([
  ['Posted', 'Earmarked', [4]],
  ['B', 'P', [2]],
  ['', 'Zurückgelegt', [4]],
])('a status of %s and %s, one of them unknown, gets a note', (booked, word, rows) => {
  const statement = both(table('Status', booked, word));
  expect([statement.lines.length, codesOf(statement)]).toEqual([3, ['status_unknown']]);
  expect(statement.problems[0]).toMatchObject({ severity: 'note', column: 'Status', row: rows[0] });
  expect(statement.problems[0]?.message).toContain(`"${word}" (row 4)`);
});

it.each(['Posted', 'OK', 'Z'])('a status with %s in every row gets none', (word) => {
  expect(codesOf(both(table('Status', word, word)))).toEqual([]);
});

it.each([
  ['Gebucht', 'Ja', 'Nein'],
  ['Vorgemerkt', 'Nein', 'Ja'],
  ['Comptabilisée', 'Oui', 'Non'],
  ['Contabilizzato', 'SI', 'NO'],
  ['Contabilizado', 'Sí', 'No'],
  ['Geboekt', 'J', 'N'],
  ['Zaksięgowane', 'Tak', 'Nie'],
  ['Bokförd', 'Ja', 'Nej'],
  ['Is pending', 'false', 'true'],
])('a column %s that says %s and %s', (header, booked, waiting) => {
  const statement = both(table(header, booked, waiting));
  expect([summaryOf(statement), note(statement)?.row]).toEqual([['2026-06-01 -100 GBP', '2026-06-02 -200 GBP'], 4]);
});

it.each([
  ['Cleared', 'Y', 'N'],
  ['Gebucht', '01.06.2026', '02.06.2026'],
])('a column %s with %s and %s is no status', (header, one, other) => {
  expect(both(table(header, one, other)).lines).toHaveLength(3);
});
