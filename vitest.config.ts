import { configDefaults, defineConfig } from 'vitest/config';

/** Needs the original's programs: `ORIGINAL_BIN=DIR npm test -- test/one-etcd`. */
const besideTheOriginal = 'test/one-etcd/**';

export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...(process.env.ORIGINAL_BIN === undefined ? [besideTheOriginal] : []),
    ],
  },
});
