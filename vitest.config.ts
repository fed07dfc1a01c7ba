import { configDefaults, defineConfig } from 'vitest/config';

/** Needs the original's programs: `ORIGINAL_BIN=DIR npm test -- test/one-etcd`. */
const besideTheOriginal = 'test/one-etcd/**';
/** Needs a driver from elsewhere: `CSI_HOSTPATH_PLUGIN=FILE npm test -- test/nodes/csi-host-path`. */
const withPublicDriver = 'test/nodes/csi-host-path.test.ts';
/** Needs the original's program: `KUBEADM=FILE npm test -- test/nodes/kubeadm-join`. */
const withKubeadm = 'test/nodes/kubeadm-join.test.ts';

export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    // A machine that does other things besides is no reason to fail.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...(process.env.ORIGINAL_BIN === undefined ? [besideTheOriginal] : []),
      ...(process.env.CSI_HOSTPATH_PLUGIN === undefined ? [withPublicDriver] : []),
      ...(process.env.KUBEADM === undefined ? [withKubeadm] : []),
    ],
  },
});
