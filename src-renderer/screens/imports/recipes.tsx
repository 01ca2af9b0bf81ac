import { ActionIcon, Button, FileButton, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { FormerRecipe, ImportRecipe, StoredRecipe } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { Said } from '../../components/said.tsx';
import { WriteButton, WriteIcon } from '../../components/writing.tsx';
import { countOf, listText } from '../../format/counts.ts';
import { Section } from '../book/section.tsx';
import styles from '../book/settings.module.css';

/** The recipes that read files: rename, delete, export to and import from a file. */
export function Recipes() {
  const list = useOperation('import_recipes.list', {});
  const create = useCommand('import_recipes.create', (failure) =>
    notifyFailure(say('imports.recipes.theImportProfileCouldNotBeKept'), failure),
  );
  async function keep(recipe: ImportRecipe): Promise<void> {
    const answer = await create.run({ recipe });
    if (answer.ok) notifyDone(say('imports.recipes.keptTheImportProfile', { name: answer.value.recipe.name }));
  }
  async function take(file: File | null): Promise<void> {
    if (file === null) return;
    try {
      // The service validates the members.
      await keep(JSON.parse(await file.text()) as ImportRecipe);
    } catch {
      notifyFailure(say('imports.recipes.theImportProfileCouldNotBeKept'), {
        message: say('imports.recipes.isNoImportProfileItIsNotJson', { name: file.name }),
      });
    }
  }
  return (
    <Section id="recipes" title={say('imports.recipes.importProfiles')} about={say('imports.recipes.howTheTablesOfYourBanks')}>
      {list.isLoadingError && (
        <FailurePanel title={say('imports.recipes.theImportProfilesCouldNotBeRead')} failure={list.error} onRetry={list.refetch} />
      )}
      {list.isPending && <Skeleton height={60} />}
      {list.data?.length === 0 && (
        <Text size="sm" c="dimmed" className={styles.row} data-testid="no-recipes">
          {say('imports.recipes.noneYetTickRemember')}
        </Text>
      )}
      {list.data?.map((stored) => (
        <Row key={stored.id} stored={stored} onRestore={keep} />
      ))}
      <Group className={styles.row}>
        <FileButton accept="application/json,.json" onChange={(file) => void take(file)}>
          {(props) => (
            <Button {...props} variant="default" size="sm" loading={create.isRunning} data-testid="take-recipe">
              {say('imports.recipes.takeAnImportProfileFromAFile')}
            </Button>
          )}
        </FileButton>
      </Group>
    </Section>
  );
}

function RecipeFacts({ stored: { recipe, last_used_at: lastUsedAt } }: { readonly stored: StoredRecipe }) {
  const columns = countOf(recipe.columns.length, 'count.columns');
  return (
    <Text size="sm" c="dimmed">
      {recipe.sheet === null ? columns : say('imports.recipes.ofTheSheet', { columns, sheet: recipe.sheet })},{' '}
      {recipe.stream_key !== null && `${say('imports.recipes.for', { streamKey: recipe.stream_key })}, `}
      {lastUsedAt === null ? (
        say('imports.recipes.notUsedYet')
      ) : (
        <Said words="imports.recipes.lastUsed" with={{ at: <Instant at={lastUsedAt} /> }} />
      )}
    </Text>
  );
}

function Row({ stored, onRestore }: { readonly stored: StoredRecipe; readonly onRestore: (recipe: ImportRecipe) => Promise<void> }) {
  const { id, recipe, former } = stored;
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState(recipe.name);
  const rename = useCommand('import_recipes.update', (failure) =>
    notifyFailure(say('imports.recipes.theImportProfileCouldNotBeRenamed'), failure),
  );
  const remove = useCommand('import_recipes.remove', (failure) =>
    notifyFailure(say('imports.recipes.theImportProfileCouldNotBeDeleted'), failure),
  );
  async function settle(): Promise<void> {
    const wished = name.trim();
    if (wished === recipe.name || wished === '') return setName(recipe.name);
    const answer = await rename.run({ id, name: wished });
    if (!answer.ok) setName(recipe.name);
  }
  async function forget(): Promise<void> {
    const answer = await remove.run({ id });
    if (answer.ok) notifyDone(say('imports.recipes.deletedTheImportProfile', { name: recipe.name }), () => void onRestore(recipe));
  }
  return (
    <Group className={styles.row} justify="space-between" gap="xs" data-testid="recipe-row">
      <Stack gap={2} flex="1 1 14rem" miw={0}>
        <TextInput
          aria-label={say('imports.recipes.nameOfTheImportProfile', { name: recipe.name })}
          value={name}
          maxLength={255}
          onChange={(event) => setName(event.currentTarget.value)}
          onBlur={() => void settle()}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          data-testid="recipe-rename"
        />
        <RecipeFacts stored={stored} />
      </Stack>
      <Group gap="xs">
        {former > 0 && (
          <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} data-testid="show-former">
            {countOf(former, 'count.formerOnes')}
          </Button>
        )}
        <ActionIcon
          variant="default"
          size="lg"
          aria-label={say('imports.recipes.saveAsAFile', { name: recipe.name })}
          onClick={() => save(recipe)}
          data-testid="save-recipe"
        >
          <IconDownload size={17} aria-hidden />
        </ActionIcon>
        <WriteIcon
          variant="default"
          size="lg"
          aria-label={say('imports.recipes.delete', { name: recipe.name })}
          loading={remove.isRunning}
          onClick={() => void forget()}
          data-testid="delete-recipe"
        >
          <IconTrash size={17} aria-hidden />
        </WriteIcon>
      </Group>
      {isOpen && former > 0 && <FormerRecipes stored={stored} />}
    </Group>
  );
}

function save(recipe: ImportRecipe): void {
  const address = URL.createObjectURL(new Blob([`${JSON.stringify(recipe, null, 2)}\n`], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${recipe.name.replaceAll(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'recipe'}.json`;
  link.click();
  URL.revokeObjectURL(address);
}

/** Earlier versions of a recipe, each of which can be restored. */
function FormerRecipes({ stored }: { readonly stored: StoredRecipe }) {
  const former = useOperation('import_recipes.former', { id: stored.id });
  if (former.isLoadingError) {
    return (
      <FailurePanel title={say('imports.recipes.theFormerImportProfilesCouldNotBeRead')} failure={former.error} onRetry={former.refetch} />
    );
  }
  if (former.data === undefined) return <Skeleton height={40} />;
  return (
    <Stack gap="xs" className={styles.former} data-testid="former-recipes">
      {former.data.map((each) => (
        <Former key={each.id} former={each} stored={stored} />
      ))}
    </Stack>
  );
}

function Former({ former, stored }: { readonly former: FormerRecipe; readonly stored: StoredRecipe }) {
  const restore = useCommand('import_recipes.restore', (failure) =>
    notifyFailure(say('imports.recipes.theImportProfileCouldNotBePut'), failure),
  );
  const differences = differencesOf(former.recipe, stored.recipe);
  async function putBack(): Promise<void> {
    const answer = await restore.run({ id: stored.id, former_id: former.id });
    if (answer.ok) notifyDone(say('imports.recipes.putBackWhatTheImportProfileSaidBefore', { name: stored.recipe.name }));
  }
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap" data-testid="former-recipe">
      <Text size="sm">
        <Said
          words="imports.recipes.until"
          with={{ at: <Instant at={former.replaced_at} />, columns: countOf(former.recipe.columns.length, 'count.columns') }}
        />
        <Text span c="dimmed">
          {', '}
          {differences.length === 0
            ? say('imports.recipes.readsAsThePresent')
            : say('imports.recipes.differsIn', { differences: listText(differences) })}
        </Text>
      </Text>
      <WriteButton
        size="compact-sm"
        variant="default"
        loading={restore.isRunning}
        onClick={() => void putBack()}
        data-testid="put-back-recipe"
      >
        {say('imports.recipes.putBack')}
      </WriteButton>
    </Group>
  );
}

/** Returns the names of the settings in which two recipes differ; empty when they read every file in the same way. */
function differencesOf(one: ImportRecipe, other: ImportRecipe): string[] {
  const differs = (key: keyof ImportRecipe): boolean => JSON.stringify(one[key]) !== JSON.stringify(other[key]);
  const parts: readonly (readonly [keyof ImportRecipe, string])[] = [
    ['columns', 'columns'],
    ['has_header', 'header'],
    ['encoding', 'encoding'],
    ['delimiter', 'delimiter'],
    ['sheet', 'sheet'],
    ['date_order', say('imports.recipe.orderOfDates')],
    ['decimal_mark', say('imports.recipe.decimalMark')],
    ['sign_model', 'signs'],
    ['direction_words', say('imports.recipe.wordsOfInAndOut')],
    ['footer_rows', say('imports.recipe.linesLeftOutAtTheEnd')],
    ['overlap', say('imports.recipe.whatLinesAlreadyHere')],
    ['currency', 'currency'],
    ['stream_key', 'stream'],
    ['bank_account', say('imports.recipe.bankAccount')],
  ];
  return parts.filter(([key]) => differs(key)).map(([, words]) => words);
}
