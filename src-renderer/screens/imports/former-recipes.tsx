import { Group, Skeleton, Stack, Text } from '@mantine/core';
import type { FormerRecipe, StoredRecipe } from '../../../src-shared/contract/index.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { counted, listText } from '../../format/counts.ts';
import { differencesOf } from '../../format/recipe-words.ts';
import styles from '../book/settings.module.css';

/** What a recipe said before it was replaced, each of which can be put back. */
export function FormerRecipes({ stored }: { readonly stored: StoredRecipe }) {
  const former = useQuery('import_recipes.former', { id: stored.id });
  if (former.failure !== undefined && former.value === undefined) {
    return <FailurePanel title="The former recipes could not be read" failure={former.failure} onRetry={former.refetch} />;
  }
  if (former.value === undefined) return <Skeleton height={40} />;
  return (
    <Stack gap="xs" className={styles.former} data-testid="former-recipes">
      {former.value.map((each) => (
        <Former key={each.id} former={each} stored={stored} />
      ))}
    </Stack>
  );
}

function Former({ former, stored }: { readonly former: FormerRecipe; readonly stored: StoredRecipe }) {
  const restore = useCommand('import_recipes.restore', (failure) => notifyFailure('The recipe could not be put back', failure));
  const differences = differencesOf(former.recipe, stored.recipe);
  async function putBack(): Promise<void> {
    const answer = await restore.run({ id: stored.id, former_id: former.id });
    if (answer.ok) notifyDone(`Put back: what the recipe ${stored.recipe.name} said before`);
  }
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap" data-testid="former-recipe">
      <Text size="sm">
        Until <Instant at={former.replaced_at} />: {counted(former.recipe.columns.length, 'column')}
        <Text span c="dimmed">
          {differences.length === 0 ? ', reads as the present one does' : `, differs in ${listText(differences)}`}
        </Text>
      </Text>
      <WriteButton
        size="compact-sm"
        variant="default"
        loading={restore.isRunning}
        onClick={() => void putBack()}
        data-testid="put-back-recipe"
      >
        Put back
      </WriteButton>
    </Group>
  );
}
