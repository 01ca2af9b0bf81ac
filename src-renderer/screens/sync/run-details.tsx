import { Button, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SyncRemote, SyncRun } from '../../../src-shared/contract/index.ts';
import { PlaceLink } from '../../components/place-link.tsx';
import { momentText } from '../../format/close-days.ts';
import { countText } from '../../format/counts.ts';
import { durationText } from '../../format/dates.ts';
import { RESOURCE_NAMES, RESOURCES } from '../../format/sync-resources.ts';
import own from './history.module.css';
import { NotMovedList } from './not-moved-list.tsx';
import { RunCount } from './run-count.tsx';
import type { RunFigure } from './run-drawer.tsx';
import styles from './sync.module.css';
import { UndoRun } from './undo-run.tsx';

interface RunDetailsProps {
  readonly run: SyncRun;
  readonly remote: SyncRemote;
  readonly onLook: (figure: RunFigure) => void;
}

/** One sync unfolded: kind by kind, what did not go and why, how long it took. */
export function RunDetails({ run, remote, onLook }: RunDetailsProps) {
  return (
    <div className={own.details} data-testid="run-details">
      <Kinds run={run} onLook={onLook} />
      <div className={own.facts}>
        {run.error !== null && <p className={own.error}>{run.error.message}</p>}
        <ul>
          <Facts run={run} remote={remote} />
        </ul>
        <NotMovedList title="Refused" items={run.refused} />
        <NotMovedList title="Not sure whether it arrived" items={run.unsure} />
        <NotMovedList title="Cannot move" items={run.cannot_move} />
        {run.refused.length + run.unsure.length + run.cannot_move.length > 0 && (
          <Button variant="default" size="compact-sm" onClick={() => onLook({ runId: run.id, way: 'not_moved' })} data-testid="not-moved">
            Show all that did not move
          </Button>
        )}
        <UndoRun run={run} remote={remote} />
        <dl>
          <dt>Took</dt>
          <dd>{durationText(run.started_at, run.ended_at)}</dd>
          {run.backup !== null && (
            <>
              <dt>Backup</dt>
              <dd title={run.backup}>{run.backup}</dd>
            </>
          )}
        </dl>
      </div>
    </div>
  );
}

function Kinds({ run, onLook }: Pick<RunDetailsProps, 'run' | 'onLook'>) {
  const kinds = RESOURCES.filter((name) => run.sent[name] + run.received[name] > 0);
  if (kinds.length === 0)
    return <p className={own.nothing}>{run.state === 'under_way' ? 'What it moves is listed when it has ended.' : 'Nothing moved.'}</p>;
  return (
    <table className={own.kinds}>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>Kind</VisuallyHidden>
          </th>
          <th scope="col">Sent</th>
          <th scope="col">Received</th>
        </tr>
      </thead>
      <tbody>
        {kinds.map((resource) => (
          <tr key={resource}>
            <th scope="row">{RESOURCE_NAMES[resource]}</th>
            {(['sent', 'received'] as const).map((way) => (
              <RunCount
                key={way}
                count={run[way][resource]}
                label={`${RESOURCE_NAMES[resource].toLowerCase()}, ${way}`}
                onClick={() => onLook({ runId: run.id, way, resource })}
              />
            ))}
          </tr>
        ))}
        <tr className={own.sum}>
          <th scope="row">Total</th>
          <td className={styles.num}>{countText(run.sent_total)}</td>
          <td className={styles.num}>{countText(run.received_total)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Facts({ run, remote }: Pick<RunDetailsProps, 'run' | 'remote'>) {
  const { verified } = run;
  return (
    <>
      {run.to_decide > 0 && (
        <Fact mark="open">
          {countText(run.to_decide)} to decide
          {remote.to_decide > 0 && (
            <PlaceLink place={{ screen: 'sync', id: remote.id, tab: 'decide' }}>Decide {countText(remote.to_decide)}</PlaceLink>
          )}
        </Fact>
      )}
      {run.refused.length + run.unsure.length === 0 && run.error === null && run.state !== 'under_way' && (
        <Fact mark="done">Nothing refused, nothing doubtful</Fact>
      )}
      {verified !== null && (
        <Fact mark={verified.equal ? 'done' : run.to_decide > 0 ? 'open' : 'broken'}>
          Verified {momentText(verified.at).slice(11)}:{' '}
          {verified.equal ? 'both sides agree' : `${countText(verified.different)} ${verified.different === 1 ? 'differs' : 'differ'}`}
        </Fact>
      )}
    </>
  );
}

function Fact({ mark, children }: { readonly mark: string; readonly children: ReactNode }) {
  return (
    <li>
      <span className={styles.mark} data-mark={mark} aria-hidden />
      <span>{children}</span>
    </li>
  );
}
