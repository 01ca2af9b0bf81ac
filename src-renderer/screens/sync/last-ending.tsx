import type { SyncActivity, SyncRun } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { PlaceLink } from '../../components/place-link.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { countText } from '../../format/counts.ts';
import { endingOf } from '../../format/sync-ending.ts';
import own from './next.module.css';
import { NotMovedList } from './not-moved-list.tsx';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';

/** A run is never far from the top of the history while it is the last one. */
const LOOKED_AT = 5;

/** What came of the last sync, and where to go on. */
export function LastEnding({ control, activity }: { readonly control: SyncControl; readonly activity: SyncActivity }) {
  const { remote } = control;
  const { value: runs } = useQuery('sync_runs.list', { id: remote.id, limit: LOOKED_AT });
  const run = activity.run_id === null ? undefined : runs?.data.find(({ id }) => id === activity.run_id);
  const ending = endingOf(activity, run);
  if (ending === null) return null;
  const isBroken = activity.error !== null;
  return (
    <section className={own.ending} data-tone={ending.tone} aria-live="polite" aria-label="The last sync" data-testid="sync-ending">
      <span className={styles.mark} data-mark={ending.tone} aria-hidden />
      <div>
        <h2>{ending.title}</h2>
        {ending.words !== '' && <p>{ending.words}</p>}
        {run !== undefined && <Doubts run={run} />}
        <div className={own.ways}>
          {isBroken && <TryAgain control={control} what={activity.what} />}
          {remote.to_decide > 0 && (
            <PlaceLink place={{ screen: 'sync', id: remote.id, tab: 'decide' }} testId="ending-decide">
              Decide {countText(remote.to_decide)}
            </PlaceLink>
          )}
          {run !== undefined && <PlaceLink place={{ screen: 'sync', id: remote.id, tab: 'history' }}>Show it in the history</PlaceLink>}
        </div>
      </div>
    </section>
  );
}

/** What was refused, and what may have gone. */
function Doubts({ run }: { readonly run: SyncRun }) {
  return (
    <>
      <NotMovedList title="Refused" items={run.refused} />
      <NotMovedList title="Not sure whether it arrived" items={run.unsure} />
    </>
  );
}

function TryAgain({ control, what }: { readonly control: SyncControl; readonly what: SyncActivity['what'] }) {
  const again = { preview: control.preview, sync: () => control.sync(null), verify: control.verify, repair: control.repair };
  return (
    <WriteButton variant="default" size="compact-sm" onClick={again[what]} loading={control.isStarting} data-testid="sync-again">
      Try again
    </WriteButton>
  );
}
