/** Months since 1970-01. */
export function monthOf(day: number): number {
  const date = new Date(day * 86_400_000);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** Mon-Fri steps since Monday 1969-12-29; a weekend's days count as the Monday after them. */
export function businessDayOf(day: number): number {
  const sinceMonday = day + 3;
  const week = Math.floor(sinceMonday / 7);
  return week * 5 + Math.min(sinceMonday - week * 7, 5);
}
