/** Returns the part of the address behind `#`, which keeps the window's place over a reload. */
export function readAddress(): string {
  return location.hash.replace(/^#/, '');
}

/** Returns scheme, host and port of the window's address. */
export function windowOrigin(): string {
  return location.origin;
}

/** Writes the place into the address. The browser's Back button returns to the place before it. */
export function writeAddress(place: string): void {
  if (readAddress() !== place) history.pushState(null, '', `#${place}`);
}

/** Calls `listener` after Back, Forward and a changed address. Returns the function that stops it. */
export function onAddressChange(listener: (place: string) => void): () => void {
  const notify = (): void => listener(readAddress());
  window.addEventListener('popstate', notify);
  window.addEventListener('hashchange', notify);
  return () => {
    window.removeEventListener('popstate', notify);
    window.removeEventListener('hashchange', notify);
  };
}
