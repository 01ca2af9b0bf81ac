import type { Failure, FieldError, Story } from '../../../src-shared/contract/index.ts';
import type { StoryLink, StoryLinkInput } from '../../../src-shared/contract/streams/stories.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { ReadHandle } from '../../database/database.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { partOf } from '../../service/paging.ts';
import {
  type ChainLink,
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

type Handled = 'stories.create' | 'stories.list' | 'stories.get' | 'stories.update' | 'stories.remove';

/** Returns a link as the contract has it. `previous` are the streams of the previous link, null for the origin. */
function linkView(link: StoryLinkWithNames, own: readonly NamedSideStream[], previous: readonly NamedSideStream[] | null): StoryLink {
  const ofSide = (side: 'a' | 'b') => own.filter((stream) => stream.side === side).map(({ id, name }) => ({ id, name }));
  // The named stream may no longer connect the links: a reconciliation in between was deleted, or no longer uses it.
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
      if (found === undefined) return missing(phrase('streams.stories.reconciliationStory'), id);
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
      if (found === undefined) return missing(phrase('streams.stories.reconciliationStory'), input.id);
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
    'stories.list': (caller, input) =>
      database.snapshot(() => answer({ data: storyViews(database, partOf(listStories(database, caller.environmentId), input)) })),
    'stories.get': (caller, input) =>
      database.snapshot(() => {
        const found = findStory(database, caller.environmentId, input.id);
        return found === undefined ? missing(phrase('streams.stories.reconciliationStory'), input.id) : answer(storyView(database, found));
      }),
    'stories.update': updateHandler(context),
    'stories.remove': removeHandler(context),
  };
}

/** The objects of the book that links can name. */
interface KnownToChain {
  /** Returns the ids of the streams on both sides; undefined if there is no such reconciliation. */
  readonly streamsOf: (reconciliationId: number) => ReadonlySet<number> | undefined;
  readonly isStream: (id: number) => boolean;
}

interface PlacedLink {
  readonly link: StoryLinkInput;
  /** `links.` and the place in the request. */
  readonly path: string;
  readonly position: number;
}

/** Returns the links in the order of the chain, or all of their faults with the sentence of the first. */
function chainOf(
  links: readonly StoryLinkInput[],
  known: KnownToChain,
): Result<ChainLink[], Failure<'unknown_reference' | 'invalid_story'>> {
  const placed = links.map((link, index) => ({ link, path: `links.${index}`, position: link.position ?? index + 1 }));
  const misplaced = positionFaults(placed);
  if (misplaced.length > 0) return refused(misplaced);
  const chain = placed.toSorted((one, other) => one.position - other.position);
  const faults = chain.flatMap((each, index) => linkFaults(each, chain[index - 1], known));
  if (faults.length > 0) return refused(faults);
  return success(
    chain.map(({ link }) => ({ reconciliationId: link.reconciliation_id, sharedStreamId: link.shared_data_stream_id ?? null })),
  );
}

function refused(faults: readonly FieldError[]): { ok: false; error: Failure<'unknown_reference' | 'invalid_story'> } {
  const first = present(faults[0], 'fault');
  return failed({
    code: first.code === 'unknown_reference' ? 'unknown_reference' : 'invalid_story',
    message: first.message,
    errors: faults,
  });
}

function fault(path: string, code: string, message: string): FieldError {
  return { path, code, message: `${path} ${message}` };
}

function positionFaults(placed: readonly PlacedLink[]): FieldError[] {
  const taken = new Set<number>();
  return placed.flatMap(({ path, position }) => {
    const isRepeated = taken.has(position);
    taken.add(position);
    if (isRepeated) {
      return [fault(`${path}.position`, 'position_repeated', phrase('streams.stories.isAsThatOfAnotherLink', { position }))];
    }
    if (position <= placed.length) return [];
    const words = phrase('streams.stories.isButLinksStand', { position, placed: placed.length });
    return [
      fault(`${path}.position`, 'position_gap', placed.length === 1 ? phrase('streams.stories.isButASingleLink', { position }) : words),
    ];
  });
}

function linkFaults({ link, path, position }: PlacedLink, previous: PlacedLink | undefined, known: KnownToChain): FieldError[] {
  const faults: FieldError[] = [];
  const own = known.streamsOf(link.reconciliation_id);
  if (own === undefined) {
    const words = phrase('streams.stories.isButThereIsNoSuch', { reconciliation_id: link.reconciliation_id });
    faults.push(fault(`${path}.reconciliation_id`, 'unknown_reference', words));
  }
  const expected = previous === undefined ? 'origin' : 'continuation';
  if (link.role !== undefined && link.role !== expected) {
    const words = phrase('streams.stories.isButTheLinkAtPosition', {
      role: link.role,
      position,
      isExpected: expected === 'origin' ? 'yes' : 'no',
    });
    faults.push(fault(`${path}.role`, 'role_mismatch', words));
  }
  const before =
    previous === undefined ? null : { id: previous.link.reconciliation_id, streams: known.streamsOf(previous.link.reconciliation_id) };
  return [...faults, ...sharedStreamFaults(link, path, own, before, known)];
}

/** `before` is the previous reconciliation, null for the origin; its streams are undefined if it is unknown. */
function sharedStreamFaults(
  link: StoryLinkInput,
  path: string,
  own: ReadonlySet<number> | undefined,
  before: { readonly id: number; readonly streams: ReadonlySet<number> | undefined } | null,
  known: KnownToChain,
): FieldError[] {
  const at = `${path}.shared_data_stream_id`;
  const shared = link.shared_data_stream_id ?? null;
  if (before === null) {
    if (shared === null) return [];
    return [fault(at, 'shared_stream_of_origin', phrase('streams.stories.isGivenButTheOrigin'))];
  }
  if (shared === null) {
    const words = phrase('streams.stories.isRequiredNameAData', { reconciliation_id: link.reconciliation_id, id: before.id });
    return [fault(at, 'required', words)];
  }
  if (!known.isStream(shared)) {
    return [fault(at, 'unknown_reference', phrase('streams.stories.noSuchStream', { shared }))];
  }
  const lacking = [
    own === undefined || own.has(shared) ? null : link.reconciliation_id,
    before.streams === undefined || before.streams.has(shared) ? null : before.id,
  ].filter((id) => id !== null);
  if (lacking.length === 0) return [];
  const words = phrase('streams.stories.isButThatIsNoData', { shared, lacking: lacking.join(' nor of ') });
  return [fault(at, 'stream_not_shared', words)];
}
