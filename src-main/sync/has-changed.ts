import { findLink } from '../store/sync/links.ts';
import type { SyncRemoteRow } from '../store/sync/remotes.ts';
import { localCalls } from './begin.ts';
import { hashOfItem } from './few/pairs.ts';
import { recordHash } from './identity/hashes.ts';
import { FEW } from './model/resources.ts';
import { recordsByIds } from './outbox/local-records.ts';
import { canonicalRecord } from './outbox/record-content.ts';
import type { SyncPorts } from './ports.ts';
import { DIALECTS } from './remote/probe.ts';
import { TIEOUT } from './sides/dialect.ts';
import { Side } from './sides/side.ts';

/** Whether an object of the book is another one than when both sides agreed on it last; a match never changes. */
export async function hasChanged(
  ports: Pick<SyncPorts, 'database' | 'dispatch'>,
  { id: remoteId, kind }: SyncRemoteRow,
  resource: string,
  id: number,
): Promise<boolean> {
  const link = findLink(ports.database, remoteId, resource, id);
  if (link === undefined) return false;
  const dialect = DIALECTS[kind];
  if (resource === 'records') {
    const [row] = recordsByIds(ports.database, [id]);
    return row !== undefined && recordHash(canonicalRecord(row.content), dialect.recordFields) !== link.local_hash;
  }
  const few = FEW.find((each) => each === resource);
  if (few === undefined) return false;
  const items = await new Side(localCalls(ports), TIEOUT, dialect).list(few);
  const item = items.find((each) => each.id === id);
  return item !== undefined && hashOfItem(item) !== link.local_hash;
}
