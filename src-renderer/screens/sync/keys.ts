/** The key that goes with Enter or a point: the same one that `mod` stands for. */
const MOD = /Mac/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

export const SYNC_KEYS = { hint: `${MOD} ↵`, aria: 'Control+Enter Meta+Enter' } as const;
export const CANCEL_KEYS = { hint: `${MOD} .`, aria: 'Control+. Meta+.' } as const;
