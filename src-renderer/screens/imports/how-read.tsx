import { Alert, Button, Group, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react';
import type { ImportPreview, ImportRecipe } from '../../../src-shared/contract/index.ts';
import { FirstLines } from './first-lines.tsx';
import styles from './import.module.css';
import { RecipeControls } from './recipe-controls.tsx';
import { TableControls } from './table-controls.tsx';
import type { ImportProcess } from './use-import.ts';

interface HowReadProps {
  readonly process: ImportProcess;
  readonly preview: ImportPreview;
  /** By which the table is read, or is to be; null while its columns are not known at all. */
  readonly recipe: ImportRecipe | null;
  /** The table could not be read like this. */
  readonly isUnread: boolean;
}

/** How the table of the file is read, each part of which can be set right, and the way back to what was found. */
export function HowRead({ process, preview, recipe, isUnread }: HowReadProps) {
  const { flow } = process;
  const isByHand =
    flow.recipe !== null || flow.table !== null || flow.kept !== 'ask' || Object.keys(flow.answers).length > 0 || flow.anyCurrency;
  return (
    <section aria-labelledby="how-heading" data-testid="how-read">
      <div className={styles.headingRow}>
        <Title order={2} id="how-heading">
          {isUnread ? 'How the file is to be read' : 'How the file was read'}
        </Title>
        <Group gap="xs">
          {isByHand && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconArrowBackUp size={15} aria-hidden />}
              onClick={process.readAsFound}
              data-testid="as-found"
            >
              Read it as found
            </Button>
          )}
          {isUnread && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={process.again} data-testid="another-file">
              Choose another file
            </Button>
          )}
        </Group>
      </div>
      {flow.failure?.isOfReading === true && (
        <Alert color="red" icon={<IconAlertTriangle size={20} aria-hidden />} mb="sm" role="alert" data-testid="reading-failure">
          <Text size="sm">{flow.failure.message}</Text>
          {isUnread && <Text size="sm">Or say here how it is to be read.</Text>}
        </Alert>
      )}
      <div className={`card ${styles.recipeFacts}`} data-testid="recipe-facts">
        <TableControls process={process} preview={preview} />
        {recipe !== null && !isUnread && <RecipeControls recipe={recipe} onChange={(edited) => process.readBy({ recipe: edited })} />}
      </div>
      <FirstLines key={String(isUnread)} preview={preview} isOpen={isUnread} />
    </section>
  );
}
