import { useState } from 'react';
import type { SyncResource } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { RESOURCE_NAMES } from '../../format/sync-resources.ts';
import { LINES_PAGE, LinesFrame, LinesPage } from './lines-drawer.tsx';

/** A figure of a preview. */
export interface PlanFigure {
  readonly resource: SyncResource;
  readonly part: 'send' | 'receive' | 'stays';
}

const PARTS: Readonly<Record<PlanFigure['part'], string>> = { send: 'to send', receive: 'to receive', stays: 'that cannot move' };

interface PlanDrawerProps {
  readonly remoteId: number;
  /** Null: closed. */
  readonly figure: PlanFigure | null;
  readonly onClose: () => void;
}

/** What is behind a figure of the preview. */
export function PlanDrawer({ remoteId, figure, onClose }: PlanDrawerProps) {
  const title = figure === null ? '' : `${RESOURCE_NAMES[figure.resource]} ${PARTS[figure.part]}`;
  return (
    <LinesFrame title={title} isOpen={figure !== null} onClose={onClose}>
      {figure !== null && <PlanLines key={`${figure.resource} ${figure.part}`} remoteId={remoteId} figure={figure} />}
    </LinesFrame>
  );
}

function PlanLines({ remoteId, figure }: { readonly remoteId: number; readonly figure: PlanFigure }) {
  const [page, setPage] = useState(0);
  const read = useQuery('syncs.plan_lines', { id: remoteId, ...figure, limit: LINES_PAGE, offset: page * LINES_PAGE });
  return <LinesPage read={read} page={page} onPage={setPage} />;
}
