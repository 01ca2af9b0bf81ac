import { Alert, Button, Checkbox, Group, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconBook2 } from '@tabler/icons-react';
import type { ImportRecipe, UsedRecipe } from '../../../src-shared/contract/index.ts';
import { recipeFault } from '../../state/recipe-edit.ts';
import type { ImportProcess } from './use-import.ts';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';

export function RecipeFault({ recipe }: { readonly recipe: ImportRecipe | null }) {
  const fault = recipe === null ? null : recipeFault(recipe);
  if (fault === null) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle size={20} aria-hidden />} data-testid="recipe-fault" role="alert">
      {fault}
    </Alert>
  );
}

/** Names the recipe in use, and asks when it is doubtful whether the stored recipe applies. */
export function RecipeBar({ process, used }: { readonly process: ImportProcess; readonly used: UsedRecipe }) {
  return (
    <>
      <RecipeFault recipe={process.flow.recipe} />
      {used.state === 'doubtful' && <Doubt process={process} />}
      {used.state === 'remembered' && (
        <Alert color="pine" icon={<IconBook2 size={20} aria-hidden />} data-testid="recipe-remembered">
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              <Said words="imports.recipeBar.readByTheRecipe" with={{ name: <b>{used.recipe.name}</b> }} />
            </Text>
            <Button variant="subtle" size="compact-sm" onClick={() => process.readBy({ kept: 'guess' })} data-testid="recipe-guess">
              {say('imports.recipeBar.readItWithoutTheRecipe')}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  );
}

function Doubt({ process }: { readonly process: ImportProcess }) {
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title={say('imports.recipeBar.theKeptRecipeDoesNotSeemToFit')}
      data-testid="recipe-doubtful"
    >
      <Text size="sm" mb="xs">
        {process.flow.preview?.result.problems.find((problem) => problem.code === 'recipe_doubtful')?.message}
      </Text>
      <Group gap="sm">
        <Button size="compact-sm" variant="default" onClick={() => process.readBy({ kept: 'use' })} data-testid="recipe-use">
          {say('imports.recipeBar.readItByTheRecipe')}
        </Button>
        <Button size="compact-sm" onClick={() => process.readBy({ kept: 'guess' })} data-testid="recipe-guess">
          {say('imports.recipeBar.readWhatTheFile')}
        </Button>
      </Group>
    </Alert>
  );
}

/** Chooses whether to store the recipe for the next file, and its name. */
export function RememberRecipe({ process, used }: { readonly process: ImportProcess; readonly used: UsedRecipe }) {
  const { remember } = process.flow;
  return (
    <>
      <Checkbox
        label={say('imports.recipeBar.rememberHowThisLayout')}
        checked={remember !== null}
        onChange={(event) => process.remember(event.currentTarget.checked ? used.recipe.name : null)}
        data-testid="remember-recipe"
      />
      {remember !== null && (
        <TextInput
          label={say('imports.recipeBar.nameOfTheRecipe')}
          value={remember}
          maxLength={255}
          error={remember.trim() === '' ? say('imports.recipeBar.nameItOrDoNotRememberIt') : null}
          onChange={(event) => process.remember(event.currentTarget.value)}
          data-testid="recipe-name"
        />
      )}
    </>
  );
}
