import { IconBook2, IconBuildingBank, IconFileImport } from '@tabler/icons-react';
import type { HomeImport } from '../../../src-shared/contract/index.ts';
import { Instant } from '../../components/day.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { PaneHeader } from '../../components/pane-header.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { StateBadge, type StateTone } from '../../components/state-badge.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { counted } from '../../format/counts.ts';
import { momentText } from '../../format/dates.ts';
import { PROOF_MEANINGS } from '../../format/proofs.ts';
import { useNavigation } from '../../state/navigation.ts';
import styles from './home.module.css';

const PROOFS: Readonly<Record<HomeImport['proof'], { readonly tone: StateTone; readonly label: string }>> = {
  proved: { tone: 'done', label: 'Proved' },
  unproved: { tone: 'open', label: 'Unproved' },
  broken: { tone: 'broken', label: 'Breaks' },
};

export function RecentImports({ imports }: { readonly imports: readonly HomeImport[] }) {
  return (
    <section className={styles.pane} aria-labelledby="imports-heading" data-testid="recent-imports">
      <PaneHeader title="Recent imports" id="imports-heading">
        <ImportButton />
      </PaneHeader>
      <ul className={styles.items}>
        {imports.length === 0 && <li className={styles.none}>No file yet.</li>}
        {imports.map((each) => (
          <ImportLine key={each.id} batch={each} />
        ))}
      </ul>
    </section>
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
      Import a file
    </WriteButton>
  );
}

function ImportLine({ batch }: { readonly batch: HomeImport }) {
  const now = useNow();
  const Icon = batch.is_bank ? IconBuildingBank : IconBook2;
  const name = batch.filename ?? batch.stream_name;
  const { tone, label } = PROOFS[batch.proof];
  return (
    <li className={styles.import}>
      <span className={styles.mid}>
        <Icon size={16} stroke={1.75} aria-hidden />
      </span>
      <span className="truncate">
        <PlaceLink place={{ screen: 'stream', key: batch.data_stream_key }} title={`${name}, in ${batch.stream_name}`}>
          {name}
        </PlaceLink>
      </span>
      <span className={styles.number}>{counted(batch.lines, 'line')}</span>
      <span className={styles.moment}>
        <Instant at={batch.created_at} text={momentText(batch.created_at, now)} />
      </span>
      <StateBadge tone={tone} isPlain title={PROOF_MEANINGS[batch.proof]}>
        {label}
      </StateBadge>
    </li>
  );
}
