import { phrase } from '../../../src-shared/words/say.ts';
import { newestBackup } from './backup-files.ts';

/** Returns a path as a shell takes it. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `"${text.replaceAll(/["$`\\]/g, '\\$&')}"`;
}

/** Returns a local time such as `2026-06-30 08:00`. */
function momentText(atMs: number): string {
  const at = new Date(atMs);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function restoreCommand(backup: string, dataFolder: string, replaces: boolean): string {
  return `tieout restore ${shellWord(backup)} --data ${shellWord(dataFolder)}${replaces ? ' --replace' : ''}`;
}

/** Returns a sentence about a backup with the newest one named. */
export function namingNewest(sentence: string, dataFolder: string): string {
  const newest = newestBackup(dataFolder);
  if (newest === null) return sentence;
  const named = phrase('book.restoreAdvice.fromTheNewestBackupOf', {
    moment: momentText(newest.madeAtMs),
    restoreCommand: restoreCommand(newest.file, dataFolder, true),
  });
  return sentence.replace(/(\brestore (?:it|the book)) from a backup/, (_, words: string) => `${words} ${named}`);
}

/** Returns how to restore the newest backup, in a sentence; `replaces` says that a file is in the book's place. */
export function restoreAdvice(dataFolder: string, replaces: boolean): string {
  const newest = newestBackup(dataFolder);
  if (newest === null)
    return phrase('book.restoreAdvice.noBackupOfItIsKept', { restoreCommand: restoreCommand('FILE', dataFolder, replaces) });
  const holds = newest.facts === null ? '' : `, which holds ${newest.facts.records} ${newest.facts.records === 1 ? 'record' : 'records'}`;
  return phrase('book.restoreAdvice.restoreTheNewestBackupOf', {
    moment: momentText(newest.madeAtMs),
    holds,
    restoreCommand: restoreCommand(newest.file, dataFolder, replaces),
  });
}
