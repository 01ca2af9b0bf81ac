/** Where the window is. */
export type Place =
  | { readonly screen: 'book' }
  | { readonly screen: 'import'; readonly streamKey: string | null }
  | { readonly screen: 'reconciliation'; readonly id: number }
  | { readonly screen: 'stream'; readonly key: string }
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
      return `/reconciliations/${place.id}`;
    case 'stream':
      return `/streams/${encodeURIComponent(place.key)}`;
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

/** The place that an address names; the book for one that names none. */
export function placeFrom(text: string): Place {
  const [area = '', given = ''] = text.replace(/^\//, '').split('/');
  const rest = decoded(given);
  if (area === 'import') return { screen: 'import', streamKey: rest === null || rest === '' ? null : rest };
  const id = /^[1-9]\d{0,15}$/.test(given) ? Number(given) : null;
  if (area === 'reconciliations' && id !== null) return { screen: 'reconciliation', id };
  if (area === 'accounts' && id !== null) return { screen: 'account', id };
  if (area === 'streams' && rest !== null && rest !== '') return { screen: 'stream', key: rest };
  if (area === 'settings') return { screen: 'settings' };
  return { screen: 'book' };
}
