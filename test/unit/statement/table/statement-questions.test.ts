import { describe, expect, it, test } from 'vitest';
import { openBesideCurrency, readText, statementOf, summaryOf } from '../../../support/inputs/statements.ts';

/** In order under either reading, and with nothing that tells where the file is from. */
const EVEN = 'Date,Description,Amount\n01/02/2026,Rent,-10.00\n02/03/2026,Fee,-5.00\n';

describe('the order of dates', () => {
  it('raises a question where nothing decides it, with the dates under each answer', () => {
    expect(openBesideCurrency(statementOf(EVEN))).toEqual([
      {
        about: 'date_order',
        column: 'Date',
        message:
          'The dates can be read day first or month first, and nothing in the file decides: 01/02/2026 is 2026-02-01 or 2026-01-02. Say which is right.',
        taken: 'dmy',
        choices: [
          {
            value: 'dmy',
            label: 'day first',
            examples: [
              { written: '01/02/2026', read: '2026-02-01' },
              { written: '02/03/2026', read: '2026-03-02' },
            ],
          },
          {
            value: 'mdy',
            label: 'month first',
            examples: [
              { written: '01/02/2026', read: '2026-01-02' },
              { written: '02/03/2026', read: '2026-02-03' },
            ],
          },
        ],
      },
    ]);
  });

  it('offers the year first where the digits allow it', () => {
    const [question] = openBesideCurrency(statementOf('Date,Amount\n01/02/03,10.00\n'));
    expect(question?.choices.map(({ value }) => value)).toEqual(['dmy', 'mdy', 'ymd']);
  });

  test.each([
    ['the rows are in order under one reading alone', `${EVEN}03/01/2026,Tea,-1.00\n`, {}],
    ['a currency that the file names', EVEN.replaceAll('.00', '.00 GBP'), {}],
    ['the currency of the user', EVEN, { currency: 'EUR' }],
    ['decimals behind a comma', EVEN.replaceAll(',', ';').replaceAll('.00', ',00'), {}],
    ["the day in the file's name", EVEN, { filename: 'export_20260204.csv' }],
    ['days above twelve', EVEN.replace('02/03', '13/03'), {}],
  ])('is not asked for where something decides: %s', (_, text, options) => {
    expect(openBesideCurrency(statementOf(text, options))).toEqual([]);
  });

  const dated = (...dates: readonly string[]): string =>
    `Date,Details,Amount\n${dates.map((date, at) => `${date},Tea ${at},-1.00\n`).join('')}`;

  it.each([
    ['one day in dollars', dated('03/06/2026'), 'USD', 'mdy'],
    ['one day in Canadian dollars', dated('03/06/2026'), 'CAD', 'mdy'],
    ['dollars with a decimal comma', dated('03/06/2026').replaceAll(',', ';').replace('1.00', '1,00'), 'USD', 'mdy'],
    ['days in dollars that follow one another day first', dated('03/06/2026', '04/06/2026', '05/06/2026'), 'USD', 'dmy'],
    ['the third of each month in pounds', dated('03/01/2026', '03/02/2026', '03/03/2026', '03/04/2026'), 'GBP', 'mdy'],
    ['three rows in pounds that run month first', dated('01/05/2026', '02/07/2026', '03/06/2026'), 'GBP', 'mdy'],
    ['but not for three rows in dollars that run so', dated('01/05/2026', '02/07/2026', '03/06/2026'), 'USD', null],
    ['nor for one day in pounds', dated('03/06/2026'), 'GBP', null],
  ])('is asked for where the usual order decides nothing, or contradicts the rows: %s', (_, text, currency, taken) => {
    const { questions } = statementOf(text, { currency });
    expect(questions.map((question) => [question.about, question.taken])).toEqual(taken === null ? [] : [['date_order', taken]]);
  });

  it('is that of the answer, whatever the file shows', () => {
    const said = statementOf(EVEN, { answers: { date_order: 'mdy' } });
    expect([openBesideCurrency(said), summaryOf(said)]).toEqual([[], ['2026-01-02 -1000 XXX', '2026-02-03 -500 XXX']]);
    expect(said.table?.recipe.date_order).toBe('mdy');
    const other = statementOf(EVEN, { answers: { date_order: 'dmy' }, recipe: said.table?.recipe });
    expect(summaryOf(other)[0]).toBe('2026-02-01 -1000 XXX');
  });
});

describe('a QIF file', () => {
  const QIF = '!Type:Bank\nD01/04/12\nT1.00\n^\n';

  it('has the order of dates of the format, unless its currency indicates another one', () => {
    expect(summaryOf(statementOf(QIF))).toEqual(['2012-01-04 100 XXX']);
    expect(openBesideCurrency(statementOf(QIF))).toEqual([]);
    const asked = statementOf(QIF, { currency: 'GBP' });
    expect(asked.questions).toMatchObject([{ about: 'date_order', column: 'D', taken: 'dmy' }]);
    const said = statementOf(QIF, { currency: 'GBP', answers: { date_order: 'dmy' } });
    expect([said.questions, summaryOf(said)]).toEqual([[], ['2012-04-01 100 GBP']]);
  });

  it('checks the order of rows for each account', () => {
    const account = (name: string, dates: readonly string[]) =>
      `!Account\nN${name}\n^\n!Type:Bank\n${dates.map((date) => `D${date}\nT1.00\n^\n`).join('')}`;
    const text = account('One', ['01/05/07', '02/04/07']) + account('Two', ['01/06/07', '01/07/07']);
    expect(summaryOf(statementOf(text, { currency: 'GBP' }))[0]).toBe('2007-01-05 100 GBP');
  });
});

describe('the decimal mark', () => {
  const AMOUNTS = 'Date,Details,Amount\n2026-06-13,Rent,"1,500"\n2026-06-14,Fee,"2,250"\n';

  it('is asked for where the currency has three decimals, and taken for thousands elsewhere', () => {
    expect(statementOf(AMOUNTS, { currency: 'EUR' })).toMatchObject({
      questions: [],
      problems: [{ code: 'signs_assumed' }, { code: 'decimal_mark_assumed' }],
    });
    const asked = statementOf(AMOUNTS, { currency: 'KWD' });
    expect(asked.questions).toMatchObject([
      {
        about: 'decimal_mark',
        column: 'Amount',
        choices: [
          { value: '.', examples: [{ written: '1,500', read: '1500.000 KWD' }, {}] },
          { value: ',', examples: [{ written: '1,500', read: '1.500 KWD' }, {}] },
        ],
      },
    ]);
    expect(asked.problems).toMatchObject([{ code: 'signs_assumed' }]);
    expect(summaryOf(statementOf(AMOUNTS, { currency: 'KWD', answers: { decimal_mark: ',' } }))[0]).toBe('2026-06-13 1500 KWD');
  });
});

describe('two columns that nothing names', () => {
  const PAIR = '2026-06-13,Rent,,10.00\n2026-06-14,Fee,5.00,\n2026-06-15,Tea,,2.00\n2026-06-16,Sale,7.00,\n';

  it('raise a question where both have as many filled cells', () => {
    const asked = statementOf(PAIR, { currency: 'EUR' });
    expect(asked.questions).toMatchObject([{ about: 'sign_model', choices: [{ value: 'columns' }, { value: 'columns_swapped' }] }]);
    const [one, other] = (['columns', 'columns_swapped'] as const).map((sign_model) =>
      statementOf(PAIR, { currency: 'EUR', answers: { sign_model } }),
    );
    expect([one?.questions, other?.questions]).toEqual([[], []]);
    expect(one?.lines.map(({ direction }) => direction)).not.toEqual(other?.lines.map(({ direction }) => direction));
    expect(openBesideCurrency(statementOf(`${PAIR}2026-06-17,Bus,,1.00\n`))).toEqual([]);
  });

  it('accept no answer about signs of another kind of table', () => {
    const read = readText(EVEN, { answers: { sign_model: 'columns' } });
    expect(read).toMatchObject({ ok: false, error: { code: 'answer_does_not_fit', message: expect.stringContaining('one column holds') } });
  });
});
