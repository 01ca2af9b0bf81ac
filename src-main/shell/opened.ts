import fs from 'node:fs';
import path from 'node:path';
import type { ChosenFile, Opened, Outcome } from '../../src-shared/contract/wire.ts';
import type { Log } from '../platform/ports.ts';

/** Scheme of links into the window, such as `tieout://reconciliations/1/close`. */
const LINK_SCHEME = 'tieout';

/** Returns the place of a link into the window, as the address of the window names it behind `#`, or null where the text is no such link. */
export function placeOfLink(text: string): string | null {
  const prefix = `${LINK_SCHEME}://`;
  return text.toLowerCase().startsWith(prefix) ? `/${text.slice(prefix.length).replace(/^\/+/, '')}` : null;
}

interface OpenedThingsOptions {
  /** The folder of the program, whose own script is an argument of a start from sources. */
  readonly programFolder: string;
  /** Returns a token for a file, by which the window names it. */
  readonly registerFile: (file: string) => Promise<Outcome<ChosenFile>>;
  /** Called when there is something to take. */
  readonly onOpened: () => void;
  /** Called with one sentence for each file that cannot be used. */
  readonly onRefused: (name: string, message: string) => void;
  readonly log: Log;
}

/** What the system asked the application to open, until the window takes it: files that belong to it by their type, and the last link. */
export interface OpenedThings {
  /** Adds the files and links among the arguments of a start; file names may be relative to `folder`. */
  readonly add: (args: readonly string[], folder: string) => void;
  readonly take: () => Promise<Opened>;
}

export function createOpenedThings({ programFolder, registerFile, onOpened, onRefused, log }: OpenedThingsOptions): OpenedThings {
  const files = new Set<string>();
  let place: string | null = null;
  return {
    add(args, folder) {
      for (const each of args) {
        const link = placeOfLink(each);
        const file = path.resolve(folder, each);
        if (link !== null) place = link;
        else if (!file.startsWith(programFolder + path.sep) && fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true)
          files.add(file);
      }
      if (place !== null || files.size > 0) onOpened();
    },
    async take() {
      const [taken, link] = [[...files], place];
      files.clear();
      place = null;
      const chosen: ChosenFile[] = [];
      for (const file of taken) {
        const registered = await registerFile(file);
        if (registered.ok) chosen.push(registered.value);
        else onRefused(path.basename(file), registered.error.message);
      }
      if (taken.length > 0 || link !== null) log.info('Opened from the system', { files: taken.length, link: link !== null });
      return { files: chosen, place: link };
    },
  };
}
