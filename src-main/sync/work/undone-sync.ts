import type { SyncRemoteRow } from '../store/remotes.ts';
import { dropUndone, undoneOf, undoneQuestion, type UndoneRow } from '../store/undone.ts';
import { type SyncAnswers, SyncQuestion } from './answers.ts';
import { forgetChildrenHere } from './children.ts';
import type { SyncContext } from './context.ts';
import { FEW } from './resources.ts';
import { answerTo } from './which-remote.ts';

export type AboutUndone = 'take' | 'keep' | null;

/**
 * After a sync was undone both sides differ by what it had done. Asks, before anything is written, whether the remote's word holds after all or the book's; by
 * itself the next sync would do the same again.
 */
export function checkUndone({ database }: SyncContext, row: SyncRemoteRow, answers: SyncAnswers | undefined): AboutUndone {
  const question = undoneQuestion(database, row);
  if (question === null) return null;
  const { code, message, about, choices } = question;
  const said = answerTo(row, answers, { asked: 'undone_sync', about });
  if (said === 'take' || said === 'keep') return said;
  throw new SyncQuestion(code, message, { remoteId: row.id, about, choices });
}

/** Made here by the undone sync: the link of no object of the book, by which the one there counts as deleted here. */
function putDeleted({ links }: SyncContext, { resource, remote_key: key, remote_hash: hash }: UndoneRow, place: number): void {
  if (links(resource).ofRemote(key) !== undefined) return;
  links(resource).put({ local_id: -1 - place, remote_key: key, local_hash: hash, remote_hash: hash, agreed: null });
}

/** Changed here by the undone sync: what is here is the newer one. */
function putChanged({ links }: SyncContext, { resource, local_id: id, remote_hash: hash }: UndoneRow): void {
  const link = id === null ? undefined : links(resource).ofLocal(id);
  if (link !== undefined) links(resource).put({ ...link, local_hash: '', remote_hash: hash, agreed: null });
}

/** Deleted here by the undone sync: it is new to the remote. */
function putNew(context: SyncContext, { resource, local_id: id }: UndoneRow): void {
  if (id === null) return;
  context.links(resource).drop(id);
  const few = FEW.find((each) => each === resource);
  if (few !== undefined) forgetChildrenHere(context, few, id);
}

/** Carries out what a person said about an undone sync: the comparison that follows goes by the links. */
export function settleUndone(context: SyncContext, said: AboutUndone): void {
  const { database, remoteId, preview, links } = context;
  if (said === null || remoteId === null) return;
  const rows = said === 'keep' ? undoneOf(database, remoteId) : [];
  for (const [place, row] of rows.entries()) {
    if (row.what === 'made') putDeleted(context, row, place);
    else if (row.what === 'changed') putChanged(context, row);
    else putNew(context, row);
  }
  if (preview) return;
  const resources = new Set(rows.map(({ resource }) => resource));
  database.write((write) => {
    for (const resource of resources) links(resource).saveIn(write);
    dropUndone(write, remoteId);
  });
}
