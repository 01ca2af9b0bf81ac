/** Keeps the threads that this process starts for jobs, and reuses them for later jobs. */
export function keepThreadsWarm(): void;
