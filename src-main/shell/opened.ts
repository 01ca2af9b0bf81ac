import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { ChosenFile, Opened, Outcome } from '../../src-shared/contract/wire.ts';
import type { Log } from '../platform/ports.ts';
import type { EnvironmentName } from '../service/handler.ts';

/** Scheme of links into the window, such as `tieout://reconciliations/1/close`. */
const LINK_SCHEME = 'tieout';

/** Returns the place of a link into the window, as the address of the window names it behind `#`, or null where the text is no such link. */
export function placeOfLink(text: string): string | null {
  const prefix = `${LINK_SCHEME}://`;
  return text.toLowerCase().startsWith(prefix) ? `/${text.slice(prefix.length).replace(/^\/+/, '')}` : null;
}

type BookAt = (place: string) => string | null;

interface OpenedThingsOptions {
  /** The folder of the program, whose own script is an argument of a start from sources. */
  readonly programFolder: string;
  /** Returns a token for a file, by which the window names it. */
  readonly registerFile: (file: string) => Promise<Outcome<ChosenFile>>;
  /** Returns the folder of the book that a file or a folder stands for; null for any other. */
  readonly bookAt: BookAt;
  /** Opens the book of a folder in the window. */
  readonly openBook: (folder: string) => void;
  /** Called when there is something to take. */
  readonly onOpened: () => void;
  /** Called with one sentence for each file that cannot be used. */
  readonly onRefused: (name: string, message: string) => void;
  readonly log: Log;
}

/** Keeps the files and the last link that the system asked the application to open, until the window takes them. */
export interface OpenedThings {
  /** Adds the files and links among the arguments of a start; file names may be relative to `folder`. */
  readonly add: (args: readonly string[], folder: string) => void;
  readonly take: () => Promise<Opened>;
}

export function createOpenedThings({
  programFolder,
  bookAt,
  openBook,
  registerFile,
  onOpened,
  onRefused,
  log,
}: OpenedThingsOptions): OpenedThings {
  const files = new Set<string>();
  let place: string | null = null;
  return {
    add(args, folder) {
      for (const each of args) {
        const link = placeOfLink(each);
        const file = path.resolve(folder, each);
        const book = link === null ? bookAt(file) : null;
        if (link !== null) place = link;
        else if (book !== null) openBook(book);
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

interface ShellArguments {
  /** Absolute path of the book's folder. */
  readonly dataFolder: string;
  /** Whether the caller named the folder; else it is the user's own book. */
  readonly isNamed: boolean;
  readonly environment: EnvironmentName;
  /** The other arguments, among which are files and links to open. */
  readonly named: readonly string[];
}

/** How the book of a start without a name is found. */
interface BookSearch {
  readonly bookAt: BookAt;
  /** Returns the book that a person chose last; null where there is none. */
  readonly chosen: () => string | null;
}

/**
 * Returns what the application was started with. `--data DIR` overrides `TIEOUT_DATA`, which overrides a book that is opened with Tieout, then the one
 * that was chosen last, then `book` in the user's own folder. Unknown arguments are ignored, because Electron has arguments of its own.
 */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  userFolder: string,
  search?: BookSearch,
): ShellArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { data: { type: 'string' }, environment: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  const named = typeof values['data'] === 'string' && values['data'] !== '' ? values['data'] : environment['TIEOUT_DATA'];
  const isNamed = named !== undefined && named !== '';
  const opened = isNamed ? undefined : positionals.find((each) => (search?.bookAt(path.resolve(each)) ?? null) !== null);
  const found = opened === undefined ? (search?.chosen() ?? null) : (search?.bookAt(path.resolve(opened)) ?? null);
  return {
    dataFolder: isNamed ? path.resolve(named) : (found ?? path.join(userFolder, 'book')),
    isNamed,
    environment: values['environment'] === 'test' ? 'test' : 'live',
    named: positionals.filter((each) => each !== opened),
  };
}
