import { idsBelonging } from '../store/links.ts';
import type { SyncContext } from './context.ts';
import { noteDeleted } from './deleted.ts';
import type { LowVolume } from './resources.ts';

/**
 * Drops the links of everything that belongs to a local object that will be created at the remote again. Otherwise its children, deleted at the
 * remote together with it, would be deleted here.
 */
export function forgetChildrenHere(context: SyncContext, resource: LowVolume, localId: number): void {
  const { database, links, preview } = context;
  for (const [child, ids] of idsBelonging(database, resource, localId)) {
    const own = links(child);
    for (const id of ids) own.drop(id);
    if (!preview) own.save();
  }
  if (resource !== 'reconciliations') return;
  const marks = links(`overdue ${localId}`);
  for (const { local_id: id } of marks.all()) marks.drop(id);
  if (!preview) marks.save();
}

type Child = 'records' | 'matches' | LowVolume;

/** The low-volume resources that belong to another object, with the field that names it. */
const BELONGS: Readonly<Partial<Record<LowVolume, readonly (readonly [child: LowVolume, field: string])[]>>> = {
  streams: [
    ['properties', 'stream'],
    ['imports', 'stream'],
  ],
  reconciliations: [['rules', 'reconciliation']],
  accounts: [['balances', 'account']],
};

async function* keysThere({ remote }: SyncContext, resource: LowVolume, key: string): AsyncGenerator<[Child, string]> {
  if (resource === 'streams') for await (const page of remote.records(key)) for (const one of page) yield ['records', one.key];
  if (resource === 'reconciliations') for await (const page of remote.matches(key)) for (const one of page) yield ['matches', one.key];
  for (const [child, field] of BELONGS[resource] ?? []) {
    if (remote.dialect.gaps[`${child}.list`] !== undefined) continue;
    for (const { key: own, fields, extra } of await remote.side.list(child)) {
      const parent = extra[field] ?? fields[field];
      if (parent !== undefined && parent !== null && String(parent) === key) yield [child, own];
    }
  }
}

/** Does the same for a remote object that will be created here again. */
export async function forgetChildrenThere(context: SyncContext, resource: LowVolume, remoteKey: string): Promise<void> {
  const { links, preview } = context;
  const met = new Set<Child>();
  for await (const [child, key] of keysThere(context, resource, remoteKey)) {
    const link = links(child).ofRemote(key);
    met.add(child);
    if (link !== undefined) links(child).drop(link.local_id);
  }
  if (!preview) for (const child of met) links(child).save();
}

/**
 * Collects the linked objects that will be deleted together with an object, on either side. Returns a function that notes them as deleted on both
 * sides; without it their links would count as waiting changes for ever.
 */
export async function childrenGoing(
  context: SyncContext,
  resource: LowVolume,
  { side, localId, remoteKey }: { readonly side: 'here' | 'there'; readonly localId: number | null; readonly remoteKey: string | null },
): Promise<() => void> {
  const { database, links, preview } = context;
  const going = new Map<string, number[]>();
  if (preview) return () => {};
  if (side === 'here' && localId !== null) for (const [child, ids] of idsBelonging(database, resource, localId)) going.set(child, ids);
  if (side === 'there' && remoteKey !== null) {
    for await (const [child, key] of keysThere(context, resource, remoteKey)) {
      const link = links(child).ofRemote(key);
      if (link !== undefined) going.set(child, going.get(child)?.concat(link.local_id) ?? [link.local_id]);
    }
  }
  return () => {
    for (const [child, ids] of going) {
      for (const id of ids) noteDeleted(links, child, id);
      links(child).save();
    }
  };
}
