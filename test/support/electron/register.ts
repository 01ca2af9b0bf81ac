import { registerHooks } from 'node:module';

/** Loaded with `--import`: makes `electron` resolve to the stand-in for the built main.js. */
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true } : next(specifier, context),
});
