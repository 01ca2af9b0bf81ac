import { useState } from 'react';
import type { SyncResource } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { RESOURCE_NAMES } from '../../format/sync-resources.ts';
import { LINES_PAGE, LinesFrame, LinesPage } from './lines-drawer.tsx';
import { say } from '../../../src-shared/words/say.ts';

/** A figure of a past sync; without a resource everything that moved in that direction. */
export interface RunFigure {
  readonly runId: number;
  readonly way: 'sent' | 'received' | 'not_moved';
  readonly resource?: SyncResource;
}

const WAYS: Readonly<Record<RunFigure['way'], string>> = {
  sent: say('sync.ways.sent'),
  received: say('sync.ways.received'),
  not_moved: say('sync.ways.notMoved'),
};

/** The lines of a figure in the history. */
export function RunDrawer({ figure, onClose }: { readonly figure: RunFigure | null; readonly onClose: () => void }) {
  const title =
    figure === null
      ? ''
      : `${figure.resource === undefined ? say('sync.runDrawer.all') : RESOURCE_NAMES[figure.resource]} ${WAYS[figure.way]}`;
  return (
    <LinesFrame title={title} isOpen={figure !== null} onClose={onClose}>
      {figure !== null && <RunLines key={`${figure.runId} ${figure.way} ${figure.resource ?? ''}`} figure={figure} />}
    </LinesFrame>
  );
}

function RunLines({ figure: { runId, way, resource } }: { readonly figure: RunFigure }) {
  const [page, setPage] = useState(0);
  const kind = resource === undefined ? {} : { resource };
  const read = useOperation('sync_runs.lines', { id: runId, way, ...kind, limit: LINES_PAGE, offset: page * LINES_PAGE });
  return <LinesPage read={read} page={page} onPage={setPage} />;
}
