import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const source = (name: string): string => path.resolve(import.meta.dirname, name);

/**
 * Three bundles. Packages of `dependencies` stay outside the main bundle (better-sqlite3 brings its own binary). kysely and zod are in it, since
 * every thread would read their hundreds of small files one by one as it begins. The preload is one CommonJS file because a sandboxed preload may
 * require nothing but electron; the renderer carries all it needs.
 */
export default defineConfig({
  main: {
    build: {
      externalizeDeps: true,
      rolldownOptions: {
        input: {
          main: source('src-main/main.ts'),
          cli: source('src-main/cli.ts'),
          'backend-worker': source('src-main/backend/worker.ts'),
          'job-worker': source('src-main/backend/job-worker.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
        // A part of the domain is entered by one file: a thread loads what it uses of it, not all that the file leads to.
        treeshake: { moduleSideEffects: [{ test: /[\\/]src-main[\\/]domain[\\/]/, sideEffects: false }] },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: source('src-main/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: source('src-renderer'),
    plugins: [react()],
    build: {
      minify: true,
      rolldownOptions: { input: { index: source('src-renderer/index.html') } },
    },
  },
});
