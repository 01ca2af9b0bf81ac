import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { say } from '../../src-shared/words/say.ts';

/** What a person writes on a thing that is looked into. */
export interface Work {
  readonly status: string;
  readonly owner: string;
  readonly comment: string;
}

interface WorkFieldsProps {
  readonly work: Work;
  readonly onWork: (change: Partial<Work>) => void;
  readonly statuses: readonly { readonly value: string; readonly label: string }[];
  /** Whether the fields stand in the row of a form for many things: without names above them, and an empty field leaves everything as it is. */
  readonly isForMany?: boolean;
  /** The id of a `datalist` of known owners. */
  readonly owners?: string;
  readonly longestComment: number;
  /** Begins the test ids: `NAME-status`, `NAME-owner`, `NAME-comment`. */
  readonly name: string;
  /** Further fields, before the comment. */
  readonly children?: ReactNode;
}

/** Status, owner and comment: of one thing, or of many at once. */
export function WorkFields({ work, onWork, statuses, isForMany = false, owners, longestComment, name, children }: WorkFieldsProps) {
  const named = (label: string) => (isForMany ? { 'aria-label': label } : { label });
  const as = (field: keyof Work) => ({ size: 'xs', 'data-work': field, 'data-testid': `${name}-${field}` }) as const;
  const hint = (label: string) => (isForMany ? { placeholder: label } : {});
  const commentField = {
    ...as('comment'),
    ...named(say('common.work.comment')),
    ...hint(say('common.work.comment')),
    maxLength: longestComment,
    value: work.comment,
    onChange: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) => onWork({ comment: value }),
  };
  return (
    <>
      <NativeSelect
        {...as('status')}
        {...named(say('common.work.status'))}
        value={work.status}
        data={[...(isForMany ? [{ value: '', label: say('common.work.statusAsItIs') }] : []), ...statuses]}
        onChange={(event) => onWork({ status: event.currentTarget.value })}
      />
      <TextInput
        {...as('owner')}
        {...named(say('common.work.owner'))}
        {...hint(say('common.work.owner'))}
        {...(isForMany ? { w: '9rem' } : {})}
        list={owners}
        maxLength={200}
        value={work.owner}
        onChange={(event) => onWork({ owner: event.currentTarget.value })}
      />
      {children}
      {isForMany ? <TextInput flex="1 1 10rem" {...commentField} /> : <Textarea autosize minRows={2} {...commentField} />}
    </>
  );
}
