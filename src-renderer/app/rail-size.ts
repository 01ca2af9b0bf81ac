import { useMediaQuery } from '@mantine/hooks';

/** Size of the rail. `none`: hidden behind a button of the header. `icons`: 48 px. `named`: 68 px. `wide`: 208 px, with the reconciliations. */
export type RailSize = 'none' | 'icons' | 'named' | 'wide';

const AT_ONCE = { getInitialValueInEffect: false };

export function useRailSize(): RailSize {
  const isNarrow = useMediaQuery('(max-width: 767px)', false, AT_ONCE);
  const isSmall = useMediaQuery('(max-width: 1099px)', false, AT_ONCE);
  const isWide = useMediaQuery('(min-width: 1600px)', false, AT_ONCE);
  if (isNarrow) return 'none';
  if (isSmall) return 'icons';
  return isWide ? 'wide' : 'named';
}
