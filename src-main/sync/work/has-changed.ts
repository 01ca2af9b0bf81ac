import { findLink } from '../store/links.ts';
import type { SyncRemoteRow } from '../store/remotes.ts';
import { localCalls } from './begin.ts';
import { TIEOUT } from './dialect.ts';
import { recordHash } from './hashes.ts';
import { recordsByIds } from './local-records.ts';
import { hashOfItem } from './pairs.ts';
import type { SyncPorts } from './ports.ts';
import { DIALECTS } from './probe-remote.ts';
import { canonicalRecord } from './record-content.ts';
import { LOW_VOLUME } from './resources.ts';
import { Side } from './side.ts';

/** Whether an object of the book differs from the last agreed state. Matches never change. */
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
  const few = LOW_VOLUME.find((each) => each === resource);
  if (few === undefined) return false;
  const items = await new Side(localCalls(ports), TIEOUT, dialect).list(few);
  const item = items.find((each) => each.id === id);
  return item !== undefined && hashOfItem(item) !== link.local_hash;
}
