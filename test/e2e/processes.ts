import fs from 'node:fs';

/** A running process: its id and the moment it began, which together are never used twice. */
interface ProcessMark {
  readonly id: number;
  readonly startedTicks: string;
  readonly command: string;
}

interface Status {
  readonly parent: number;
  readonly startedTicks: string;
  readonly state: string;
}

/** What `/proc` tells of a process; null when it is gone. Linux alone has it. */
function statusOf(id: number): Status | null {
  try {
    const text = fs.readFileSync(`/proc/${id}/stat`, 'utf8');
    // The name in brackets may hold spaces and brackets; the rest begins after the last one.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', parent: Number(fields[1]), startedTicks: fields[19] ?? '' };
  } catch {
    return null;
  }
}

function commandOf(id: number): string {
  try {
    return fs.readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return '';
  }
}

/** A process and everything that it started, directly or not. */
export function processTree(rootId: number): ProcessMark[] {
  const ids = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(ids.map((id) => [id, statusOf(id)?.parent ?? 0]));
  const isBelow = (id: number): boolean => id === rootId || (id > 1 && isBelow(parents.get(id) ?? 0));
  return ids.filter(isBelow).map((id) => ({ id, startedTicks: statusOf(id)?.startedTicks ?? '', command: commandOf(id) }));
}

/** Those that still run. A zombie waits only for its parent to read its exit code. */
export function stillRunning(marks: readonly ProcessMark[]): ProcessMark[] {
  return marks.filter((mark) => {
    const status = statusOf(mark.id);
    return status !== null && status.startedTicks === mark.startedTicks && status.state !== 'Z';
  });
}
