import { expect, it } from 'vitest';
import { lines, statementOf } from '../../../support/inputs/statements.ts';

/** Of columns without a header the longest was the description: the IBAN of the other party, and not the purpose. */

const PURPOSES = ['Rent June', 'Invoice 4711', 'Coffee', 'Salary', 'Card 17'];
const AMOUNTS = ['-900,00', '-47,11', '-3,50', '2500,00', '-12,00'];
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  'an IBAN': [
    'DE89370400440532013000',
    'NL91ABNA0417164300',
    'GB29NWBK60161331926819',
    'FR1420041010050500013M02606',
    'DE12500105170648489890',
  ],
  'an IBAN in groups': [
    'DE89 3704 0044 0532 0130 00',
    'NL91 ABNA 0417 1643 00',
    'GB29 NWBK 6016 1331 9268 19',
    '',
    'DE12 5001 0517 0648 4898 90',
  ],
  'an IBAN with its name': ['IBAN: DE89370400440532013000', 'IBAN: NL91ABNA0417164300', 'IBAN: GB29NWBK60161331926819', '', ''],
  'a code of a bank': ['COBADEFFXXX', 'ABNANL2AXXX', 'NWBKGB2LXXX', 'BNPAFRPPXXX', 'INGDDEFFXXX'],
  'an id': [
    'urn:uuid:123e4567-e89b',
    'urn:uuid:223e4567-e89b',
    'urn:uuid:323e4567-e89b',
    'urn:uuid:423e4567-e89b',
    'urn:uuid:523e4567-e89b',
  ],
  'a kind that comes again': ['SEPA DIRECT DEBIT', 'SEPA DIRECT DEBIT', 'CARD PAYMENT', 'SEPA DIRECT DEBIT', 'CARD PAYMENT'],
};

it.each(Object.entries(NUMBERS))('the purpose is the description, and not %s', (_, numbers) => {
  for (const order of [0, 1]) {
    for (const head of [[], ['Datum;Foo;Bar;Betrag']]) {
      const rows = PURPOSES.map((purpose, at) => {
        const cells = order === 0 ? [numbers[at] ?? '', purpose] : [purpose, numbers[at] ?? ''];
        return `0${at + 1}.06.2026;${cells.join(';')};${AMOUNTS[at]}`;
      });
      const statement = statementOf(lines(...head, ...rows), { currency: 'EUR' });
      expect(statement.lines.map(({ description }) => description)).toEqual(PURPOSES);
    }
  }
});

it('an account is the description where there is no other text', () => {
  const rows = ['01.06.2026;DE89370400440532013000;-9,00', '02.06.2026;NL91ABNA0417164300;-1,00'];
  expect(statementOf(lines(...rows), { currency: 'EUR' }).lines[0]?.description).toBe('DE89370400440532013000');
});
