import vue from '@vitejs/plugin-vue';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { licences } from './scripts/licences';

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

// Paths are relative, so that the static build works from any folder of any web server.
export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'piece' } } }), licences()],
  resolve: {
    alias: { '@backend': source(mode === 'static' ? 'engine/browser-backend.ts' : 'api/server-backend.ts') },
  },
  build: {
    target: 'es2022',
    // Pieces are inlined in their style sheets; everything else stays a file that can be cached.
    assetsInlineLimit: 1024,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8170', ws: true, changeOrigin: true } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
}));
