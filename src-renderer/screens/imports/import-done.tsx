import { Button, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconArrowBackUp, IconCheck } from '@tabler/icons-react';
import { useStore } from 'zustand';
import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { ProofBadge } from '../../components/proof-badge.tsx';
import { balancesSentence } from '../../format/balances.ts';
import { counted, countText } from '../../format/counts.ts';
import { proofSentence } from '../../format/proofs.ts';
import { holdsLines } from '../../components/holds-lines.ts';
import { WriteButton } from '../../components/writing.tsx';
import { useNavigation } from '../../state/navigation.ts';
import { askToUndoImport } from '../../state/undo-import.ts';
import { isWithoutMovement } from '../../state/import-flow.ts';
import { undoStack } from '../../state/undo-stack.ts';
import styles from './import.module.css';
import { LeftOutRows } from './left-out-rows.tsx';
import { RememberedRecipe } from './remembered-recipe.tsx';
import type { ImportProcess } from './use-import.ts';

/** What was decided about lines that are here already. */
const TOLD_OF_SAME_LINES: ReadonlySet<string> = new Set(['overlap_same', 'overlap_new']);

interface ImportDoneProps {
  readonly process: ImportProcess;
  readonly result: ImportResult;
}

/** What the import did, the way back, and what comes next. */
export function ImportDone({ process, result }: ImportDoneProps) {
  const { flow, again: onAgain } = process;
  const go = useNavigation((state) => state.go);
  const { value: streams } = useQuery('streams.list', {});
  const stream = streams?.find(({ key }) => key === result.stream);
  const { batch_id: batchId } = result;
  const canUndo = useStore(undoStack, ({ entries }) =>
    entries.some(({ kind, targetId }) => kind === 'remove_import' && targetId === batchId),
  );
  const isUndone = batchId !== null && !canUndo;
  return (
    <Stack className="card" p="xl" gap="lg" data-testid="import-result">
      <Group gap="md" wrap="nowrap" align="flex-start">
        <ThemeIcon size={38} radius="xl" variant="light" aria-hidden>
          <IconCheck size={22} />
        </ThemeIcon>
        <Stack gap={4} miw={0}>
          <Title order={2} aria-live="polite">
            {isUndone
              ? 'This import was undone'
              : `${isWithoutMovement(result) ? counted(result.balances.stated, 'balance') : counted(batchId === null ? 0 : result.kept, 'record')} imported into ${stream?.name ?? result.stream}`}
          </Title>
          <Text size="sm" c="dimmed" className={styles.fileName}>
            {countText(result.skipped)} already there and skipped, {countText(result.rejected)} rejected, from{' '}
            {flow.file?.name ?? 'the file'}.
          </Text>
          {!isUndone &&
            result.problems
              .filter(({ code }) => TOLD_OF_SAME_LINES.has(code))
              .map(({ code, message }) => (
                <Text key={code} size="sm" data-testid="imported-overlap">
                  {message}
                </Text>
              ))}
          {result.balances.stated > 0 && !isUndone && (
            <Text size="sm" data-testid="imported-balances">
              {balancesSentence(result.balances)}
            </Text>
          )}
          <Group gap="xs" mt="xs">
            <ProofBadge proof={result.proof} explanation={proofSentence(result)} />
            <Text size="sm">{proofSentence(result)}</Text>
          </Group>
        </Stack>
      </Group>
      {result.remembered !== null && !isUndone && <RememberedRecipe remembered={result.remembered} />}
      {!isUndone && <LeftOutRows key={flow.jobId} process={process} result={result} />}
      <Group gap="sm">
        <NextStep canReconcile={(streams?.filter(holdsLines).length ?? 0) > 1} />
        <Button variant="default" onClick={onAgain} data-testid="import-again">
          Import another file
        </Button>
        <Button variant="default" onClick={() => go({ screen: 'stream', key: result.stream })}>
          Show the stream
        </Button>
        {batchId !== null && canUndo && (
          <WriteButton
            variant="subtle"
            color="gray"
            leftSection={<IconArrowBackUp size={16} aria-hidden />}
            onClick={() => askToUndoImport(batchId)}
            data-testid="undo-import"
          >
            Undo import
          </WriteButton>
        )}
      </Group>
    </Stack>
  );
}

function NextStep({ canReconcile }: { readonly canReconcile: boolean }) {
  const go = useNavigation((state) => state.go);
  const open = useNavigation((state) => state.open);
  const list = useQuery('reconciliations.list', { limit: 100 });
  const only = list.value?.data.length === 1 ? list.value.data[0] : undefined;
  if (only !== undefined) return <Button onClick={() => go({ screen: 'reconciliation', id: only.id })}>Open {only.name}</Button>;
  if (list.value?.data.length === 0 && canReconcile)
    return <WriteButton onClick={() => open('new_reconciliation')}>New reconciliation</WriteButton>;
  return <Button onClick={() => go({ screen: 'book' })}>To the book</Button>;
}
