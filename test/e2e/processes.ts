import fs from 'node:fs';

/** A process. Its id and its start time together are never used twice. */
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

/** Reads the status of a process from `/proc`, which only Linux has. Returns null when the process has ended. */
function statusOf(id: number): Status | null {
  try {
    const text = fs.readFileSync(`/proc/${id}/stat`, 'utf8');
    // The name in brackets may contain spaces and brackets, so the fields begin after the last bracket.
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

/** Returns a process and all its descendants. */
export function processTree(rootId: number): ProcessMark[] {
  const ids = fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(ids.map((id) => [id, statusOf(id)?.parent ?? 0]));
  const isBelow = (id: number): boolean => id === rootId || (id > 1 && isBelow(parents.get(id) ?? 0));
  return ids.filter(isBelow).map((id) => ({ id, startedTicks: statusOf(id)?.startedTicks ?? '', command: commandOf(id) }));
}

/** Returns the processes that still run. A zombie counts as ended: its parent has only not read its exit code yet. */
export function stillRunning(marks: readonly ProcessMark[]): ProcessMark[] {
  return marks.filter((mark) => {
    const status = statusOf(mark.id);
    return status !== null && status.startedTicks === mark.startedTicks && status.state !== 'Z';
  });
}
