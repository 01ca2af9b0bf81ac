/** The part of the address behind `#`, where the window keeps its place over a reload. */
export function readAddress(): string {
  return location.hash.replace(/^#/, '');
}

/** Scheme, host and port of the window's address. */
export function windowOrigin(): string {
  return location.origin;
}

/** Writes the place; the browser's Back button comes back to the one before. */
export function writeAddress(place: string): void {
  if (readAddress() !== place) history.pushState(null, '', `#${place}`);
}

/** Hears Back, Forward and a changed address. */
export function onAddressChange(listener: (place: string) => void): () => void {
  const tell = (): void => listener(readAddress());
  window.addEventListener('popstate', tell);
  window.addEventListener('hashchange', tell);
  return () => {
    window.removeEventListener('popstate', tell);
    window.removeEventListener('hashchange', tell);
  };
}
