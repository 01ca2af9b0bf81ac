import { Badge, Group, Switch, Text, Tooltip } from '@mantine/core';
import type { Reconciliation } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { useCommand } from '../../api/use-query.ts';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { useNow } from '../../components/use-now.ts';
import { useReadOnlyReason } from '../../components/writing.tsx';
import { listText } from '../../format/counts.ts';
import { instantText } from '../../format/dates.ts';
import { RUN_TYPE_HINTS, RUN_TYPE_MEANINGS, runSentence, SIGN_LABELS, SIGN_MEANINGS } from '../../format/words.ts';

/** What stands below the name: the sides, how signs are compared, and the last run. */
export function Facts({ reconciliation, isRunning }: { readonly reconciliation: Reconciliation; readonly isRunning: boolean }) {
  const now = useNow();
  const { last_run: last, sign_convention: signs } = reconciliation;
  const at = last?.completed_at ?? null;
  const sides = `${listText(reconciliation.side_a_streams.map(({ name }) => name))} against ${listText(reconciliation.side_b_streams.map(({ name }) => name))}`;
  return (
    <Group gap="xs" wrap="wrap">
      <Text size="sm" className="truncate" title={sides} flex="1 1 12rem" maw="max-content">
        {sides}
      </Text>
      <Tooltip label={SIGN_MEANINGS[signs]}>
        <Badge color="gray" tabIndex={0} style={{ cursor: 'help' }}>
          {SIGN_LABELS[signs]}
        </Badge>
      </Tooltip>
      {!isRunning && (
        <Text size="sm" title={at === null ? undefined : instantText(at)} data-testid="last-run">
          {last === null ? 'Not run yet.' : runSentence(last, now)}
        </Text>
      )}
    </Group>
  );
}

/** Switches between runs by themselves and runs on request, with a way back in the notification. */
export function RunsByItself({ reconciliation }: { readonly reconciliation: Reconciliation }) {
  const { client } = useConnection();
  const { id, run_type: runType } = reconciliation;
  const readOnly = useReadOnlyReason();
  const update = useCommand('reconciliations.update', (failure) => notifyFailure('This could not be changed', failure));
  async function change(next: Reconciliation['run_type']): Promise<void> {
    const answer = await update.run({ id, run_type: next });
    if (!answer.ok) return;
    const back = async (): Promise<void> => {
      const undone = await client.call('reconciliations.update', { id, run_type: runType });
      if (!undone.ok) notifyFailure('This could not be undone', undone.error);
    };
    notifyDone(RUN_TYPE_MEANINGS[next], () => void back());
  }
  return (
    <Tooltip label={readOnly ?? RUN_TYPE_HINTS[runType]}>
      <Switch
        label="Runs by itself"
        checked={runType === 'continuous'}
        disabled={update.isRunning || readOnly !== null}
        onChange={(event) => void change(event.currentTarget.checked ? 'continuous' : 'batch')}
        data-testid="runs-by-itself"
      />
    </Tooltip>
  );
}
