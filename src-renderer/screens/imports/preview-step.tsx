import { Stack, Text } from '@mantine/core';
import type { ImportPreview, ImportRecipe } from '../../../src-shared/contract/index.ts';
import { counted, countText } from '../../format/counts.ts';
import { unreadableBecause } from '../../state/import-flow.ts';
import { blankRecipe, hasChoice } from '../../state/table-edit.ts';
import { sheetWords } from '../../format/table-words.ts';
import { ColumnsTable } from './columns-table.tsx';
import { FirstRows } from './first-rows.tsx';
import { HowRead } from './how-read.tsx';
import styles from './import.module.css';
import { Questions } from './questions.tsx';
import { RecipeBar, RecipeFault } from './recipe-bar.tsx';
import type { ImportProcess } from './use-import.ts';
import { BalancesPanel } from './balances-panel.tsx';
import { BatchLines } from './batch-lines.tsx';
import { FileFacts } from './file-facts.tsx';
import { Figures } from './figures.tsx';
import { Misfits } from './misfits.tsx';
import { OtherCurrency } from './other-currency.tsx';
import { ProblemList } from './problem-list.tsx';
import { TargetPanel } from './target-panel.tsx';

/** What was understood of the file, beside where it goes. */
export function PreviewStep({ process, preview }: { readonly process: ImportProcess; readonly preview: ImportPreview }) {
  const { isRereading } = process.flow;
  const isUnread = unreadableBecause(preview) !== null;
  return (
    <div className={isUnread ? undefined : styles.preview} data-testid="import-preview">
      <Stack gap="lg" miw={0} aria-busy={isRereading} className={`${styles.read} ${isRereading ? styles.rereading : ''}`}>
        {!isUnread && <Understood process={process} preview={preview} />}
        <Reading process={process} preview={preview} isUnread={isUnread} />
        <FileFacts preview={preview} />
      </Stack>
      {!isUnread && <TargetPanel process={process} preview={preview} />}
    </div>
  );
}

function Understood({ process, preview }: { readonly process: ImportProcess; readonly preview: ImportPreview }) {
  const { result } = preview;
  return (
    <>
      <Text size="sm" aria-live="polite">
        <b>{counted(result.rows, 'row')}</b> understood{sheetWords(preview.sheets)}: {countText(result.kept)} new,{' '}
        {countText(result.skipped)} already in the stream, {countText(result.rejected)} not readable.
      </Text>
      {result.recipe !== null && <RecipeBar process={process} used={result.recipe} />}
      <Misfits misfits={result.misfits} />
      <OtherCurrency process={process} problems={result.problems} />
      <Questions process={process} questions={result.questions} overlapping={result.overlap.length} />
      {result.batches !== null && <BatchLines batches={result.batches} process={process} />}
      <Figures result={result} />
      <BalancesPanel balances={result.balances} />
      <ProblemList result={result} />
      <FirstRows preview={preview} process={process} />
    </>
  );
}

interface ReadingProps {
  readonly process: ImportProcess;
  readonly preview: ImportPreview;
  readonly isUnread: boolean;
}

/** How a table is read, and what each of its columns is taken for. */
function Reading({ process, preview, isUnread }: ReadingProps) {
  const { flow } = process;
  if (preview.head.length === 0 && !hasChoice(preview.sheets)) return null;
  const recipe = flow.recipe ?? preview.result.recipe?.recipe ?? blankRecipe(preview, flow.table?.sheet ?? null);
  const edit = (edited: ImportRecipe): void => process.readBy({ recipe: edited });
  return (
    <>
      <HowRead process={process} preview={preview} recipe={recipe} isUnread={isUnread} />
      {isUnread && <RecipeFault recipe={flow.recipe} />}
      {recipe !== null && preview.columns.length > 1 && <ColumnsTable columns={preview.columns} recipe={recipe} onChange={edit} />}
    </>
  );
}
