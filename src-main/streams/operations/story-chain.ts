import type { Failure, FieldError } from '../../../src-shared/contract/index.ts';
import type { StoryLinkInput } from '../../../src-shared/contract/streams/stories.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import type { ChainLink } from '../store/stories.ts';

/** What the book knows of what the links name. */
interface KnownToChain {
  /** Ids of the streams on both sides; undefined when there is no such reconciliation. */
  readonly streamsOf: (reconciliationId: number) => ReadonlySet<number> | undefined;
  readonly isStream: (id: number) => boolean;
}

interface PlacedLink {
  readonly link: StoryLinkInput;
  /** `links.<place in the request>`. */
  readonly path: string;
  readonly position: number;
}

/** The links in the order of the chain, or everything that is wrong with them. The sentence is that of the first fault. */
export function chainOf(
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
      return [fault(`${path}.position`, 'position_repeated', `is ${position}, as that of another link: give each position once.`)];
    }
    if (position <= placed.length) return [];
    const words = `is ${position}, but ${placed.length} links stand at the positions 1 to ${placed.length} without gaps.`;
    return [
      fault(`${path}.position`, 'position_gap', placed.length === 1 ? `is ${position}, but a single link stands at position 1.` : words),
    ];
  });
}

function linkFaults({ link, path, position }: PlacedLink, previous: PlacedLink | undefined, known: KnownToChain): FieldError[] {
  const faults: FieldError[] = [];
  const own = known.streamsOf(link.reconciliation_id);
  if (own === undefined) {
    const words = `is ${link.reconciliation_id}, but there is no such reconciliation in this environment.`;
    faults.push(fault(`${path}.reconciliation_id`, 'unknown_reference', words));
  }
  const expected = previous === undefined ? 'origin' : 'continuation';
  if (link.role !== undefined && link.role !== expected) {
    const words = `is ${link.role}, but the link at position ${position} is ${expected === 'origin' ? 'the origin' : 'a continuation'}.`;
    faults.push(fault(`${path}.role`, 'role_mismatch', words));
  }
  const before =
    previous === undefined ? null : { id: previous.link.reconciliation_id, streams: known.streamsOf(previous.link.reconciliation_id) };
  return [...faults, ...sharedStreamFaults(link, path, own, before, known)];
}

/** `before` is the previous reconciliation, null for the origin; streams are undefined where the reconciliation is not known. */
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
    return [fault(at, 'shared_stream_of_origin', 'is given, but the origin of a story continues nothing: leave it out.')];
  }
  if (shared === null) {
    const words = `is required: name a data stream that reconciliations ${link.reconciliation_id} and ${before.id} both use.`;
    return [fault(at, 'required', words)];
  }
  if (!known.isStream(shared)) {
    return [fault(at, 'unknown_reference', `is ${shared}, but there is no such data stream in this environment.`)];
  }
  const lacking = [
    own === undefined || own.has(shared) ? null : link.reconciliation_id,
    before.streams === undefined || before.streams.has(shared) ? null : before.id,
  ].filter((id) => id !== null);
  if (lacking.length === 0) return [];
  const words = `is ${shared}, but that is no data stream of reconciliation ${lacking.join(' nor of ')}: name one that this and the previous reconciliation both use.`;
  return [fault(at, 'stream_not_shared', words)];
}
