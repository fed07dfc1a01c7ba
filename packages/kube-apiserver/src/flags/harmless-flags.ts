import type { ListedFlags } from '@coxswain/cobra';

/**
 * Options of the original which tune what this server does in another way or not at all: accepted, so that the
 * same command line starts either server. By section and type, with their defaults.
 */
export const harmlessFlags: ListedFlags = {
  Etcd: {
    bool: ['enable-garbage-collector=true'],
    int: ['delete-collection-workers=1', 'lease-reuse-duration-seconds=60'],
    duration: ['etcd-count-metric-poll-period=1m0s', 'etcd-db-metric-poll-interval=30s'],
  },
  Features: {
    bool: ['contention-profiling'],
  },
  Misc: {
    bool: ['aggregator-reject-forwarding-redirect=true'],
    string: ['peer-advertise-ip', 'peer-advertise-port'],
    int: ['max-connection-bytes-per-sec'],
    duration: ['kubelet-timeout=5s'],
  },
};
