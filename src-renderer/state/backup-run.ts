import { createStore } from 'zustand/vanilla';

/** Whether a backup that this window asked for is being made: it goes on while other screens are looked at. */
export const backupRun = createStore<{ readonly isRunning: boolean }>()(() => ({ isRunning: false }));
