/** What came of up to 20 tries: a thread that is there already may be done with a few lines before it is told to stop. */
export async function untilSeen<End>(wanted: End, attempt: () => Promise<End>): Promise<ReadonlySet<End>> {
  const seen = new Set<End>();
  for (let tries = 0; tries < 20 && !seen.has(wanted); tries += 1) seen.add(await attempt());
  return seen;
}
