import iconv from 'iconv-lite';
import { expect, it } from 'vitest';
import { statementOf, summaryOf } from '../../../support/inputs/statements.ts';

/**
 * Under a wrong code page no header is understood, and the column of balances was taken for the amounts: every line was wrong, and nothing said so.
 * Columns: date, description, out, in, balance.
 */
const LAYOUTS: readonly (readonly [encoding: string, header: string, text: string])[] = [
  ['shift_jis', '日付,摘要,お引出し,お預入れ,残高', '家賃'],
  ['shift_jis', '日付,摘要内容,支払い金額,預かり金額,差引残高', 'カード'],
  ['euc-jp', '取引日,内容,出金金額,入金金額,取引後残高', '給与'],
  ['gb18030', '交易日期,交易摘要,支出金额,收入金额,账户余额', '消费'],
  ['big5', '日期,摘要,支出,存入,餘額', '轉帳手續費'],
  ['euc-kr', '거래일시,적요,출금액,입금액,잔액', '카드'],
  ['windows-1251', 'Дата операции,Описание,Расход,Приход,Остаток', 'Аренда'],
  ['koi8-r', 'Дата операции,Описание,Расход,Приход,Остаток', 'Аренда'],
  ['cp866', 'Дата операции,Описание,Расход,Приход,Остаток', 'Аренда'],
  ['windows-1253', 'Ημερομηνία,Περιγραφή,Χρέωση,Πίστωση,Υπόλοιπο', 'ΑΓΟΡΑ'],
  ['windows-1255', 'תאריך,תיאור,בחובה,בזכות,היתרה', 'העברה'],
  ['windows-1256', 'التاريخ,البيان,مدين,دائن,الرصيد', 'تحويل'],
  ['windows-874', 'วันที่,รายการ,ถอน,ฝาก,คงเหลือ', 'โอนเงิน'],
  ['windows-1254', 'Tarih,Açıklama,Borç,Alacak,Bakiye', 'ŞİŞLİ'],
  ['cp852', 'Datum,Opis plaćanja,Isplata,Uplata,Stanje', 'Čaj'],
  ['utf-16le', '日付,摘要,出金,入金,残高', '振込手数料ミズホ'],
  ['utf-8', 'Tanggal,Keterangan,Keluar,Masuk,Saldo', 'Sewa'],
  ['utf-8', 'Ngày,Diễn giải,Ghi nợ,Ghi có,Số dư', 'Nhà'],
];

it.each(LAYOUTS)('%s: %s', (encoding, header, text) => {
  const rows = [header, `2026/06/01,${text},10.00,,90.00`, `2026/06/02,${text},,5.00,95.00`, `2026/06/03,${text},20.00,,75.00`];
  const statement = statementOf(iconv.encode(`${rows.join('\r\n')}\r\n`, encoding), { currency: 'EUR' });
  expect(summaryOf(statement)).toEqual(['2026-06-01 -1000 EUR', '2026-06-02 500 EUR', '2026-06-03 -2000 EUR']);
  expect([statement.proof, statement.dialect.encoding, statement.lines[0]?.description]).toEqual(['proved', encoding, text]);
});

it.each([
  ['收/支', '支出', '收入'],
  ['Πρόσημο ποσού', 'Χ', 'Π'],
  ['Tipo', 'Saída', 'Entrada'],
  ['Soort', 'Uitgave', 'Inkomst'],
  ['Směr úhrady', 'Odchozí', 'Příchozí'],
])('the direction column %s', (header, out, paidIn) => {
  const rows = [`Date,Text,Amount,${header}`, `2026-06-01,a,1.00,${out}`, `2026-06-02,b,2.00,${paidIn}`];
  expect(summaryOf(statementOf(rows.join('\n'), { currency: 'EUR' }))).toEqual(['2026-06-01 -100 EUR', '2026-06-02 200 EUR']);
});

it('a currency sign beside digits or in a header speaks for the page in which it is one', () => {
  const text = 'Buchungsdatum;Betrag (€);Saldo (€)\n01.06.2026;-10,00 €;90,00 €\n02.06.2026;5,00 €;95,00 €\n03.06.2026;5,00 €;100,00 €\n';
  const statement = statementOf(iconv.encode(text, 'windows-1252'));
  expect([statement.dialect.encoding, statement.currency, statement.proof]).toEqual(['windows-1252', 'EUR', 'proved']);
});
