/**
 * Returns the results of up to 20 attempts, which end once `wanted` is among them. A thread that runs already may finish a short file before it gets
 * the signal to stop.
 */
export async function untilSeen<End>(wanted: End, attempt: () => Promise<End>): Promise<ReadonlySet<End>> {
  const seen = new Set<End>();
  for (let tries = 0; tries < 20 && !seen.has(wanted); tries += 1) seen.add(await attempt());
  return seen;
}
