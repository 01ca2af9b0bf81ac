const MAX_ENTRIES = 200;

/**
 * Figures that take longer than a window of rows: counts for the grids' scroll bars, and summaries. A scroll asks for many
 * windows of one filter, and a run's progress for none of it. A change of the data empties it; progress does not.
 */
export class ViewCache<T> {
  private readonly dataRevision: () => number;
  private readonly values = new Map<string, T>();
  private readAt = -1;

  constructor(dataRevision: () => number) {
    this.dataRevision = dataRevision;
  }

  get(key: unknown, compute: () => T): T {
    const revision = this.dataRevision();
    if (revision !== this.readAt || this.values.size > MAX_ENTRIES) {
      this.values.clear();
      this.readAt = revision;
    }
    const text = JSON.stringify(key);
    const known = this.values.get(text);
    if (known !== undefined) return known;
    const computed = compute();
    this.values.set(text, computed);
    return computed;
  }
}
