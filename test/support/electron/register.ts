import { registerHooks } from 'node:module';

/** Loaded with `--import`: from here on `electron` means the stand-in, for the built main.js just as it is. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true } : next(specifier, context),
});
