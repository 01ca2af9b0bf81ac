import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { SyncRemote, SyncRun } from '../../../src-shared/contract/index.ts';
import { StateBadge } from '../../components/state-badge.tsx';
import { momentText } from '../../format/close-days.ts';
import { runOrigin, runState } from '../../format/sync-states.ts';
import own from './history.module.css';
import { RunCount } from './run-count.tsx';
import { RunDetails } from './run-details.tsx';
import type { RunFigure } from './run-drawer.tsx';

interface RunRowProps {
  readonly run: SyncRun;
  readonly remote: SyncRemote;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onLook: (figure: RunFigure) => void;
}

const COLUMNS = 6;

/** One sync: when, who or what started it, what moved, and what came of it. */
export function RunRow({ run, remote, isOpen, onToggle, onLook }: RunRowProps) {
  const when = momentText(run.started_at);
  const state = runState(run);
  const origin = runOrigin(run);
  return (
    <>
      <tr data-open={isOpen || undefined} data-testid="sync-run">
        <td>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={onToggle}
            aria-expanded={isOpen}
            aria-label={`What the sync of ${when} moved`}
            data-testid="unfold-run"
          >
            {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
          </ActionIcon>
        </td>
        <th scope="row" className="tabular">
          {when}
        </th>
        <td title={origin}>{origin}</td>
        <RunCount count={run.sent_total} label="sent" onClick={() => onLook({ runId: run.id, way: 'sent' })} />
        <RunCount count={run.received_total} label="received" onClick={() => onLook({ runId: run.id, way: 'received' })} />
        <td>
          <StateBadge tone={state.tone} isPlain title={run.error?.message ?? state.words}>
            {state.words}
          </StateBadge>
        </td>
      </tr>
      {isOpen && (
        <tr className={own.unfolded}>
          <td colSpan={COLUMNS}>
            <RunDetails run={run} remote={remote} onLook={onLook} />
          </td>
        </tr>
      )}
    </>
  );
}
