import { NumberInput, Select } from '@mantine/core';
import type { ImportRecipe } from '../../../src-shared/contract/index.ts';
import { RECIPE_LIMITS } from '../../../src-shared/contract/imports/import-recipes.ts';
import { dateOrderText, decimalMarkText, SIGN_MODEL_LABELS } from '../../format/words.ts';
import { signModelsOf } from '../../state/recipe-edit.ts';
import { say } from '../../../src-shared/words/say.ts';

const FROM_FILE = { value: '', label: say('imports.fromFile.label') };
const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
const DECIMAL_MARKS = ['.', ','] as const;

interface RecipeControlsProps {
  readonly recipe: ImportRecipe;
  readonly onChange: (recipe: ImportRecipe) => void;
}

/** The settings for the contents of cells. */
export function RecipeControls({ recipe, onChange }: RecipeControlsProps) {
  const models = signModelsOf(recipe);
  return (
    <>
      <Select
        label={say('imports.recipeControls.orderOfDates')}
        data={[FROM_FILE, ...DATE_ORDERS.map((value) => ({ value, label: dateOrderText(value) }))]}
        value={recipe.date_order ?? ''}
        allowDeselect={false}
        onChange={(value) => onChange({ ...recipe, date_order: DATE_ORDERS.find((order) => order === value) ?? null })}
        data-testid="recipe-date-order"
      />
      <Select
        label={say('imports.recipeControls.decimalMark')}
        data={[FROM_FILE, ...DECIMAL_MARKS.map((value) => ({ value, label: decimalMarkText(value) }))]}
        value={recipe.decimal_mark ?? ''}
        allowDeselect={false}
        onChange={(value) => onChange({ ...recipe, decimal_mark: DECIMAL_MARKS.find((mark) => mark === value) ?? null })}
        data-testid="recipe-decimal-mark"
      />
      <Select
        label={say('imports.recipeControls.signs')}
        data={[FROM_FILE, ...models.map((value) => ({ value, label: SIGN_MODEL_LABELS[value] }))]}
        value={recipe.sign_model ?? ''}
        allowDeselect={false}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
        onChange={(value) => onChange({ ...recipe, sign_model: models.find((model) => model === value) ?? null })}
        data-testid="recipe-signs"
      />
      <NumberInput
        label={say('imports.recipeControls.linesLeftOutAtTheEnd')}
        placeholder={say('imports.recipeControls.totalsAndText')}
        min={0}
        max={RECIPE_LIMITS.footerRows}
        allowDecimal={false}
        value={recipe.footer_rows ?? ''}
        onChange={(value) => onChange({ ...recipe, footer_rows: typeof value === 'number' ? value : null })}
        data-testid="recipe-footer"
      />
    </>
  );
}
