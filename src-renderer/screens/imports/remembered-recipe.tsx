import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ImportResult } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { notifyFailure } from '../../components/notify.tsx';

/** Under which name the reading was kept, and the way back to what that recipe said before. */
export function RememberedRecipe({ remembered }: { readonly remembered: NonNullable<ImportResult['remembered']> }) {
  const { id, name, former_id: formerId } = remembered;
  const [isBack, setBack] = useState(false);
  const restore = useCommand('import_recipes.restore', (failure) => notifyFailure('The recipe could not be put back', failure));
  async function putBack(): Promise<void> {
    if (formerId === null) return;
    const answer = await restore.run({ id, former_id: formerId });
    if (answer.ok) setBack(true);
  }
  if (isBack) {
    return (
      <Text size="sm" aria-live="polite" data-testid="remembered-recipe">
        The recipe “{name}” says again what it said before. What took its place stands among its former ones in the settings.
      </Text>
    );
  }
  return (
    <Group gap="xs" data-testid="remembered-recipe">
      <Text size="sm">
        How it was read is kept as the recipe “{name}”{formerId === null ? '.' : ', in place of what it said before.'}
      </Text>
      {formerId !== null && (
        <Button
          size="compact-sm"
          variant="default"
          loading={restore.isRunning}
          onClick={() => void putBack()}
          data-testid="put-back-recipe"
        >
          Put the former one back
        </Button>
      )}
    </Group>
  );
}
