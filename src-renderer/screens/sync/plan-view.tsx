import { useState } from 'react';
import type { SyncPlan } from '../../../src-shared/contract/index.ts';
import { KIND_WORDS } from '../../format/sync-resources.ts';
import { PlanDrawer, type PlanFigure } from './plan-drawer.tsx';
import { WriteButton } from '../../components/writing.tsx';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';
import { CannotMove } from './cannot-move.tsx';
import { FreshNames } from './fresh-names.tsx';
import own from './next.module.css';
import { PlanFoot } from './plan-foot.tsx';
import { PlanTable } from './plan-table.tsx';
import { Recognised } from './recognised.tsx';
import { Uncertain } from './uncertain.tsx';

/** What a sync would move, before it does. */
export function PlanView({ control, plan }: { readonly control: SyncControl; readonly plan: SyncPlan }) {
  const { remote } = control;
  const [looked, look] = useState<PlanFigure | null>(null);
  return (
    <div className={styles.full} data-testid="sync-plan">
      <div className={styles.panes}>
        <section className={styles.pane} aria-label="What would move">
          <div className={styles.strip}>
            <span className={styles.mark} data-mark="done" aria-hidden />
            <b>Connected</b>
            <span className={`${styles.mid} truncate`} title={remote.base_url}>
              {hostOf(remote.base_url)} · {KIND_WORDS[plan.kind]}
            </span>
            <span className={own.read}>Only read so far, nothing sent</span>
            <WriteButton variant="default" size="compact-xs" onClick={control.preview} disabled={control.isStarting} data-testid="compare">
              Compare again
            </WriteButton>
          </div>
          <PlanTable plan={plan} remote={remote} onLook={look} />
          {plan.cannot_move.length > 0 && <CannotMove plan={plan} onLook={look} />}
        </section>
        <aside className={`${styles.pane} ${styles.aside}`} aria-label="Who is who">
          <Recognised plan={plan} />
          {plan.uncertain.length > 0 && <Uncertain remote={remote} pairs={plan.uncertain} />}
          {plan.fresh.length > 0 && <FreshNames plan={plan} name={remote.name} />}
        </aside>
      </div>
      <PlanFoot control={control} plan={plan} />
      <PlanDrawer remoteId={remote.id} figure={looked} onClose={() => look(null)} />
    </div>
  );
}

/** The address without what every address has. */
function hostOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/v1$/, '');
}
