import type { SyncContext } from './context.ts';
import type { RecordPlan } from './record-plan.ts';
import { cannotMove, COUNTED_AS, moved } from './told.ts';
import { brake } from './brake.ts';
import { hasCloseWork } from '../store/reads.ts';
import { removeLeaving } from './removals.ts';
import { type Removal, syncFew } from './sync-few.ts';
import { applyRecords, compareRecords } from './sync-records.ts';
import type { MatchPlan, ReconciliationPair } from './match-plan.ts';
import { planMatches } from './plan-matches.ts';
import { takeApart, tieTogether } from './apply-matches.ts';
import { syncOverdue } from './sync-overdue.ts';
import { setName } from './match-set-name.ts';
import { localMatches } from './local-matches.ts';
import { nothingTakenOn } from './answers.ts';
import { valueOf } from './side-pages.ts';
import { deletedLinks } from './deleted.ts';
import { FEW } from './resources.ts';

const STAYS = 'Periods, sign-offs, notes on open items and exceptions stay where they are made.';

const LOOK_MS = 20;
/** A full disk that has room again is noticed by the service within so long. */
const PATIENCE_MS = 8_000;

/** Requests that an interrupted sync left to the service are seen through first: what they bring is compared, and not brought again. */
export async function openRequestsEnded({ local, wait, trouble, signal }: SyncContext): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += LOOK_MS) {
    signal.throwIfAborted();
    const page = (await valueOf(local.call, 'bulk_requests.list', { limit: 100 })) as { data: readonly { status: string }[] };
    if (!page.data.some(({ status }) => status === 'pending' || status === 'processing')) return;
    const words = trouble();
    if (words !== null && waitedMs >= PATIENCE_MS) throw nothingTakenOn(words);
    await wait(LOOK_MS);
  }
}

/** Reconciliations that are on both sides. */
async function reconciliationPairs(context: SyncContext): Promise<ReconciliationPair[]> {
  const links = context.links('reconciliations');
  const here = await context.local.list('reconciliations');
  return here.flatMap(({ id, fields }) => {
    const link = links.ofLocal(id);
    if (link === undefined || context.leaving.here.has(`reconciliations ${id}`)) return [];
    return [{ localId: id, remoteKey: link.remote_key, name: String(fields['name']) }];
  });
}

/** Matches of reconciliations that a sync would make. */
async function countNewOnes(context: SyncContext): Promise<void> {
  const links = context.links('reconciliations');
  for (const { id, fields } of await context.local.list('reconciliations')) {
    const isNew = links.ofLocal(id) === undefined && context.remote.dialect.gaps['reconciliations.create'] === undefined;
    if (!isNew) continue;
    const name = String(fields['name']);
    const matches = await localMatches(context, id);
    context.tally.add('matches', { here: matches.length });
    for (const match of matches)
      moved(context, 'sent', { resource: 'matches', act: 'made', name: setName(context, name, match.records), localId: match.id });
  }
  for (const { key, fields } of await context.remote.side.list('reconciliations')) {
    if (links.ofRemote(key) !== undefined) continue;
    for await (const page of context.remote.matches(key)) {
      context.tally.add('matches', { there: page.length });
      for (const match of page)
        moved(context, 'received', {
          resource: 'matches',
          act: 'made',
          name: `${String(fields['name'])}: match ${match.key}`,
          localId: null,
        });
    }
  }
}

/** Matches and records, once both sides know each other's streams and reconciliations. */
async function syncLines(context: SyncContext, records: RecordPlan, removals: readonly Removal[]): Promise<void> {
  const { note, preview, scope, progress } = context;
  const pairs = await reconciliationPairs(context);
  const plans: MatchPlan[] = [];
  for (const pair of pairs.filter(({ localId }) => scope === null || scope.reconciliations.has(localId))) {
    note(`comparing the matches of ${pair.name}`);
    progress.at('matches', pair.name);
    plans.push(await planMatches(context, pair, records));
  }
  if (preview) await countNewOnes(context);
  await brake(context, { removals, records, plans });
  for (const plan of plans) await takeApart(context, plan);
  await applyRecords(context, records);
  if (scope === null) await syncOverdue(context, pairs, records);
  for (const plan of plans) {
    progress.at('matches', plan.reconciliation.name);
    await tieTogether(context, plan);
  }
}

/** Of a repair: records and matches of what differs, and nothing else. */
export async function repairBook(context: SyncContext): Promise<void> {
  await openRequestsEnded(context);
  await syncLines(context, await compareRecords(context), []);
}

/** All of a sync: what others refer to comes first, and what is removed last. */
export async function syncBook(context: SyncContext): Promise<void> {
  const { note, preview, progress } = context;
  if (!preview) await openRequestsEnded(context);
  if (hasCloseWork(context.database, context.environmentId)) cannotMove(context, 'periods', 'Month-end work', STAYS);
  const removals: Removal[] = [];
  for (const resource of ['accounts', 'streams', 'properties'] as const) {
    note(`comparing ${resource}`);
    progress.at(COUNTED_AS[resource], null);
    if (resource !== 'properties' || context.remote.dialect.gaps['properties.list'] === undefined)
      removals.push(...(await syncFew(context, resource)));
  }
  const records = await compareRecords(context);
  for (const resource of ['reconciliations', 'rules', 'stories', 'imports', 'balances'] as const) {
    note(`comparing ${resource}`);
    progress.at(COUNTED_AS[resource], null);
    removals.push(...(await syncFew(context, resource)));
  }
  await syncLines(context, records, removals);
  await removeLeaving(context, removals);
  if (!preview) for (const resource of [...FEW, 'records', 'matches']) deletedLinks(context.links, resource).save();
}
