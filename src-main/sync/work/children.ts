import { idsBelonging } from '../store/extent.ts';
import type { SyncContext } from './context.ts';
import type { Few } from './resources.ts';

/**
 * Of an object here that is to be made at the remote again: forgets the links of all that belongs to it. What the remote deleted with the object would count as
 * deleted there for itself, and would go here.
 */
export function forgetChildrenHere(context: SyncContext, resource: Few, localId: number): void {
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

async function* keysThere({ remote }: SyncContext, resource: Few, key: string): AsyncGenerator<['records' | 'matches' | 'rules', string]> {
  if (resource === 'streams') for await (const page of remote.records(key)) for (const one of page) yield ['records', one.key];
  if (resource !== 'reconciliations') return;
  for await (const page of remote.matches(key)) for (const one of page) yield ['matches', one.key];
  if (remote.dialect.gaps['rules.list'] !== undefined) return;
  for (const { key: rule, extra } of await remote.side.list('rules')) if (extra['reconciliation'] === key) yield ['rules', rule];
}

/** The same of an object there that is to be made here again. */
export async function forgetChildrenThere(context: SyncContext, resource: Few, remoteKey: string): Promise<void> {
  const { links, preview } = context;
  for await (const [child, key] of keysThere(context, resource, remoteKey)) {
    const link = links(child).ofRemote(key);
    if (link !== undefined) links(child).drop(link.local_id);
  }
  if (!preview) for (const child of ['records', 'matches', 'rules']) links(child).save();
}
