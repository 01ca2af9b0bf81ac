import type { Log } from '../../platform/ports.ts';

const MINUTE_SECONDS = 60;

/** Messages of a counted warning, and how many of them a minute get a line of their own. */
export interface CountedWords {
  readonly one: string;
  readonly more: string;
  readonly linesAMinute: number;
}

export interface CountedLog {
  readonly warn: (kind: string | number, detail: Readonly<Record<string, unknown>>) => void;
  /** Logs the counts so far and cancels the timer. */
  readonly end: () => void;
}

/**
 * Creates a log for warnings that a stranger can cause. The first ones of a minute get a line each, the rest one line with their counts, so that no
 * client can fill the disk.
 */
export function createCountedLog(log: Log, { one, more, linesAMinute }: CountedWords): CountedLog {
  let logged = 0;
  let counts: Record<string, number> = {};
  let minute: NodeJS.Timeout | null = null;
  const end = (): void => {
    if (minute !== null) clearTimeout(minute);
    minute = null;
    const count = Object.values(counts).reduce((sum, each) => sum + each, 0);
    if (count > 0) log.warning(more, { count, of_which: counts, seconds: MINUTE_SECONDS });
    logged = 0;
    counts = {};
  };
  return {
    warn(kind, detail) {
      minute ??= setTimeout(end, MINUTE_SECONDS * 1_000).unref();
      logged += 1;
      if (logged <= linesAMinute) log.warning(one, detail);
      else counts[kind] = (counts[kind] ?? 0) + 1;
    },
    end,
  };
}
