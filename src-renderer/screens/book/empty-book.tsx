import { Stack, Text, Title } from '@mantine/core';
import { IconArrowsLeftRight, IconBuildingBank, IconFileImport, IconNotebook } from '@tabler/icons-react';
import { WriteButton } from '../../components/writing.tsx';
import { useNavigation } from '../../state/navigation.ts';
import styles from './book.module.css';

const STEPS = [
  {
    Icon: IconBuildingBank,
    title: 'Import a bank statement',
    text: 'A CSV, an Excel sheet or a bank format, as the bank gives it. Tieout shows what it understood before anything is stored.',
  },
  { Icon: IconNotebook, title: 'Import the ledger', text: 'The export of your books for the same time.' },
  {
    Icon: IconArrowsLeftRight,
    title: 'Reconcile',
    text: 'What agrees is matched; what is left is shown on both sides, with the difference.',
  },
] as const;

/** A book with nothing in it: what to do first. */
export function EmptyBook() {
  const go = useNavigation((state) => state.go);
  return (
    <div className={styles.empty} data-testid="book-overview">
      <Stack gap="xs" align="center" ta="center" maw={520}>
        <Title order={1}>This book is empty</Title>
        <Text c="dimmed">Two files are all it takes. They stay on this computer.</Text>
      </Stack>
      <ol className={styles.steps}>
        {STEPS.map(({ Icon, title, text }, index) => (
          <li key={title} className={`card ${styles.step}`}>
            <Icon size={26} stroke={1.5} color="var(--tieout-matched)" aria-hidden />
            <Text fw={580}>
              {index + 1}. {title}
            </Text>
            <Text size="sm" c="dimmed">
              {text}
            </Text>
          </li>
        ))}
      </ol>
      <WriteButton
        size="md"
        leftSection={<IconFileImport size={18} aria-hidden />}
        onClick={() => go({ screen: 'import', streamKey: null })}
        data-testid="import-button"
      >
        Import a file
      </WriteButton>
    </div>
  );
}
