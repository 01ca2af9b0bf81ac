const MAX_ENTRIES = 200;

/**
 * Counts for the grids' scroll bars: counting a million lines takes longer than reading a window of them, and a scroll
 * asks for many windows of one filter. An event of any kind of change empties it.
 */
export class CountCache {
  private readonly revision: () => number;
  private readonly counts = new Map<string, number>();
  private countedAt = -1;

  constructor(revision: () => number) {
    this.revision = revision;
  }

  count(key: unknown, compute: () => number): number {
    const revision = this.revision();
    if (revision !== this.countedAt || this.counts.size > MAX_ENTRIES) {
      this.counts.clear();
      this.countedAt = revision;
    }
    const text = JSON.stringify(key);
    const known = this.counts.get(text);
    if (known !== undefined) return known;
    const counted = compute();
    this.counts.set(text, counted);
    return counted;
  }
}
