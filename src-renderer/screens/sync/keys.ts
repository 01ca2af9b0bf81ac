/** The label of the key that `mod` means in a shortcut. */
const MOD = /Mac/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

export const SYNC_KEYS = { hint: `${MOD} ↵`, aria: 'Control+Enter Meta+Enter' } as const;
export const CANCEL_KEYS = { hint: `${MOD} .`, aria: 'Control+. Meta+.' } as const;
