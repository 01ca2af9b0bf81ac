import type { Link, Links } from './links.ts';

type LinkBook = (resource: string) => Links;

/** Links of what both sides have deleted: a remote that is put back to an older state has it again, and is not to give it back to the book. */
export const deletedLinks = (links: LinkBook, resource: string): Links => links(`deleted ${resource}`);

/** Notes that both sides have deleted an object, or will have by this sync. */
export function noteDeleted(links: LinkBook, resource: string, localId: number): void {
  const link = links(resource).ofLocal(localId);
  if (link === undefined) return;
  const deleted = deletedLinks(links, resource);
  deleted.put({ ...link, local_id: localId > 0 ? localId : -1 - deleted.size });
  links(resource).drop(localId);
}

/** Notes so what is linked and no more in the book. */
export function noteGoneHere(links: LinkBook, resource: string, isHere: (id: number) => boolean): void {
  for (const { local_id: id } of links(resource).all()) if (!isHere(id)) noteDeleted(links, resource, id);
}

/** What was deleted is linked again where the remote has it as it was: by the comparison that follows it counts as deleted here, and goes there. */
export function linkDeleted(
  links: LinkBook,
  resource: string,
  { hashThere, isHere }: { readonly hashThere: (link: Link) => string | null; readonly isHere: (id: number) => boolean },
): void {
  const own = links(resource);
  for (const link of deletedLinks(links, resource).all()) {
    const isKnown = own.ofRemote(link.remote_key) !== undefined || own.ofLocal(link.local_id) !== undefined || isHere(link.local_id);
    if (!isKnown && hashThere(link) === link.remote_hash) own.put(link);
  }
}
