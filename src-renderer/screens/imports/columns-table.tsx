import { Badge, Group, Select, Text, Title } from '@mantine/core';
import { FigureTable, TableFrame } from '../../components/figure-table.tsx';
import { IconArrowRight } from '@tabler/icons-react';
import type { ColumnRole, ImportPreview, ImportRecipe } from '../../../src-shared/contract/index.ts';
import { ROLE_LABELS } from '../../format/words.ts';
import { withRole } from '../../state/recipe-edit.ts';
import { say } from '../../../src-shared/words/say.ts';

type Column = ImportPreview['columns'][number];

interface ColumnsTableProps {
  readonly columns: ImportPreview['columns'];
  readonly recipe: ImportRecipe;
  readonly onChange: (recipe: ImportRecipe) => void;
}

const ROLES = (Object.keys(ROLE_LABELS) as ColumnRole[]).map((value) => ({ value, label: ROLE_LABELS[value] }));

/** Each column of the file with its role, which the user can change. */
export function ColumnsTable({ columns, recipe, onChange }: ColumnsTableProps) {
  return (
    <section aria-labelledby="columns-heading">
      <Title order={2} id="columns-heading" mb="xs">
        {say('imports.columnsTable.columns')}
      </Title>
      <div className="card">
        <TableFrame least={560}>
          <FigureTable
            columns={[
              { head: say('imports.columnsTable.inTheFile') },
              { head: say('imports.columnsTable.takenAs') },
              { head: say('imports.columnsTable.forExample') },
            ]}
            isWrapping
            isFitted
          >
            <tbody>
              {columns.map((column) => (
                <Row key={column.index} column={column} recipe={recipe} onChange={onChange} />
              ))}
            </tbody>
          </FigureTable>
        </TableFrame>
      </div>
    </section>
  );
}

function Row({ column, recipe, onChange }: Omit<ColumnsTableProps, 'columns'> & { readonly column: Column }) {
  const { name } = column;
  return (
    <tr>
      <td>{name}</td>
      <td>
        <Group gap={6} wrap="nowrap">
          <IconArrowRight size={13} color="var(--mantine-color-dimmed)" aria-hidden />
          <Select
            size="xs"
            w="11rem"
            aria-label={say('imports.columnsTable.whatIsTakenAs', { name })}
            data={ROLES}
            value={recipe.columns[column.index]?.role ?? 'metadata'}
            allowDeselect={false}
            comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
            onChange={(role) => role !== null && onChange(withRole(recipe, column.index, role))}
            data-testid={`role-${column.index}`}
          />
          {column.is_reference && recipe.columns[column.index]?.role !== 'reference' && (
            <Badge color="violet">{say('imports.columnsTable.reference')}</Badge>
          )}
          {column.field?.startsWith('metadata.') === true && (
            <Text size="xs" c="dimmed" ff="monospace" className="truncate">
              {column.field}
            </Text>
          )}
        </Group>
      </td>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the cell is no control, and has its text further inside */}
      <td style={{ maxWidth: '22rem' }}>
        <div className="truncate" title={column.samples.join('\n')}>
          <Text span size="sm" c="dimmed">
            {column.samples.filter((sample) => sample !== '').join(' · ') || say('imports.columnsTable.empty')}
          </Text>
        </div>
      </td>
    </tr>
  );
}
