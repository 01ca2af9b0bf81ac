import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type StoryRow = Row<'stories'>;

/** Returns stories newest first. */
export function listStories(read: ReadHandle, environmentId: number): StoryRow[] {
  return read.all(
    query.selectFrom('stories').selectAll().where('environment_id', '=', environmentId).orderBy('created_at', 'desc').orderBy('id', 'desc'),
  );
}

export function findStory(read: ReadHandle, environmentId: number, id: number): StoryRow | undefined {
  return read.first(query.selectFrom('stories').selectAll().where('environment_id', '=', environmentId).where('id', '=', id));
}

export interface StoryLinkWithNames {
  readonly id: number;
  readonly story_id: number;
  readonly position: number;
  readonly reconciliation_id: number;
  readonly reconciliation_name: string;
  /** The stream as it was named; the reader checks whether both neighbours still have it. */
  readonly shared_stream_id: number | null;
}

/** Returns links of stories, by story and position. */
export function linksOfStories(read: ReadHandle, storyIds: readonly number[]): StoryLinkWithNames[] {
  return read
    .prepare<[string], StoryLinkWithNames>(
      `SELECT l.id, l.story_id, l.position, l.reconciliation_id, c.name AS reconciliation_name, l.shared_stream_id
       FROM story_links l JOIN reconciliations c ON c.id = l.reconciliation_id
       WHERE l.story_id IN (SELECT value FROM json_each(?)) ORDER BY l.story_id, l.position`,
    )
    .all(JSON.stringify(storyIds));
}

export interface NamedSideStream {
  readonly reconciliation_id: number;
  readonly side: 'a' | 'b';
  readonly id: number;
  readonly name: string;
}

/** Returns the streams of both sides of reconciliations with their names, oldest stream first. */
export function namedSideStreams(read: ReadHandle, reconciliationIds: readonly number[]): NamedSideStream[] {
  return read
    .prepare<[string], NamedSideStream>(
      `SELECT r.reconciliation_id, r.side, s.id, s.name FROM reconciliation_streams r JOIN streams s ON s.id = r.stream_id
       WHERE r.reconciliation_id IN (SELECT value FROM json_each(?)) ORDER BY r.reconciliation_id, s.id`,
    )
    .all(JSON.stringify([...new Set(reconciliationIds)]));
}

export function insertStory(write: WriteHandle, story: Omit<StoryRow, 'id'>): number {
  return write.run(query.insertInto('stories').values(story)).lastInsertId;
}

export function renameStory(write: WriteHandle, id: number, name: string): void {
  write.run(query.updateTable('stories').set({ name }).where('id', '=', id));
}

/** A link of the chain. */
export interface ChainLink {
  readonly reconciliationId: number;
  readonly sharedStreamId: number | null;
}

/** Replaces the chain; positions follow from the given order. */
export function replaceStoryLinks(write: WriteHandle, storyId: number, chain: readonly ChainLink[]): void {
  write.run(query.deleteFrom('story_links').where('story_id', '=', storyId));
  for (const [index, link] of chain.entries()) {
    write.run(
      query.insertInto('story_links').values({
        story_id: storyId,
        position: index + 1,
        reconciliation_id: link.reconciliationId,
        shared_stream_id: link.sharedStreamId,
      }),
    );
  }
}

export function deleteStory(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('story_links').where('story_id', '=', id));
  write.run(query.deleteFrom('stories').where('id', '=', id));
}

/** Removes a reconciliation from every chain and closes the gaps. Returns the ids of the stories that contained it. */
export function unlinkReconciliation(write: WriteHandle, reconciliationId: number): number[] {
  const linked = query.selectFrom('story_links').select('story_id').distinct().where('reconciliation_id', '=', reconciliationId);
  const storyIds = write.all(linked.orderBy('story_id')).map((row) => row.story_id);
  write.run(query.deleteFrom('story_links').where('reconciliation_id', '=', reconciliationId));
  for (const storyId of storyIds) closeGaps(write, storyId);
  return storyIds;
}

/** Moves one link at a time, from the front, because a position must be free before it is used. */
function closeGaps(write: WriteHandle, storyId: number): void {
  const links = write.all(query.selectFrom('story_links').select(['id', 'position']).where('story_id', '=', storyId).orderBy('position'));
  for (const [index, link] of links.entries()) {
    if (link.position === index + 1) continue;
    write.run(
      query
        .updateTable('story_links')
        .set({ position: index + 1 })
        .where('id', '=', link.id),
    );
  }
}
