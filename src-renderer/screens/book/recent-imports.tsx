import { Box } from '@mantine/core';
import { IconBook2, IconBuildingBank, IconFileImport } from '@tabler/icons-react';
import { Pane, PaneHeader, StateBadge, type StateTone } from '../../components/primitives.tsx';
import type { HomeImport } from '../../../src-shared/contract/index.ts';
import { Instant } from '../../components/day.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { countOf } from '../../format/counts.ts';
import { momentText } from '../../format/dates.ts';
import { PROOF_MEANINGS } from '../../format/proofs.ts';
import { useNavigation } from '../../state/navigation.ts';
import styles from './home.module.css';
import { say } from '../../../src-shared/words/say.ts';

const PROOFS: Readonly<Record<HomeImport['proof'], { readonly tone: StateTone; readonly label: string }>> = {
  proved: { tone: 'done', label: say('book.proofs.proved.label') },
  unproved: { tone: 'open', label: say('book.proofs.unproved.label') },
  broken: { tone: 'broken', label: say('book.proofs.broken.label') },
};

export function RecentImports({ imports }: { readonly imports: readonly HomeImport[] }) {
  return (
    <Pane className={`column ${styles.pane}`} kind="main" aria-labelledby="imports-heading" data-testid="recent-imports">
      <PaneHeader title={say('book.recentImports.recentImports')} id="imports-heading">
        <ImportButton />
      </PaneHeader>
      <ul className="plain fill scrolls line-above">
        {imports.length === 0 && (
          <Box component="li" className="quiet" py="sm" px={20}>
            {say('book.recentImports.noFileYet')}
          </Box>
        )}
        {imports.map((each) => (
          <ImportLine key={each.id} batch={each} />
        ))}
      </ul>
    </Pane>
  );
}

export function ImportButton() {
  const go = useNavigation((state) => state.go);
  return (
    <WriteButton
      variant="default"
      leftSection={<IconFileImport size={15} aria-hidden />}
      rightSection={<KeyHint keys="I" />}
      aria-keyshortcuts="I"
      onClick={() => go({ screen: 'import', streamKey: null })}
      data-testid="import-button"
    >
      {say('book.recentImports.importAFile')}
    </WriteButton>
  );
}

function ImportLine({ batch }: { readonly batch: HomeImport }) {
  const now = useNow();
  const Icon = batch.is_bank ? IconBuildingBank : IconBook2;
  const name = batch.filename ?? batch.stream_name;
  const { tone, label } = PROOFS[batch.proof];
  return (
    <li className={`line-below ${styles.item} ${styles.import}`}>
      <Icon size={16} stroke={1.75} color="var(--text-2)" aria-hidden />
      <span className="truncate">
        <PlaceLink
          place={{ screen: 'stream', key: batch.data_stream_key }}
          title={say('book.recentImports.in', { name, streamName: batch.stream_name })}
        >
          {name}
        </PlaceLink>
      </span>
      <span className="amount mid">{countOf(batch.lines, 'count.lines')}</span>
      <span className="mid wide-only">
        <Instant at={batch.created_at} text={momentText(batch.created_at, now)} />
      </span>
      <StateBadge tone={tone} isPlain title={PROOF_MEANINGS[batch.proof]}>
        {label}
      </StateBadge>
    </li>
  );
}
