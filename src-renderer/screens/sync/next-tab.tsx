import type { Output } from '../../../src-shared/contract/index.ts';
import { Comparing } from './comparing.tsx';
import { NotCompared } from './not-compared.tsx';
import { PlanView } from './plan-view.tsx';
import { RunningSync } from './running-sync.tsx';
import type { SyncControl } from './use-sync-control.ts';

interface NextTabProps {
  readonly control: SyncControl;
  readonly read: Output<'syncs.get'>;
}

/** What goes on; else what would move; else what came of the last sync, and the way to the next one. */
export function NextTab({ control, read: { activity, plan } }: NextTabProps) {
  const isUnderWay = activity !== null && activity.ended_at === null;
  if (isUnderWay && (activity.what === 'sync' || activity.what === 'repair')) return <RunningSync control={control} activity={activity} />;
  if (isUnderWay) return <Comparing control={control} activity={activity} />;
  if (plan !== null) return <PlanView control={control} plan={plan} />;
  return <NotCompared control={control} activity={activity} />;
}
