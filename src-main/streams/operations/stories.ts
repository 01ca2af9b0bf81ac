import type { Story } from '../../../src-shared/contract/index.ts';
import type { StoryLink, StoryLinkInput } from '../../../src-shared/contract/streams/stories.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { ReadHandle } from '../../database/database.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import {
  deleteStory,
  findStory,
  insertStory,
  linksOfStories,
  listStories,
  type NamedSideStream,
  namedSideStreams,
  renameStory,
  replaceStoryLinks,
  type StoryLinkWithNames,
  type StoryRow,
} from '../store/stories.ts';
import { isStreamOf } from '../store/streams.ts';
import { chainOf } from './story-chain.ts';

type Handled = 'stories.create' | 'stories.list' | 'stories.get' | 'stories.update' | 'stories.remove';

/** `previous` are the streams of the link before; null for the origin. */
function linkView(link: StoryLinkWithNames, own: readonly NamedSideStream[], previous: readonly NamedSideStream[] | null): StoryLink {
  const ofSide = (side: 'a' | 'b') => own.filter((stream) => stream.side === side).map(({ id, name }) => ({ id, name }));
  // The named stream may no longer connect anything: a reconciliation between was deleted, or no longer uses it.
  const shared = own.find((stream) => stream.id === link.shared_stream_id);
  const holds = shared !== undefined && previous?.some((stream) => stream.id === shared.id) === true;
  return {
    id: link.id,
    position: link.position,
    role: previous === null ? 'origin' : 'continuation',
    reconciliation_id: link.reconciliation_id,
    reconciliation_name: link.reconciliation_name,
    shared_data_stream_id: holds ? shared.id : null,
    shared_data_stream_name: holds ? shared.name : null,
    side_a_streams: ofSide('a'),
    side_b_streams: ofSide('b'),
  };
}

function storyViews(read: ReadHandle, rows: readonly StoryRow[]): Story[] {
  const links = linksOfStories(
    read,
    rows.map((row) => row.id),
  );
  const sides = Map.groupBy(
    namedSideStreams(
      read,
      links.map((link) => link.reconciliation_id),
    ),
    (stream) => stream.reconciliation_id,
  );
  const streamsOf = (link: StoryLinkWithNames) => sides.get(link.reconciliation_id) ?? [];
  const chains = Map.groupBy(links, (link) => link.story_id);
  return rows.map((row) => {
    const chain = chains.get(row.id) ?? [];
    return {
      id: row.id,
      name: row.name,
      created_at: timestampOf(row.created_at),
      links: chain.map((link, index) => {
        const previous = chain[index - 1];
        return linkView(link, streamsOf(link), previous === undefined ? null : streamsOf(previous));
      }),
    };
  });
}

function storyView(read: ReadHandle, row: StoryRow): Story {
  return present(storyViews(read, [row])[0], 'story');
}

function checkedChain(read: ReadHandle, caller: Caller, links: readonly StoryLinkInput[]) {
  return chainOf(links, {
    streamsOf: (id) => {
      if (findReconciliation(read, caller.environmentId, id) === undefined) return undefined;
      const sides = streamIdsBySide(read, id);
      return new Set([...sides.a, ...sides.b]);
    },
    isStream: (id) => isStreamOf(read, caller.environmentId, id),
  });
}

function createHandler(context: ServiceContext): Handlers['stories.create'] {
  return (caller, input) => {
    const nowMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      const chain = checkedChain(write, caller, input.links ?? []);
      if (!chain.ok) return chain;
      const id = insertStory(write, { environment_id: caller.environmentId, name: input.name, created_at: nowMs });
      replaceStoryLinks(write, id, chain.value);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: nowMs,
        actor: caller.actor,
        action: 'story.created',
        detail: { story_id: id, name: input.name, links: chain.value },
      });
      return answer(storyView(write, present(findStory(write, caller.environmentId, id), 'story')));
    });
    if (outcome.ok) context.changed(['reconciliations']);
    return outcome;
  };
}

function updateHandler(context: ServiceContext): Handlers['stories.update'] {
  return (caller, input) => {
    const { id, name, links } = input;
    const isChange = name !== undefined || links !== undefined;
    const outcome = context.database.write((write) => {
      const found = findStory(write, caller.environmentId, id);
      if (found === undefined) return missing('reconciliation story', id);
      if (!isChange) return answer(storyView(write, found));
      const chain = links === undefined ? null : checkedChain(write, caller, links);
      if (chain !== null && !chain.ok) return chain;
      if (name !== undefined) renameStory(write, id, name);
      if (chain !== null) replaceStoryLinks(write, id, chain.value);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'story.updated',
        detail: { story_id: id, change: { ...(name === undefined ? {} : { name }), ...(chain === null ? {} : { links: chain.value }) } },
      });
      return answer(storyView(write, present(findStory(write, caller.environmentId, id), 'story')));
    });
    if (outcome.ok && isChange) context.changed(['reconciliations']);
    return outcome;
  };
}

function removeHandler(context: ServiceContext): Handlers['stories.remove'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = findStory(write, caller.environmentId, input.id);
      if (found === undefined) return missing('reconciliation story', input.id);
      const reconciliationIds = linksOfStories(write, [found.id]).map((link) => link.reconciliation_id);
      deleteStory(write, found.id);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'story.deleted',
        detail: { story_id: found.id, name: found.name, reconciliation_ids: reconciliationIds },
      });
      return answer(null);
    });
    if (outcome.ok) context.changed(['reconciliations']);
    return outcome;
  };
}

export function storyHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const { database } = context;
  return {
    'stories.create': createHandler(context),
    'stories.list': (caller) =>
      database.snapshot(() => answer({ data: storyViews(database, listStories(database, caller.environmentId)) })),
    'stories.get': (caller, input) =>
      database.snapshot(() => {
        const found = findStory(database, caller.environmentId, input.id);
        return found === undefined ? missing('reconciliation story', input.id) : answer(storyView(database, found));
      }),
    'stories.update': updateHandler(context),
    'stories.remove': removeHandler(context),
  };
}
