import { CloseButton, Group, NavLink, ScrollArea, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowsLeftRight, IconBook2, IconBuildingBank, IconFileImport, IconFileText, IconSettings } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useQuery } from '../api/use-query.ts';
import { countText } from '../format/values/counts.ts';
import { useNavigation } from '../state/navigation.ts';
import { type Place, placeText } from '../state/places.ts';
import { Brand } from './brand.tsx';
import styles from './shell.module.css';

/** The book, its reconciliations, its streams and its bank accounts. */
export function Navigation() {
  const setMenuOpen = useNavigation((state) => state.setMenuOpen);
  return (
    <Stack gap={0} h="100%">
      <Group gap={10} px="md" className={styles.brand}>
        <Brand />
        <Text fw={680} size="lg" className={styles.wordmark}>
          Tieout
        </Text>
        <CloseButton ml="auto" hiddenFrom="md" aria-label="Close the navigation" onClick={() => setMenuOpen(false)} />
      </Group>
      <ScrollArea className={styles.links} type="auto">
        <nav aria-label="Book">
          <Link place={{ screen: 'book' }} label="Book" icon={<IconBook2 size={17} aria-hidden />} />
          <Link place={{ screen: 'import', streamKey: null }} label="Import a file" icon={<IconFileImport size={17} aria-hidden />} />
          <ReconciliationLinks />
          <StreamLinks />
          <AccountLinks />
        </nav>
      </ScrollArea>
      <nav aria-label="Tieout" className={styles.foot}>
        <Link place={{ screen: 'settings' }} label="Settings" icon={<IconSettings size={17} aria-hidden />} />
      </nav>
    </Stack>
  );
}

function ReconciliationLinks() {
  const { value } = useQuery('reconciliations.list', { limit: 100 });
  return (
    <Section title="Reconciliations" isLoading={value === undefined} isEmpty={value?.data.length === 0}>
      {value?.data.map(({ id, name }) => (
        <Link key={id} place={{ screen: 'reconciliation', id }} label={name} icon={<IconArrowsLeftRight size={17} aria-hidden />} />
      ))}
    </Section>
  );
}

function StreamLinks() {
  const { value } = useQuery('streams.list', {});
  return (
    <Section title="Streams" isLoading={value === undefined} isEmpty={value?.length === 0}>
      {value?.map(({ key, name, record_count: count }) => (
        <Link
          key={key}
          place={{ screen: 'stream', key }}
          label={name}
          icon={<IconFileText size={17} aria-hidden />}
          right={
            <Text size="xs" c="dimmed" className="tabular">
              {countText(count)}
            </Text>
          }
        />
      ))}
    </Section>
  );
}

function AccountLinks() {
  const { value } = useQuery('bank_accounts.list', {});
  return (
    <Section title="Bank accounts" isLoading={value === undefined} isEmpty={value?.length === 0}>
      {value?.map(({ id, name }) => (
        <Link key={id} place={{ screen: 'account', id }} label={name} icon={<IconBuildingBank size={17} aria-hidden />} />
      ))}
    </Section>
  );
}

function Section({
  title,
  isLoading,
  isEmpty,
  children,
}: {
  readonly title: string;
  readonly isLoading: boolean;
  readonly isEmpty: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.section}>
      <Text size="xs" c="dimmed" fw={600} px="sm" pb={4} component="h2" m={0}>
        {title}
      </Text>
      {isLoading && <Skeleton height={14} mx="sm" my={8} w="70%" />}
      {isEmpty && (
        <Text size="sm" c="dimmed" px="sm" py={4}>
          None yet
        </Text>
      )}
      {children}
    </div>
  );
}

function Link({
  place,
  label,
  icon,
  right,
}: {
  readonly place: Place;
  readonly label: string;
  readonly icon: ReactNode;
  readonly right?: ReactNode;
}) {
  const current = useNavigation((state) => placeText(state.place));
  const go = useNavigation((state) => state.go);
  const own = placeText(place);
  const isCurrent = own === current;
  return (
    <NavLink
      href={`#${own}`}
      label={label}
      title={label}
      leftSection={icon}
      rightSection={right}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      noWrap
      className={styles.link}
      onClick={(event) => {
        event.preventDefault();
        go(place);
      }}
    />
  );
}
