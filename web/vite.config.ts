import { defineConfig } from 'vite';
import vue from '@vitejs/plugin-vue';

// Paths are relative, so that the static build works from any folder of any web server.
export default defineConfig({
  base: './',
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'piece' } } })],
  build: {
    target: 'es2022',
    // Pieces are inlined in their style sheets; everything else stays a file that can be cached.
    assetsInlineLimit: 1024,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8040', ws: true, changeOrigin: true } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
} as Parameters<typeof defineConfig>[0]);
