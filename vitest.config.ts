import { configDefaults, defineConfig } from 'vitest/config';

/** Needs the original's programs: `ORIGINAL_BIN=DIR npm test -- test/one-etcd`. */
const besideTheOriginal = 'test/one-etcd/**';
/** Needs a driver from elsewhere: `CSI_HOSTPATH_PLUGIN=FILE npm run test:slow -- test/nodes/csi-host-path`. */
const withPublicDriver = 'test/nodes/csi-host-path.test.ts';
/** Needs the original's program: `KUBEADM=FILE npm run test:slow -- test/nodes/kubeadm-join`. */
const withKubeadm = 'test/nodes/kubeadm-join.test.ts';

/** Needs the original's programs: `PEERS_BIN=DIR npm run test:slow -- test/browser/original-ui`. */
const pageBesideTheOriginal = 'test/browser/original-ui.test.ts';

/**
 * Stories that wait: for machines (real nodes, kills, power losses, faults of disks and networks), or for what the
 * original lets clients wait for; and counts of work.
 */
const slow = [
  'test/create.test.ts',
  'test/differential/cases.test.ts',
  'packages/api/test/growth.test.ts',
  'packages/coxswain/test/component-growth.test.ts',
  'packages/kube-apiserver/test/oracle/threads.test.ts',
  'test/{nodes,faults,chaos,oracle,servers,soak,tracing}/**/*.test.ts',
  'packages/storage/test/{crash,damage,faults}/**/*.test.ts',
];

/** Chromium ends what it loads when a network of the machine changes, as those of real nodes do. */
const inChromium = ['test/browser/**/*.test.ts'];

const exclude = [
  ...configDefaults.exclude,
  ...(process.env.ORIGINAL_BIN === undefined ? [besideTheOriginal] : []),
  ...(process.env.PEERS_BIN === undefined ? [pageBesideTheOriginal] : []),
  ...(process.env.CSI_HOSTPATH_PLUGIN === undefined ? [withPublicDriver] : []),
  ...(process.env.KUBEADM === undefined ? [withKubeadm] : []),
];

/**
 * A machine that does other things besides is no reason to fail. In CI a failed test runs once more; what passes only
 * then is marked `retry x1` in the report, and is to be mended.
 */
const patience = {
  testTimeout: 30_000,
  hookTimeout: 30_000,
  retry: process.env.CI === undefined ? 0 : 1,
};

export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    setupFiles: ['test/fail-on-warnings.ts'],
    // Node runs the sources as they are: transforming them took a third of the processor time of a run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...exclude, ...slow, ...inChromium],
          // Some wait for processes that they have started.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: slow,
          exclude,
          // They wait more than they work.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          globalSetup: 'test/browser/build-modules.ts',
          include: inChromium,
          exclude,
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          ...patience,
        },
      },
    ],
  },
});
