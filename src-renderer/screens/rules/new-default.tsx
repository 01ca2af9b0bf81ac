import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Reconciliation, Rule } from '../../../src-shared/contract/index.ts';
import { bodyOf } from '../../../src-shared/contract/rules/rule-bodies.ts';
import { presetRules } from '../../../src-shared/contract/rules/rule-presets.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { counted } from '../../format/counts.ts';
import styles from './rules.module.css';

interface NewDefaultProps {
  readonly reconciliation: Reconciliation;
  readonly rules: readonly Rule[];
}

/** A reconciliation that still goes by amount and date is offered the rule of evidence, with what would change by it. */
export function NewDefault({ reconciliation, rules }: NewDefaultProps) {
  const { id } = reconciliation;
  const [runId, setRunId] = useState<number | null>(null);
  const rehearse = useCommand('runs.rehearse', (failure) => notifyFailure('This could not be tried', failure));
  const take = useCommand('rules.take_preset', (failure) => notifyFailure('The rules were not changed', failure));
  const former = rules.filter(({ source, method }) => source === 'default' && method === 'conditions');
  if (former.length === 0 || rules.some(({ method }) => method === 'evidence')) return null;
  const kept = rules.filter(({ source, status, paused }) => source !== 'default' && status === 'active' && !paused);
  async function tryIt(): Promise<void> {
    const answer = await rehearse.run({ id, rules: [...kept.map(bodyOf), ...presetRules('evidence')] });
    if (answer.ok) setRunId(answer.value.id);
  }
  async function takeIt(): Promise<void> {
    const answer = await take.run({ id, preset: 'evidence' });
    if (answer.ok) notifyDone('The next run goes by evidence');
  }
  return (
    <div className={`card ${styles.nothing}`} data-testid="new-default">
      <Text size="sm" fw={560}>
        Matching by evidence is there
      </Text>
      <Text size="sm" c="dimmed">
        It weighs amounts, days, names and references, matches what is certain and proposes what is likely. This reconciliation still goes
        by amount and date, until you decide. Trying it stores nothing.
      </Text>
      {runId !== null && <Tried id={id} runId={runId} />}
      <Group gap={6} mt={6}>
        <WriteButton
          size="compact-sm"
          variant="default"
          loading={rehearse.isRunning}
          onClick={() => void tryIt()}
          data-testid="try-new-default"
        >
          Try it
        </WriteButton>
        <WriteButton size="compact-sm" loading={take.isRunning} onClick={() => void takeIt()} data-testid="take-new-default">
          Take it
        </WriteButton>
      </Group>
    </div>
  );
}

function Tried({ id, runId }: { readonly id: number; readonly runId: number }) {
  const { value: run } = useQuery('runs.get', { id, run_id: runId });
  if (run === undefined || run.status !== 'completed') {
    return (
      <Text size="sm" mt={4}>
        {run?.error_message ?? 'Trying…'}
      </Text>
    );
  }
  return (
    <div data-testid="new-default-tried">
      <Text size="sm" mt={4}>
        {`Of what is open now it would match ${counted(run.matches, 'match', 'matches')} and propose ${counted(run.proposed_matches, 'more', 'more')}.`}
      </Text>
      {Object.values(run.rule_summary).flatMap(({ evidence }) =>
        (evidence?.words ?? []).map((words) => (
          <Text key={words} size="xs" c="dimmed">
            {words}
          </Text>
        )),
      )}
    </div>
  );
}
