import type { SyncContext } from './context.ts';
import { agreedOn } from './agreed.ts';
import type { Link } from './links.ts';
import { cannotMove, staysThere } from './told.ts';
import { nameOf } from './conflict-words.ts';
import type { Pair } from './pairs.ts';

const WAITS_HERE = 'Some of its lines may be lines there in other words: it goes once a person has decided.';
const WAITS_THERE = 'Some of its lines may be lines here in other words: it comes once a person has decided.';

/** Whether a person is to say first what some lines of a file are: until then it stays where it is, with all that it states. */
export async function isFileWaiting(context: SyncContext, { ours, theirs }: Pair): Promise<boolean> {
  const { waiting, local, remote } = context;
  if (ours !== null && theirs === null && waiting.here.size > 0) {
    if (!(await local.linesOfFile(ours.key)).some((id) => waiting.here.has(id))) return false;
    cannotMove(context, 'imports', nameOf('imports', ours), WAITS_HERE, ours.id);
    return true;
  }
  if (ours === null && theirs !== null && waiting.there.size > 0) {
    if (!(await remote.side.linesOfFile(theirs.key)).some((id) => waiting.there.has(String(id)))) return false;
    staysThere(context, 'imports', nameOf('imports', theirs), WAITS_THERE);
    return true;
  }
  return false;
}

function linkOf({ links }: SyncContext, { ours, theirs, link }: Pair): Link | undefined {
  const all = links('imports');
  return (ours === null ? undefined : all.ofLocal(ours.id)) ?? (theirs === null ? undefined : all.ofRemote(theirs.key)) ?? link;
}

/**
 * Tells each side which of its lines came by a file that the other one imported. The link knows the file's fields only from then on, so a sync that ends before
 * does it once more.
 */
export async function carryLines(context: SyncContext, pair: Pair): Promise<void> {
  const { local, remote, links, preview } = context;
  const link = linkOf(context, pair);
  const fields = (pair.ours ?? pair.theirs)?.fields;
  if (preview || link === undefined || fields === undefined) return;
  const records = links('records');
  const [idHere, idThere] = [String(link.local_id), link.remote_key];
  const ours = pair.ours === null ? [] : (await local.linesOfFile(idHere)).flatMap((id) => records.ofLocal(id)?.remote_key ?? []);
  const theirs =
    pair.theirs === null ? [] : (await remote.side.linesOfFile(idThere)).flatMap((id) => records.ofRemote(String(id))?.local_id ?? []);
  const refused = (await remote.side.addLinesOfFile(idThere, ours)) ?? (await local.addLinesOfFile(idHere, theirs.map(String)));
  if (refused !== null) {
    const name = nameOf('imports', pair.ours ?? pair.theirs ?? { fields, extra: {}, key: idThere });
    return cannotMove(context, 'imports', name, `Its lines do not count as those of the file: ${refused}`, link.local_id);
  }
  const agreed = link.local_hash === link.remote_hash ? agreedOn('imports', fields) : null;
  links('imports').put({ ...link, agreed });
  links('imports').save();
}
