import { Stack, Text, Title } from '@mantine/core';
import { IconArrowsExchange, IconBuildingBank, IconFileImport, IconNotebook } from '@tabler/icons-react';
import { KeyHint } from '../../components/key-hint.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { useNavigation } from '../../state/navigation.ts';
import styles from './empty-book.module.css';

const STEPS = [
  {
    Icon: IconBuildingBank,
    title: 'Import a bank statement',
    text: 'A CSV, an Excel sheet or a bank format, as the bank gives it. Tieout shows what it understood before anything is stored.',
  },
  { Icon: IconNotebook, title: 'Import the ledger', text: 'The export of your books for the same time.' },
  {
    Icon: IconArrowsExchange,
    title: 'Reconcile',
    text: 'What agrees is matched; what is left is shown on both sides, with the difference.',
  },
] as const;

/** A book with nothing in it: what to do first. */
export function EmptyBook() {
  const go = useNavigation((state) => state.go);
  return (
    <div className={styles.empty}>
      <Stack gap="xs" align="center" ta="center" maw={520}>
        <Title order={2}>This book is empty</Title>
        <Text c="dimmed">Two files are all it takes. They stay on this computer.</Text>
      </Stack>
      <ol className={styles.steps}>
        {STEPS.map(({ Icon, title, text }, index) => (
          <li key={title} className={styles.step}>
            <Icon size={22} stroke={1.6} color="var(--matched)" aria-hidden />
            <Text fw={600}>
              {index + 1}. {title}
            </Text>
            <Text c="dimmed">{text}</Text>
          </li>
        ))}
      </ol>
      <WriteButton
        size="md"
        leftSection={<IconFileImport size={16} aria-hidden />}
        rightSection={<KeyHint keys="I" />}
        aria-keyshortcuts="I"
        onClick={() => go({ screen: 'import', streamKey: null })}
        data-testid="import-button"
      >
        Import a file
      </WriteButton>
    </div>
  );
}
