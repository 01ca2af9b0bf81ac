/** Where the window is. */
export type Place =
  | { readonly screen: 'book' }
  | { readonly screen: 'import'; readonly streamKey: string | null }
  | { readonly screen: 'reconciliation'; readonly id: number; readonly tab?: 'proposed' }
  /** `key`: of the reconciliation. Without a period its latest one. */
  | { readonly screen: 'close'; readonly key: number; readonly periodId: number | null }
  | { readonly screen: 'stream'; readonly key: string }
  | { readonly screen: 'accounts' }
  | { readonly screen: 'account'; readonly id: number }
  | { readonly screen: 'settings' };

/** The place as it stands in the address, behind `#`. */
export function placeText(place: Place): string {
  switch (place.screen) {
    case 'book':
      return '/';
    case 'import':
      return place.streamKey === null ? '/import' : `/import/${encodeURIComponent(place.streamKey)}`;
    case 'reconciliation':
      return `/reconciliations/${place.id}${place.tab === undefined ? '' : `/${place.tab}`}`;
    case 'close':
      return `/reconciliations/${place.key}/close${place.periodId === null ? '' : `?period=${place.periodId}`}`;
    case 'stream':
      return `/streams/${encodeURIComponent(place.key)}`;
    case 'accounts':
      return '/accounts';
    case 'account':
      return `/accounts/${place.id}`;
    case 'settings':
      return '/settings';
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function idOf(text: string): number | null {
  return /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
}

/** The place that an address names; the book for one that names none. */
export function placeFrom(text: string): Place {
  const [path = '', query = ''] = text.replace(/^\//, '').split('?');
  const [area = '', given = '', part = ''] = path.split('/');
  const rest = decoded(given);
  if (area === 'import') return { screen: 'import', streamKey: rest === null || rest === '' ? null : rest };
  const id = idOf(given);
  if (area === 'reconciliations' && id !== null && part === 'close') {
    return { screen: 'close', key: id, periodId: idOf(new URLSearchParams(query).get('period') ?? '') };
  }
  if (area === 'reconciliations' && id !== null) return { screen: 'reconciliation', id, ...(part === 'proposed' ? { tab: part } : {}) };
  if (area === 'accounts' && id !== null) return { screen: 'account', id };
  if (area === 'accounts' && given === '') return { screen: 'accounts' };
  if (area === 'streams' && rest !== null && rest !== '') return { screen: 'stream', key: rest };
  if (area === 'settings') return { screen: 'settings' };
  return { screen: 'book' };
}
