import type { ListedFlags } from '@coxswain/cobra';

/**
 * Upstream's flags that tune something which this server does differently or not at all: accepted, so that the same
 * command line starts either server. By section and type, with their defaults. This server has its own limits for
 * deleting collections and sharing leases, has no lock contention, and asks no peers; `kubelet-timeout` has no effect
 * upstream either. Some accept only one value: `onlyValues`.
 */
export const harmlessFlags: ListedFlags = {
  Etcd: {
    bool: 'enable-garbage-collector=true',
    int: 'delete-collection-workers=1 lease-reuse-duration-seconds=60',
  },
  Features: { bool: 'contention-profiling' },
  Misc: {
    bool: 'aggregator-reject-forwarding-redirect=true',
    string: 'peer-advertise-ip peer-advertise-port',
    int: 'max-connection-bytes-per-sec',
    duration: 'kubelet-timeout=5s',
  },
};
