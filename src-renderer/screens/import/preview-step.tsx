import { Stack, Text } from '@mantine/core';
import type { ImportPreview, ImportRecipe } from '../../../src-shared/contract/index.ts';
import { counted, countText } from '../../format/counts.ts';
import { BalancesPanel } from './balances-panel.tsx';
import { ColumnsTable } from './columns-table.tsx';
import { FileFacts } from './file-facts.tsx';
import { Figures } from './figures.tsx';
import { FirstRows } from './first-rows.tsx';
import styles from './import.module.css';
import { ProblemList } from './problem-list.tsx';
import { RecipeBar } from './recipe-bar.tsx';
import { RecipeFacts } from './recipe-facts.tsx';
import { TargetPanel } from './target-panel.tsx';
import type { ImportProcess } from './use-import.ts';

/** What was understood of the file, beside where it goes. */
export function PreviewStep({ process, preview }: { readonly process: ImportProcess; readonly preview: ImportPreview }) {
  const { result } = preview;
  const { isRereading } = process.flow;
  const recipe = process.flow.recipe ?? result.recipe?.recipe ?? null;
  const edit = (edited: ImportRecipe): void => process.readBy({ recipe: edited });
  return (
    <div className={styles.preview} data-testid="import-preview">
      <Stack gap="lg" miw={0} aria-busy={isRereading} className={isRereading ? styles.rereading : undefined}>
        <Text size="sm" aria-live="polite">
          <b>{counted(result.rows, 'row')}</b> understood: {countText(result.kept)} new, {countText(result.skipped)} already in the stream,{' '}
          {countText(result.rejected)} not readable.
        </Text>
        {result.recipe !== null && <RecipeBar process={process} used={result.recipe} />}
        <Figures result={result} />
        <BalancesPanel balances={result.balances} />
        <ProblemList result={result} />
        <FirstRows rows={preview.rows} currency={result.currency} process={process} />
        {recipe !== null && <ColumnsTable columns={preview.columns} recipe={recipe} onChange={edit} />}
        {recipe !== null && <RecipeFacts recipe={recipe} onChange={edit} />}
        <FileFacts preview={preview} />
      </Stack>
      <TargetPanel process={process} preview={preview} />
    </div>
  );
}
