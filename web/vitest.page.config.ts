import { defineConfig } from 'vitest/config';

// The whole page in Chromium against a real server; one file after the other, for the engine has few cores.
export default defineConfig(({ mode }) => ({
  test: {
    // Modes other than the usual one name a file: pictures, figures.
    include: [['screenshots', 'figures'].includes(mode) ? `tests/page/${mode}.ts` : 'tests/page/**/*.test.ts'],
    environment: 'node',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    globalSetup: ['tests/page/global-setup.ts'],
  },
}));
