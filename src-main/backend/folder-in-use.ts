import { runsUnderWay } from '../book/store/book.ts';
import { holderOf } from '../book/store/folder-lock.ts';

const SHOWN_RUNS = 3;

/** Why a folder cannot be used now: who has it, and what is in progress there. */
export function folderInUse(dataFolder: string): { readonly code: 'folder_in_use'; readonly message: string } {
  const holder = holderOf(dataFolder);
  const whose =
    holder === null
      ? ' The book in it may be open by another path, such as a link.'
      : ` It is process ${holder.pid} (${holder.what}), since ${new Date(holder.sinceMs).toISOString()}.`;
  const runs = runsUnderWay(dataFolder)
    .slice(0, SHOWN_RUNS)
    .map(({ id, reconciliation }) => ` Run ${id} of “${reconciliation}” is in progress there.`);
  const message = `Another Tieout is using the data folder ${dataFolder}: close it first, or choose another folder.${whose}${runs.join('')}`;
  return { code: 'folder_in_use', message };
}
