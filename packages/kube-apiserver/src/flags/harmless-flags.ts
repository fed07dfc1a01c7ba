import type { ListedFlags } from '@coxswain/cobra';

/**
 * Options of the original which tune what this server does in another way or not at all: accepted, so that the
 * same command line starts either server. By section and type, with their defaults. Collections are deleted and leases
 * shared by this server's own measure, nothing contends for a lock, `kubelet-timeout` has no effect in the original
 * either, and peers are asked for nothing. Some can have no other value: `onlyValues`.
 */
export const harmlessFlags: ListedFlags = {
  Etcd: {
    bool: ['enable-garbage-collector=true'],
    int: ['delete-collection-workers=1', 'lease-reuse-duration-seconds=60'],
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
