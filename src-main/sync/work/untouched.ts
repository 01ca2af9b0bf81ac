import type { SyncContext } from './context.ts';
import { recordHash } from './hashes.ts';
import { localRecords } from './local-records.ts';
import type { Pair } from './pairs.ts';
import { canonicalRecord } from './record-content.ts';
import type { Few } from './resources.ts';

/** Whether all that stands in a stream or a reconciliation on the side where it is left is as both sides agreed. */
export async function isUntouched(context: SyncContext, resource: Few, pair: Pair, side: 'here' | 'there'): Promise<boolean> {
  if (resource === 'streams') return side === 'here' ? isStreamUntouchedHere(context, pair) : isStreamUntouchedThere(context, pair);
  if (resource === 'reconciliations') return isReconciliationUntouched(context, pair, side);
  return true;
}

function isStreamUntouchedHere(context: SyncContext, { ours }: Pair): boolean {
  const links = context.links('records');
  const fields = context.remote.dialect.recordFields;
  for (const page of localRecords(context.database, ours?.id ?? 0)) {
    for (const { id, content } of page) {
      if (links.ofLocal(id)?.local_hash !== recordHash(canonicalRecord(content), fields)) return false;
    }
  }
  return true;
}

async function isStreamUntouchedThere(context: SyncContext, { theirs }: Pair): Promise<boolean> {
  const links = context.links('records');
  const fields = context.remote.dialect.recordFields;
  for await (const page of context.remote.records(theirs?.key ?? '')) {
    for (const { key, content } of page) {
      if (links.ofRemote(key)?.remote_hash !== recordHash(canonicalRecord(content), fields)) return false;
    }
  }
  return true;
}

async function isReconciliationUntouched(context: SyncContext, { ours, theirs }: Pair, side: 'here' | 'there'): Promise<boolean> {
  const rules = await (side === 'here' ? context.local : context.remote.side).list('rules');
  const own = rules.filter(({ extra }) => extra['reconciliation'] === (side === 'here' ? ours?.key : theirs?.key));
  const ruleLinks = context.links('rules');
  if (own.some(({ id, key }) => (side === 'here' ? ruleLinks.ofLocal(id) : ruleLinks.ofRemote(key)) === undefined)) return false;
  const matchLinks = context.links('matches');
  if (side === 'there') {
    for await (const page of context.remote.matches(theirs?.key ?? '')) {
      if (page.some(({ key }) => matchLinks.ofRemote(key) === undefined)) return false;
    }
    return true;
  }
  const { localMatches } = await import('./local-matches.ts');
  const matches = await localMatches(context, Number(ours?.key));
  return matches.every(({ id }) => matchLinks.ofLocal(id) !== undefined);
}
