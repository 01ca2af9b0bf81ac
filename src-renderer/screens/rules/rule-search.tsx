import { Loader, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { AgentStep } from '../../../src-shared/contract/rules/proposals.ts';
import { useQuery } from '../../api/use-query.ts';
import { useNow } from '../../components/use-now.ts';
import { instantText } from '../../format/dates.ts';
import { searchLine } from '../../format/search-words.ts';
import styles from './rules.module.css';

/** Steps of a search that is under way are asked for so often. */
const LOOK_EVERY_MS = 800;

/** Where the search for rules stands, what the last one found and why, and its steps. Nothing before the first. */
export function RuleSearch({ reconciliationId }: { readonly reconciliationId: number }) {
  const { value: status, refetch } = useQuery('proposals.agent_status', { id: reconciliationId });
  const nowMs = useNow();
  const isRunning = status?.status === 'running';
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(refetch, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isRunning, refetch]);
  const line = status === undefined ? null : searchLine(status, nowMs);
  if (status === undefined || line === null) return null;
  return (
    <div className={`card ${styles.search}`} data-testid="agent-status" data-status={status.status}>
      <Text size="sm" c={status.status === 'failed' ? 'red' : undefined} aria-live="polite" className={styles.searchLine}>
        {isRunning && <Loader size={12} mr={8} aria-hidden />}
        {line}
      </Text>
      <details>
        <summary>What it looked at, and its steps</summary>
        {status.reasoning !== null && (
          <Text size="sm" mt={4} data-testid="agent-reasoning">
            {status.reasoning}
          </Text>
        )}
        <Steps steps={status.progress} />
      </details>
    </div>
  );
}

function Steps({ steps }: { readonly steps: readonly AgentStep[] }) {
  return (
    <ol className={styles.steps} data-testid="agent-steps">
      {steps.map(({ step, message, at }) => (
        <li key={`${step} ${at} ${message}`}>
          <span>{message}</span> <time dateTime={at}>{instantText(at)}</time>
        </li>
      ))}
    </ol>
  );
}
