import { useStore } from 'zustand';
import { useCommand } from '../../api/use-query.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { useNavigation } from '../../state/navigation.ts';
import { runProgress } from '../../state/run-progress.ts';

/** Runs a reconciliation that has never run, and shows it. */
export function RunHere({ id }: { readonly id: number }) {
  const go = useNavigation((state) => state.go);
  const run = useCommand('runs.start', (failure) => notifyFailure('The run did not start', failure));
  const isRunning = useStore(runProgress, (state) => state.running[id] !== undefined);
  async function start(): Promise<void> {
    const answer = await run.run({ id });
    if (answer.ok) go({ screen: 'reconciliation', id });
  }
  return (
    <WriteButton
      size="xs"
      variant="default"
      loading={run.isRunning}
      disabled={isRunning}
      onClick={() => void start()}
      data-testid="reconciliation-run"
    >
      Run
    </WriteButton>
  );
}
