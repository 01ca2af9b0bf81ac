import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const mount = (folder: string, options: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tieout-test', folder], { stdio: 'ignore' });
export const unmount = (folder: string) => execFileSync('umount', ['-l', folder], { stdio: 'ignore' });

/** Whether this process may mount a small disk; the test is registered only then. */
export function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'tieout-mount-'));
  try {
    mount(folder, 'size=64k');
    unmount(folder);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
