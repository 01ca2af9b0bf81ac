import { dayFromParts } from '../../../../src-shared/values/civil-date.ts';

/** Years that a statement may have. Any other year is a typing error or of another calendar. */
const YEARS = { first: 1000, last: 2199 } as const;
/** Years of the Buddhist era, as Thailand counts them: no statement is from that far ahead. */
const BUDDHIST = { first: 2443, last: 2742, ahead: 543 } as const;
/** Year 1 of the Republic of China, as Taiwan counts, is 1912; its years have three digits until 2910. */
const MINGUO = /^(1\d\d)([-/.])(\d{1,2})\2(\d{1,2})$/;
const MINGUO_BEHIND = 1911;
const ERA = /^(令和|平成|昭和|[RHS])\s?(\d{1,2}|元)([-/.]|年)(\d{1,2})(?:[-/.]|月)(\d{1,2})日?$/i;
/** The year before year 1 of each Japanese era. */
const ERAS: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925, R: 2018, H: 1988, S: 1925 };

/** Returns the day of a year, month and day that exists on the calendar and may be on a statement, else null. */
export function statementDay(year: number, month: number, day: number): number | null {
  const common = year >= BUDDHIST.first && year <= BUDDHIST.last ? year - BUDDHIST.ahead : year;
  return common < YEARS.first || common > YEARS.last ? null : dayFromParts(common, month, day);
}

/** Returns the day of a date in years of Taiwan (113/01/31) or of a Japanese era (R6.1.31, 令和6年1月31日); null where the text is neither. */
export function dayOfEra(text: string): number | null {
  const minguo = MINGUO.exec(text);
  if (minguo !== null) return statementDay(Number(minguo[1]) + MINGUO_BEHIND, Number(minguo[3]), Number(minguo[4]));
  const found = ERA.exec(text);
  if (found === null) return null;
  const before = ERAS[(found[1] ?? '').toUpperCase()] ?? 0;
  return statementDay(before + (found[2] === '元' ? 1 : Number(found[2])), Number(found[4]), Number(found[5]));
}
