import { VisuallyHidden } from '@mantine/core';
import type { SyncConflictSide } from '../../../src-shared/contract/index.ts';
import { kindName } from '../../format/sync-resources.ts';
import styles from './decide.module.css';
import { SideHead } from './side-head.tsx';

interface SideFieldsProps {
  readonly remoteName: string;
  readonly here: SyncConflictSide;
  readonly there: SyncConflictSide;
  /** What is said of a side that has it not. */
  readonly gone: string;
}

/** Fields of the thing on both sides; those that differ are marked. */
export function SideFields({ remoteName, here, there, gone }: SideFieldsProps) {
  const names = [...new Set([...here.fields, ...there.fields].map(({ name }) => name))];
  if (names.length === 0) return null;
  return (
    <table className={styles.fields} data-testid="conflict-fields">
      <colgroup>
        <col className={styles.fieldName} />
        <col />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">
            <VisuallyHidden>Field</VisuallyHidden>
          </th>
          <th scope="col">
            <SideHead name="Here" isHere side={here} />
          </th>
          <th scope="col">
            <SideHead name={remoteName} isHere={false} side={there} />
          </th>
        </tr>
      </thead>
      <tbody>
        {names.map((name, place) => (
          <tr key={name}>
            <th scope="row">{kindName(name)}</th>
            <Field side={here} name={name} gone={place === 0 ? gone : null} />
            <Field side={there} name={name} gone={place === 0 ? gone : null} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FieldProps {
  readonly side: SyncConflictSide;
  readonly name: string;
  /** Of a thing that is gone the first field says so. */
  readonly gone: string | null;
}

function Field({ side, name, gone }: FieldProps) {
  const field = side.fields.find((each) => each.name === name);
  if (side.is_gone && gone !== null && field === undefined) return <td data-differs>{gone}</td>;
  if (field === undefined || field.words === '') return <td className={styles.dash}>–</td>;
  return (
    <td className="tabular" data-differs={field.differs || undefined}>
      {field.words}
    </td>
  );
}
