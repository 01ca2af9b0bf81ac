import { WINDOW_SECRET_KEY } from '../../src-shared/values/network.ts';

const IN_ADDRESS = /^#token=([A-Za-z0-9_-]+)$/;

/**
 * Returns the secret that this window sends with each request, or null in a window that was opened without one. It comes in the
 * printed address behind `#`, which loses it at once so that no bookmark keeps it, or a ticket's page has stored it. The session
 * storage belongs to this tab alone: a reload finds the secret there, and a page on another port does not.
 */
export function takeSecret(): string | null {
  const given = IN_ADDRESS.exec(location.hash)?.[1];
  if (given === undefined) return stored();
  history.replaceState(null, '', location.pathname);
  try {
    sessionStorage.setItem(WINDOW_SECRET_KEY, given);
  } catch {
    // A browser that stores nothing for pages: the secret is good until a reload.
  }
  return given;
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(WINDOW_SECRET_KEY);
  } catch {
    return null;
  }
}

/** The secret was not taken: Tieout has been started anew, and has printed a new address. */
export function forgetSecret(): void {
  try {
    sessionStorage.removeItem(WINDOW_SECRET_KEY);
  } catch {
    // Then there is nothing to forget.
  }
}

/** An address that is typed into a window which is open already only changes what stands behind `#`, and loads nothing by itself. */
export function reloadAtNewSecret(): void {
  window.addEventListener('hashchange', () => {
    if (IN_ADDRESS.test(location.hash)) location.reload();
  });
}
