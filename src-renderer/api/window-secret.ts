/** Of this tab alone, so a reload has it and another program's page on another port has not. */
const STORED_AS = 'tieout-window';
const IN_ADDRESS = /^#token=([A-Za-z0-9_-]+)$/;

/**
 * The secret with which this window's requests come: it stood in the address behind `#`, and is taken off it at once, so that it
 * is neither read over a shoulder nor kept as a bookmark. Null in a window that was opened without it.
 */
export function takeSecret(): string | null {
  const given = IN_ADDRESS.exec(location.hash)?.[1];
  if (given === undefined) return stored();
  history.replaceState(null, '', location.pathname);
  try {
    sessionStorage.setItem(STORED_AS, given);
  } catch {
    // A browser that stores nothing for pages: the secret is good until a reload.
  }
  return given;
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}

/** The secret was not taken: Tieout has been started anew, and has printed a new address. */
export function forgetSecret(): void {
  try {
    sessionStorage.removeItem(STORED_AS);
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
