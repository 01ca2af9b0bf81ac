import { CloseButton, Flex } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconArrowsExchange,
  IconBuildingBank,
  IconFileImport,
  IconHistory,
  IconHome,
  IconRefresh,
  IconSettings,
  IconTable,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { say } from '../../src-shared/words/say.ts';
import { useOperation } from '../api/use-operation.ts';
import { countText } from '../format/counts.ts';
import { lastReconciliation, useNavigation } from '../state/navigation.ts';
import { type Place, placeText } from '../state/places.ts';
import styles from './rail.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
/** The number of reconciliations in the rail. The first screen lists all of them. */
const LISTED = 100;

/** The places that every book has, and the screens that belong to each. */
const PLACES: readonly (Pick<EntryProps, 'name' | 'place' | 'icon'> & { readonly screens: readonly Place['screen'][] })[] = [
  {
    name: say('shell.rail.accounts'),
    place: { screen: 'accounts' },
    icon: <IconBuildingBank {...ICON} />,
    screens: ['accounts', 'account', 'stream'],
  },
  { name: say('shell.rail.records'), place: { screen: 'records', streamKey: null }, icon: <IconTable {...ICON} />, screens: ['records'] },
  {
    name: say('shell.rail.exceptions'),
    place: { screen: 'exceptions' },
    icon: <IconAlertTriangle {...ICON} />,
    screens: ['exceptions'],
  },
  { name: say('shell.rail.import'), place: { screen: 'import', streamKey: null }, icon: <IconFileImport {...ICON} />, screens: ['import'] },
  { name: say('shell.rail.history'), place: { screen: 'history' }, icon: <IconHistory {...ICON} />, screens: ['history'] },
];

/** The screens that need no choice, as the palette lists them. */
export const RAIL_PLACES: readonly Pick<EntryProps, 'name' | 'place' | 'icon'>[] = [
  { name: 'Home', place: { screen: 'book' }, icon: <IconHome {...ICON} /> },
  ...PLACES,
  { name: 'Sync', place: { screen: 'sync', id: null }, icon: <IconRefresh {...ICON} /> },
  { name: 'Settings', place: { screen: 'settings' }, icon: <IconSettings {...ICON} /> },
];

interface RailProps {
  readonly size: Exclude<RailSize, 'none'>;
  /** Closes a rail that lies above the screen. */
  readonly onClose?: () => void;
}

/** Lists the places of the window, and the reconciliations where there is room. */
export function Rail({ size, onClose }: RailProps) {
  const { data: reconciliations } = useOperation('reconciliations.list', { limit: LISTED });
  const place = useNavigation((state) => state.place);
  const { screen } = place;
  const last = lastReconciliation();
  const listed = reconciliations?.data ?? [];
  const isKnown = listed.some(({ id }) => id === last) || reconciliations?.has_more === true;
  const reconcile = isKnown ? last : (listed[0]?.id ?? null);
  return (
    <div className={styles.rail} data-size={size} data-testid="rail">
      <div className={styles.logo}>
        <Brand />
        {size === 'wide' && <span>Tieout</span>}
        {onClose !== undefined && <CloseButton ml="auto" aria-label={say('shell.rail.closeTheNavigation')} onClick={onClose} />}
      </div>
      <Flex component="nav" className="fill" gap={2} direction="column" aria-label={say('shell.rail.book')}>
        <Entry size={size} place={{ screen: 'book' }} name="Home" icon={<IconHome {...ICON} />} isCurrent={screen === 'book'} />
        {reconcile !== null && (
          <Entry
            size={size}
            place={{ screen: 'reconciliation', id: reconcile }}
            name="Reconcile"
            icon={<IconArrowsExchange {...ICON} />}
            isCurrent={screen === 'reconciliation' || screen === 'close'}
          />
        )}
        {PLACES.map(({ name, place: own, icon, screens }) => (
          <Entry key={name} size={size} place={own} name={name} icon={icon} isCurrent={screens.includes(screen)} />
        ))}
        {size === 'wide' && listed.length > 0 && (
          <div className={styles.list}>
            <h2>{say('shell.rail.reconciliations')}</h2>
            {listed.map(({ id, name }) => (
              <PlaceItem key={id} place={{ screen: 'reconciliation', id }} className={styles.item} isCurrent={isAt(place, id)} title={name}>
                <span className="truncate">{name}</span>
              </PlaceItem>
            ))}
          </div>
        )}
      </Flex>
      <Flex aria-label="Tieout" component="nav" gap={2} direction="column">
        <SyncEntry size={size} isCurrent={screen === 'sync'} />
        <Entry
          size={size}
          place={{ screen: 'settings' }}
          name="Settings"
          icon={<IconSettings {...ICON} />}
          isCurrent={screen === 'settings' || screen === 'database'}
        />
      </Flex>
    </div>
  );
}

/** The entry of sync, with the number of conflicts that wait for a decision. */
function SyncEntry({ size, isCurrent }: Pick<EntryProps, 'size' | 'isCurrent'>) {
  const { data: value } = useOperation('sync_remotes.list', {});
  const waiting = value?.remotes.reduce((sum, remote) => sum + remote.to_decide, 0) ?? 0;
  return (
    <Entry
      size={size}
      place={{ screen: 'sync', id: null }}
      name="Sync"
      icon={<IconRefresh {...ICON} />}
      isCurrent={isCurrent}
      badge={waiting === 0 ? null : { count: waiting, meaning: say('shell.rail.toDecide', { waiting: countText(waiting) }) }}
    />
  );
}

function isAt(place: Place, id: number): boolean {
  return (place.screen === 'reconciliation' && place.id === id) || (place.screen === 'close' && place.key === id);
}

interface EntryProps {
  readonly size: RailSize;
  readonly place: Place;
  readonly name: string;
  readonly icon: ReactNode;
  readonly isCurrent: boolean;
  readonly badge?: { readonly count: number; readonly meaning: string } | null;
}

function Entry({ size, place, name, icon, isCurrent, badge = null }: EntryProps) {
  const isBare = size === 'icons';
  const title = badge === null ? name : `${name}, ${badge.meaning}`;
  return (
    <PlaceItem
      place={place}
      className={styles.entry}
      isCurrent={isCurrent}
      title={isBare || badge !== null ? title : undefined}
      testId={`rail-${place.screen}`}
    >
      {icon}
      {isBare ? null : <span>{name}</span>}
      {badge !== null && (
        <span className={styles.count} aria-hidden>
          {countText(badge.count)}
        </span>
      )}
    </PlaceItem>
  );
}

interface PlaceItemProps {
  readonly place: Place;
  readonly className: string | undefined;
  readonly isCurrent: boolean;
  readonly title: string | undefined;
  readonly testId?: string;
  readonly children: ReactNode;
}

function PlaceItem({ place, className, isCurrent, title, testId, children }: PlaceItemProps) {
  const go = useNavigation((state) => state.go);
  return (
    <a
      href={`#${placeText(place)}`}
      className={className}
      title={title}
      aria-label={title}
      aria-current={isCurrent ? 'page' : undefined}
      data-testid={testId}
      onClick={(event) => {
        event.preventDefault();
        go(place);
      }}
    >
      {children}
    </a>
  );
}

/** The product's mark: two lines tied into one. */
export function Brand({ size = 26 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-pine-8)" />
      <path
        d="M8 12h9a4 4 0 0 1 0 8H8M24 12h-3M24 20h-3"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Size of the rail. `none`: hidden behind a button of the header. `icons`: 48 px. `named`: 68 px. `wide`: 208 px, with the reconciliations. */
type RailSize = 'none' | 'icons' | 'named' | 'wide';

const AT_ONCE = { getInitialValueInEffect: false };

export function useRailSize(): RailSize {
  const isNarrow = useMediaQuery('(max-width: 767px)', false, AT_ONCE);
  const isSmall = useMediaQuery('(max-width: 1099px)', false, AT_ONCE);
  const isWide = useMediaQuery('(min-width: 1600px)', false, AT_ONCE);
  if (isNarrow) return 'none';
  if (isSmall) return 'icons';
  return isWide ? 'wide' : 'named';
}
