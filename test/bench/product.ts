import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const ENTRY = path.join(REPOSITORY, 'src-main/launch.mjs');

/** Runs one command of the product and answers its JSON document and how long the process took, in milliseconds. */
export function run(
  args: readonly string[],
  onStarted: (processId: number) => void = () => undefined,
): Promise<{ readonly document: unknown; readonly elapsedMs: number }> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [ENTRY, ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.pid !== undefined) onStarted(child.pid);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      if (code !== 0) reject(new Error(`${args[0] ?? ''} ended with ${code}`));
      else resolve({ document: JSON.parse(text), elapsedMs: performance.now() - startedMs });
    });
  });
}

/** Between two looks at a process's memory. */
const LOOK_AT_MEMORY_MS = 100;

/** The most memory that a process had so far, in MiB; not a number where the system does not tell. */
function peakMibOf(processId: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${processId}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** Returns how a process ended, and the most memory that it had, in MiB. */
export async function peakOf<T>(
  start: (onStarted: (processId: number) => void) => Promise<T>,
): Promise<{ readonly ended: T; readonly peakMib: number }> {
  let peakMib = Number.NaN;
  let looking: NodeJS.Timeout | undefined;
  const ended = await start((processId) => {
    looking = setInterval(() => {
      const now = peakMibOf(processId);
      if (!Number.isNaN(now)) peakMib = now;
    }, LOOK_AT_MEMORY_MS);
  });
  clearInterval(looking);
  return { ended, peakMib };
}

export interface Served {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly uiUrl: string;
  readonly apiKey: string;
  readonly stop: () => Promise<void>;
}

/** Starts `serve` and answers once it has printed its line. */
export async function serve(folder: string): Promise<Served> {
  // Questions are asked as fast as they are answered; the limit is not what is measured.
  const child = spawn(process.execPath, [ENTRY, 'serve', '--data', folder, '--port', '0', '--requests-per-second', '1000000', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) resolve(text);
    });
    child.once('close', (code) => reject(new Error(`serve ended with ${code}`)));
  });
  const printed = JSON.parse(line) as { base_url: string; ui_url: string; api_key: string };
  return {
    child,
    baseUrl: printed.base_url,
    uiUrl: printed.ui_url,
    apiKey: printed.api_key,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** One question to `/v1`, and its answer's JSON; throws what the service says against it. */
export async function ask<T>({ baseUrl, apiKey }: Served, method: string, url: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${baseUrl}${url}`, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const rounded = (value: number): number => Math.round(value * 100) / 100;

const TICKS_PER_SECOND = 100;
const LOOK_MS = 250;
/** Longer than the quiet that background work waits for. */
const QUIET_LOOKS = 14;

/** Once what the start of a book sets going in the background (packing, the index of words) is over. */
export async function settled(served: Served): Promise<void> {
  for (let quiet = 0; quiet < QUIET_LOOKS;) {
    const before = process.hrtime.bigint();
    const { cpuMs } = cpuOf(served.child.pid ?? 0);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const elapsedMs = Number(process.hrtime.bigint() - before) / 1e6;
    quiet = cpuOf(served.child.pid ?? 0).cpuMs - cpuMs < elapsedMs * 0.1 ? quiet + 1 : 0;
  }
}

function cpuOf(pid: number): { readonly cpuMs: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return { cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND };
  } catch {
    return { cpuMs: 0 };
  }
}
