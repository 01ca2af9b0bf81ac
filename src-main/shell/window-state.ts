// Apart from window.ts, which imports Electron: tests of this run where its runtime is not.
import fs from 'node:fs';
import path from 'node:path';

/** Place and size of the window, in screen pixels. */
interface WindowState {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly isMaximized: boolean;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const SMALLEST_SHOWN_PIXELS = 100;

function isState(value: unknown): value is WindowState {
  if (typeof value !== 'object' || value === null) return false;
  const state = value as Record<string, unknown>;
  return ['x', 'y', 'width', 'height'].every((name) => Number.isSafeInteger(state[name])) && typeof state['isMaximized'] === 'boolean';
}

/** Whether enough of the window is on a screen to be moved with the mouse. A screen may have been unplugged since. */
export function isOnAScreen(state: Rectangle, screens: readonly Rectangle[]): boolean {
  return screens.some((screen) => {
    const across = Math.min(state.x + state.width, screen.x + screen.width) - Math.max(state.x, screen.x);
    const down = Math.min(state.y + state.height, screen.y + screen.height) - Math.max(state.y, screen.y);
    return across >= SMALLEST_SHOWN_PIXELS && down >= SMALLEST_SHOWN_PIXELS;
  });
}

/** Returns the stored state, or null when there is none that can be used. */
export function readWindowState(file: string, screens: readonly Rectangle[]): WindowState | null {
  try {
    const state: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    return isState(state) && isOnAScreen(state, screens) ? state : null;
  } catch {
    return null;
  }
}

/** Stores the state of the window. A failure to write is ignored. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(state));
  } catch {
    // Ignored: the next start then opens the window at its default place.
  }
}
