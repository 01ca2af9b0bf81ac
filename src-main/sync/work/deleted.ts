import type { Link, Links } from './links.ts';

type LinkBook = (resource: string) => Links;

/** Returns the links of objects deleted on both sides. A remote that is restored to an older state has them again and must not send them back. */
export const deletedLinks = (links: LinkBook, resource: string): Links => links(`deleted ${resource}`);

/** Notes that an object is deleted on both sides, or will be by this sync. */
export function noteDeleted(links: LinkBook, resource: string, localId: number): void {
  const link = links(resource).ofLocal(localId);
  if (link === undefined) return;
  const deleted = deletedLinks(links, resource);
  deleted.put({ ...link, local_id: localId > 0 ? localId : -1 - deleted.size });
  links(resource).drop(localId);
}

/** Notes every linked object that the book no longer has as deleted. */
export function noteGoneHere(links: LinkBook, resource: string, isHere: (id: number) => boolean): void {
  for (const { local_id: id } of links(resource).all()) if (!isHere(id)) noteDeleted(links, resource, id);
}

/**
 * Restores links of deleted objects that the remote has again unchanged: the next comparison then counts them as deleted here, and deletes them
 * there.
 */
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
