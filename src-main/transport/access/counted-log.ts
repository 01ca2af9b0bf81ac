import type { Log } from '../../platform/ports.ts';

const MINUTE_SECONDS = 60;

/** The words of what is told, once and for many, and how many a minute are told one by one. */
export interface CountedWords {
  readonly one: string;
  readonly more: string;
  readonly linesAMinute: number;
}

export interface CountedLog {
  readonly tell: (kind: string | number, detail: Readonly<Record<string, unknown>>) => void;
  /** Tells what is counted so far; nothing waits any more. */
  readonly end: () => void;
}

/** Warnings that a stranger can cause: the first of a minute are told one by one, the rest as one line with their numbers, so that nobody fills the disk with lines. */
export function createCountedLog(log: Log, { one, more, linesAMinute }: CountedWords): CountedLog {
  let told = 0;
  let counts: Record<string, number> = {};
  let minute: NodeJS.Timeout | null = null;
  const end = (): void => {
    if (minute !== null) clearTimeout(minute);
    minute = null;
    const count = Object.values(counts).reduce((sum, each) => sum + each, 0);
    if (count > 0) log.warning(more, { count, of_which: counts, seconds: MINUTE_SECONDS });
    told = 0;
    counts = {};
  };
  return {
    tell(kind, detail) {
      minute ??= setTimeout(end, MINUTE_SECONDS * 1_000).unref();
      told += 1;
      if (told <= linesAMinute) log.warning(one, detail);
      else counts[kind] = (counts[kind] ?? 0) + 1;
    },
    end,
  };
}
