import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { decodeText } from '../../../../src-main/domain/statement/read.ts';

const HEADER = 'Date;Beschreibung;Betrag;Saldo\n';
const line = (day: number, text: string) => `2026-03-${String(day).padStart(2, '0')};${text};-12,50;100,00\n`;

function decode(...parts: readonly (readonly [string, string])[]) {
  const decoded = decodeText(Buffer.concat(parts.map(([text, encoding]) => iconv.encode(text, encoding))));
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

test('lines in UTF-8 and lines in a legacy code page are each read as what they are', () => {
  const first = HEADER + line(1, 'Müller Käse') + line(2, 'Café Zürich');
  const second = line(3, 'Bäckerei Groß') + line(4, 'Überweisung Jörg');
  const { text, encoding, problems } = decode([first, 'utf-8'], [second, 'windows-1252']);
  expect(text).toBe(first + second);
  expect(encoding).toBe('utf-8');
  expect(problems).toMatchObject([{ code: 'encoding_mixed', severity: 'note' }]);
  expect(problems[0]?.message).toContain('2 are not, the first of them line 4: they are read as windows-1252');
});

test('a single such line is named', () => {
  const { text, problems } = decode([HEADER + line(1, 'Müller'), 'utf-8'], [line(2, 'Groß'), 'windows-1252'], [line(3, 'Zürich'), 'utf-8']);
  expect(text).toContain('Groß');
  expect(problems[0]?.message).toContain('line 3 is read as windows-1252');
});

test.each([
  ['windows-1252', ['Müller', 'Groß', 'Zürich', 'Café', 'Überweisung', 'Jörg']],
  ['windows-1251', ['Оплата услуг', 'Перевод средств', 'Зарплата', 'Комиссия банка', 'Возврат', 'Поступление']],
  ['gb18030', ['工资', '一般转账', '支付宝', '手续费', '利息收入', '还款']],
  ['shift_jis', ['振込', '手数料', '給与', '口座振替', '利息', '現金引出']],
] as const)('a file that is %s throughout is not read as a mixture', (encoding, words) => {
  const text = HEADER.replace('Beschreibung', 'Text') + words.map((word, day) => line(day + 1, word)).join('');
  expect(decode([text, encoding]).problems).toMatchObject([{ code: 'encoding_assumed' }]);
});
