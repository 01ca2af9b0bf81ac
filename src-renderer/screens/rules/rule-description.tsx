import { ActionIcon, Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconCheck, IconPencil } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import type { Rule } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { notifyFailure } from '../../components/notify.tsx';
import styles from './rules.module.css';

/** The field appears because it was asked for. */
function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

/** What a person says of a rule; a click or Enter edits it, Esc leaves it as it was. */
export function RuleDescription({ rule }: { readonly rule: Rule }) {
  const [draft, setDraft] = useState<string | null>(null);
  const update = useCommand('rules.update', (failure) => notifyFailure('The description was not changed', failure));
  async function save(): Promise<void> {
    if (draft === null || update.isRunning) return;
    const description = draft.trim() === '' ? null : draft.trim();
    // What was typed stays where it was refused.
    if (description === rule.description || (await update.run({ id: rule.id, description })).ok) setDraft(null);
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter') void save();
    if (event.key === 'Escape') setDraft(null);
  }
  if (draft === null) {
    return (
      <UnstyledButton className={styles.description} onClick={() => setDraft(rule.description ?? '')} aria-label="Edit the description">
        <Text size="xs" c="dimmed" span>
          {rule.description ?? 'Add a description'}
        </Text>
        <IconPencil size={12} aria-hidden />
      </UnstyledButton>
    );
  }
  return (
    <Group gap={6} wrap="nowrap">
      <TextInput
        flex={1}
        size="xs"
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onKeyDown={onKey}
        maxLength={2_000}
        aria-label="Description of the rule"
        ref={takeFocus}
      />
      <ActionIcon size="md" variant="default" loading={update.isRunning} onClick={() => void save()} aria-label="Save the description">
        <IconCheck size={14} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
