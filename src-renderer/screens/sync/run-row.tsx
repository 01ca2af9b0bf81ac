import { ActionIcon, Box, Button, Group, List, Modal, SimpleGrid, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { SyncRemote, SyncResource, SyncRun, SyncUndoPlan } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { Band, Facts, FigureButton, Mark, StateBadge, type StateTone } from '../../components/primitives.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { countOf, countText } from '../../format/counts.ts';
import { durationText, instantText } from '../../format/dates.ts';
import { kindName, RESOURCE_NAMES, RESOURCES } from '../../format/sync-resources.ts';
import { deletedBy, deletedText, runOrigin, runState } from '../../format/sync-words.ts';
import { LINES_PAGE, LinesFrame, LinesPage } from './lines-drawer.tsx';
import { DeletionList } from './plan-view.tsx';

interface RunRowProps {
  readonly run: SyncRun;
  readonly remote: SyncRemote;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly onLook: (figure: RunFigure) => void;
}

const COLUMNS = 7;

/** One sync: its time, its origin, what moved, and its result. */
export function RunRow({ run, remote, isOpen, onToggle, onLook }: RunRowProps) {
  const when = instantText(run.started_at);
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
            aria-label={say('sync.runRow.whatTheSyncOfMoved', { when })}
            data-testid="unfold-run"
          >
            {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
          </ActionIcon>
        </td>
        <th scope="row" className="tabular">
          {when}
        </th>
        <td title={origin}>{origin}</td>
        <RunCount count={run.sent_total} label={say('sync.runRow.sentHere')} onClick={() => onLook({ runId: run.id, way: 'sent' })} />
        <RunCount
          count={run.received_total}
          label={say('sync.runRow.receivedHere')}
          onClick={() => onLook({ runId: run.id, way: 'received' })}
        />
        <td className={deletedBy(run) === 0 ? 'amount quiet' : 'amount'} title={deletedText(run.deletions)}>
          {deletedBy(run) === 0 ? '–' : countText(run.deletions.count)}
        </td>
        <td>
          <StateBadge tone={state.tone} isPlain title={run.error?.message ?? state.words}>
            {state.words}
          </StateBadge>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={COLUMNS} className="wrap">
            <RunDetails run={run} remote={remote} onLook={onLook} />
          </td>
        </tr>
      )}
    </>
  );
}

interface RunDetailsProps {
  readonly run: SyncRun;
  readonly remote: SyncRemote;
  readonly onLook: (figure: RunFigure) => void;
}

/** The details of a sync: counts by kind, what was not moved and why, and its duration. */
function RunDetails({ run, remote, onLook }: RunDetailsProps) {
  return (
    <SimpleGrid minColWidth={240} autoFlow="auto-fit" spacing="xl" py="sm" data-testid="run-details">
      <div>
        <Kinds run={run} onLook={onLook} />
      </div>
      <Stack className="small" gap="sm" align="start">
        {run.error !== null && <Band tone="broken">{run.error.message}</Band>}
        <ul className="plain">
          <Outcome run={run} remote={remote} />
        </ul>
        {run.deletions.count > 0 && (
          <Box className="small wrap" my="sm">
            <h3 className="plain small">{deletedBy(run) === 0 ? say('sync.runRow.waitsToBeDeleted') : say('sync.runRow.deleted')}</h3>
            <DeletionList deletions={run.deletions} />
          </Box>
        )}
        <NotMovedList title={say('sync.runRow.refused')} items={run.refused} />
        <NotMovedList title={say('sync.runRow.notSureWhetherItArrived')} items={run.unsure} />
        <NotMovedList title={say('sync.runRow.cannotMove')} items={run.cannot_move} />
        {run.refused.length + run.unsure.length + run.cannot_move.length > 0 && (
          <Button variant="default" size="compact-sm" onClick={() => onLook({ runId: run.id, way: 'not_moved' })} data-testid="not-moved">
            {say('sync.runRow.showAllThatDidNotMove')}
          </Button>
        )}
        <UndoRun run={run} remote={remote} />
        <Facts
          facts={[
            { name: say('sync.runRow.took'), value: durationText(run.started_at, run.ended_at) },
            ...(run.backup === null ? [] : [{ name: say('sync.runRow.backup'), value: run.backup }]),
          ]}
        />
      </Stack>
    </SimpleGrid>
  );
}

function Kinds({ run, onLook }: Pick<RunDetailsProps, 'run' | 'onLook'>) {
  const kinds = RESOURCES.filter((name) => run.sent[name] + run.received[name] > 0);
  if (kinds.length === 0)
    return (
      <p className="plain mid small">
        {run.state === 'under_way' ? say('sync.runRow.whatItMovesIsListed') : say('sync.runRow.nothingMoved')}
      </p>
    );
  return (
    <FigureTable
      columns={[
        { head: <VisuallyHidden>{say('sync.runRow.kind')}</VisuallyHidden> },
        { head: say('sync.runRow.sentColumn'), width: 64, isFigure: true },
        { head: say('sync.runRow.receivedColumn'), width: 64, isFigure: true },
      ]}
      className="flush"
    >
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
        <tr data-total>
          <th scope="row">{say('sync.runRow.total')}</th>
          <td className="amount">{countText(run.sent_total)}</td>
          <td className="amount">{countText(run.received_total)}</td>
        </tr>
      </tbody>
    </FigureTable>
  );
}

function Outcome({ run, remote }: Pick<RunDetailsProps, 'run' | 'remote'>) {
  const { verified } = run;
  return (
    <>
      {run.to_decide > 0 && (
        <Fact tone="open">
          {say('sync.runRow.toDecide', { toDecide: countText(run.to_decide) })}
          {remote.to_decide > 0 && (
            <PlaceLink place={{ screen: 'sync', id: remote.id, tab: 'decide' }}>
              {' '}
              {say('sync.runRow.decide', { toDecide: countText(remote.to_decide) })}
            </PlaceLink>
          )}
        </Fact>
      )}
      {run.refused.length + run.unsure.length === 0 && run.error === null && run.state !== 'under_way' && (
        <Fact tone="done">{say('sync.runRow.nothingRefusedNothingDoubtful')}</Fact>
      )}
      {verified !== null && (
        <Fact tone={verified.equal ? 'done' : run.to_decide > 0 ? 'open' : 'broken'}>
          {say('sync.runRow.verified', {
            moment: instantText(verified.at).slice(11),
            bothSides: verified.equal
              ? say('sync.runRow.bothSidesAgree')
              : `${countText(verified.different)} ${verified.different === 1 ? say('sync.runRow.differs') : say('sync.runRow.differ')}`,
          })}
        </Fact>
      )}
    </>
  );
}

function Fact({ tone, children }: { readonly tone: StateTone; readonly children: ReactNode }) {
  return (
    <li className="row">
      <Mark tone={tone} />
      <span>{children}</span>
    </li>
  );
}

interface RunCountProps {
  readonly count: number;
  /** The direction: `sent`. */
  readonly label: string;
  readonly onClick: () => void;
}

/** The number of objects that moved in one direction. A click lists them. */
function RunCount({ count, label, onClick }: RunCountProps) {
  if (count === 0) return <td className="amount quiet">–</td>;
  return (
    <td className="amount">
      <FigureButton label={`${countOf(count, 'count.things')} ${label}`} onClick={onClick} testId="run-figure">
        {countText(count)}
      </FigureButton>
    </td>
  );
}

interface UndoRunProps {
  readonly run: SyncRun;
  readonly remote: SyncRemote;
}

/** Undoes what a sync changed here, or says when that was undone. Renders nothing when the sync changed nothing. */
function UndoRun({ run, remote }: UndoRunProps) {
  const [isOpen, open] = useState(false);
  if (run.undone_at !== null) return <p>{say('sync.runRow.undone', { moment: instantText(run.undone_at) })}</p>;
  if (run.received_total === 0 || run.state === 'under_way') return null;
  return (
    <>
      <WriteButton
        variant="default"
        size="compact-sm"
        leftSection={<IconArrowBackUp size={15} aria-hidden />}
        onClick={() => open(true)}
        data-testid="undo-run"
      >
        {say('sync.runRow.undoThisSync')}
      </WriteButton>
      {isOpen && <UndoDialog run={run} remote={remote} onClose={() => open(false)} />}
    </>
  );
}

/** Returns the number of changes that a sync made here: `3 changes and 558 deletions`. */
function changesOf({ received_total: received, deletions }: SyncRun): string {
  const changes = countOf(received, 'count.changes');
  return deletions.here === 0 ? changes : say('sync.runRow.andDeletions', { changes, here: deletions.here });
}

function UndoDialog({ run, remote, onClose }: UndoRunProps & { readonly onClose: () => void }) {
  const { data: plan, error: failure, refetch } = useOperation('sync_runs.undo_plan', { id: run.id });
  const undo = useCommand('sync_runs.undo', (refused) => notifyFailure(say('sync.runRow.nothingWasUndone'), refused));
  async function accept(lost: number): Promise<void> {
    const done = await undo.run({ id: run.id, also_undo: lost });
    if (!done.ok) return;
    notifyDone(say('sync.runRow.theSyncIsUndone'));
    onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('sync.runRow.undoTheSyncOf', { moment: instantText(run.started_at) })}
      closeButtonProps={{ 'aria-label': say('sync.runRow.close') }}
      data-testid="undo-dialog"
    >
      <Stack>
        {plan === undefined && failure !== null && (
          <FailurePanel title={say('sync.runRow.itCouldNotBeLookedAt')} failure={failure} onRetry={refetch} />
        )}
        {plan?.can_undo === false && <Text size="sm">{say('sync.runRow.itCannotBeUndone', { whyNot: plan.why_not ?? '' })}</Text>}
        {plan?.can_undo === true && (
          <Text size="sm">{say('sync.runRow.theBookIsPut', { changes: changesOf(run), name: remote.name })}</Text>
        )}
        {plan !== undefined && plan.lost > 0 && <Lost plan={plan} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {plan?.can_undo === true ? say('sync.runRow.leaveItAsItIs') : say('sync.runRow.close')}
          </Button>
          {plan?.can_undo === true && (
            <WriteButton color="red" onClick={() => void accept(plan.lost)} loading={undo.isRunning} data-testid="undo-accept">
              {plan.lost === 0 ? say('sync.runRow.undoTheSync') : say('sync.runRow.undoItAndChanges', { lost: plan.lost })}
            </WriteButton>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Later changes here that undoing the sync would discard. */
function Lost({ plan }: { readonly plan: SyncUndoPlan }) {
  return (
    <>
      <Text size="sm">{say('sync.runRow.laterChangesAreUndone', { lost: plan.lost })}</Text>
      <List size="sm" data-testid="undo-lost">
        {plan.list.map(({ words, count, last_at: at }) => (
          <List.Item key={words}>
            {words}, {count === 1 ? say('sync.runRow.on') : say('sync.runRow.theLastOneOn')} {instantText(at)}.
          </List.Item>
        ))}
      </List>
    </>
  );
}

/** The most entries in the list. All of them are among the lines of the sync. */
const LISTED = 8;

interface NotMovedListProps {
  readonly title: string;
  readonly items: SyncRun['refused'];
}

/** The objects that were not moved, each with its reason. */
export function NotMovedList({ title, items }: NotMovedListProps) {
  if (items.length === 0) return null;
  return (
    <Box className="small wrap" my="sm">
      <h3 className="plain small">
        {title} <span className="quiet">{countText(items.length)}</span>
      </h3>
      <ul className="plain">
        {items.slice(0, LISTED).map(({ resource, name, reason }) => (
          <li key={`${resource} ${name} ${reason}`}>
            <b>
              {kindName(resource)}: {name}
            </b>{' '}
            <span>{reason}</span>
          </li>
        ))}
      </ul>
      {items.length > LISTED && <p>{say('sync.notMovedList.moreAreNotListed', { items: countText(items.length - LISTED) })}</p>}
    </Box>
  );
}

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
