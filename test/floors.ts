/**
 * The floors of large packages, from the ground up: a file imports from its own room (a folder of `src`, or a file that
 * lies there) and from rooms on lower floors.
 */

export type Floors = readonly (readonly string[])[];

export const floors: Readonly<Record<string, Floors>> = {
  coxswain: [
    ['access', 'certificates', 'components', 'history', 'program', 'simulated-metrics', 'storage', 'trace'],
    ['addons', 'cel', 'explain', 'load-balancers', 'local', 'names', 'node-network', 'stages'],
    ['nodes'],
    ['joining'],
    ['cluster'],
    ['index.ts', 'testing', 'up', 'validate'],
    ['policy-test'],
    ['commands'],
    ['main.ts'],
  ],
  'kube-proxy': [
    ['flags.ts', 'ineffective-flags.ts', 'model'],
    ['config', 'conntrack', 'rule-writer.ts'],
    ['nftables', 'serving', 'start-kube-proxy.ts', 'userspace'],
    ['machine'],
    ['table-options-of.ts'],
    ['run-node-proxy.ts'],
    ['command.ts'],
    ['index.ts'],
  ],
  storage: [
    ['key-bytes.ts', 'storage.ts', 'tree'],
    ['cacher', 'directory', 'encryption', 'optimistic-update.ts'],
    ['engine', 'port'],
    ['etcd', 'index.ts'],
  ],
};
