import { describe, expect, it } from 'vitest';
import { type PeriodState, signed } from '../../../src-main/domain/ledger/index.ts';

const JUNE = { from: 20_605, to: 20_634, reviewedBy: null, isStale: false };
const FIGURES = { unexplained: 5, decimalPlaces: 2, doubts: ['0.05 is unexplained'] };
const PREPARER = 'Amira Patel';

function reviewed(by: string, preparedBy = PREPARER): string {
  const period = { ...JUNE, state: 'prepared' as PeriodState, preparedBy };
  const outcome = signed(period, { kind: 'review', by, reason: null }, FIGURES);
  return outcome.ok ? 'reviewed' : outcome.error.code;
}

describe('a reviewer who can be the preparer is refused', () => {
  it.each([
    ['case and blanks', ' amira   PATEL '],
    ['a blank that cannot be seen', 'Ami\u200Bra Patel'],
    ['a blank of Hangul', 'Amira\u3164Patel'],
    ['a joiner at the end', 'Amira Patel\u2060'],
    ['a direction mark', '\u202EAmira Patel'],
    ['an accent put on', 'Amíra Patel'],
    ['an accent as a mark of its own', 'Ami\u0301ra Patel'],
    ['a Cyrillic letter', 'Аmira Patel'],
    ['several Cyrillic letters', 'Аmіrа Раtеl'],
    ['a Greek letter', 'Αmira Ρatel'],
    ['a small capital', 'ᴀmira Patel'],
    ['small capitals', 'ᴀᴍɪʀᴀ ᴘᴀᴛᴇʟ'],
    ['a letter of the Cherokee', 'Ꭺmira Patel'],
    ['an Armenian letter', 'Amira Տatel'],
    ['full-width letters', 'Ａｍｉｒａ Ｐａｔｅｌ'],
    ['mathematical letters', '𝐀𝐦𝐢𝐫𝐚 𝐏𝐚𝐭𝐞𝐥'],
    ['an l for an i', 'Amlra Patel'],
    ['a digit for a letter', 'Am1ra Patel'],
    ['r and n for an m', 'Arnira Patel'],
    ['another order', 'Patel, Amira'],
    ['punctuation', 'Amira-Patel.'],
    ['no blank', 'AmiraPatel'],
    ['an initial', 'A. Patel'],
    ['two initials', 'A.P.'],
    ['one name alone', 'Amira'],
    ['a name more', 'Amira J. Patel'],
    ['the address of the same person', 'amira.patel@quillmoor.example'],
  ])('%s', (_, by) => {
    expect(reviewed(by)).toBe('same_person');
    expect(reviewed(PREPARER, by)).toBe('same_person');
  });

  it('another person may review, also one with a name in common', () => {
    for (const by of ['Ben Ode', 'Tom Whitfield', 'Amira Pandey', 'Anil Patel', 'B. Patel', '李 明', 'Иван Петров', 'Æmilia Patel'])
      expect(reviewed(by)).toBe('reviewed');
    expect(reviewed('Clerk 2', 'Clerk 1')).toBe('reviewed');
    expect(reviewed('李 明', '王 明')).toBe('reviewed');
    expect(reviewed('Паша Титова', 'Даша Титова')).toBe('reviewed');
    expect(reviewed('Żaneta Wąs', 'Łaneta Wąs')).toBe('reviewed');
  });

  it('a name without a letter that can be seen is none', () => {
    for (const by of ['...', '\u3164', '\u200B\u2060', '12', '́']) expect(reviewed(by)).toBe('name_missing');
  });
});

describe('a reason is in words', () => {
  const of = (kind: 'close' | 'reopen', reason: string): string => {
    const state: PeriodState = kind === 'close' ? 'reviewed' : 'closed';
    const outcome = signed({ ...JUNE, state, preparedBy: PREPARER }, { kind, by: 'Ben Ode', reason }, FIGURES);
    return outcome.ok ? 'signed' : outcome.error.code;
  };

  it.each(['.', '--', '12.00', ' ', '\u200B', '!?'])('%s is none', (reason) => {
    expect(of('close', reason)).toBe('unexplained_difference');
    expect(of('reopen', reason)).toBe('reason_missing');
  });

  it('one letter is enough', () => {
    expect([of('close', 'x'), of('reopen', '見')]).toEqual(['signed', 'signed']);
  });
});
