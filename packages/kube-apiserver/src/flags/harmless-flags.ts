import type { FlagLists } from './flag-lists.ts';

/**
 * Options of the original which tune what this server does in another way or not at all: accepted, so that the
 * same command line starts either server.
 */
export const harmlessFlags: FlagLists = {
  Generic: {
    switches: [
      'emulation-forward-compatible',
      'runtime-config-emulation-forward-compatible',
      'shutdown-send-retry-after',
    ],
    values: [
      'goaway-chance',
      'livez-grace-period',
      'shutdown-watch-termination-grace-period',
      'storage-initialization-timeout',
    ],
  },
  Etcd: {
    switches: ['enable-garbage-collector'],
    values: [
      'delete-collection-workers',
      'etcd-count-metric-poll-period',
      'etcd-db-metric-poll-interval',
      'lease-reuse-duration-seconds',
    ],
  },
  'Secure serving': {
    switches: ['disable-http2-serving', 'permit-address-sharing', 'permit-port-sharing'],
  },
  Features: {
    switches: ['contention-profiling', 'profiling'],
  },
  Authentication: {
    switches: ['service-account-lookup'],
    values: [
      'authentication-token-webhook-cache-ttl',
      'authentication-token-webhook-version',
      'oidc-groups-claim',
      'oidc-groups-prefix',
      'oidc-required-claim',
      'oidc-username-claim',
      'oidc-username-prefix',
    ],
    lists: [
      'oidc-signing-algs',
      'requestheader-allowed-names',
      'requestheader-extra-headers-prefix',
      'requestheader-group-headers',
      'requestheader-uid-headers',
      'requestheader-username-headers',
    ],
  },
  Metrics: {
    values: ['allow-metric-labels', 'allow-metric-labels-manifest', 'show-hidden-metrics-for-version'],
    lists: ['disabled-metrics'],
  },
  Logs: {
    switches: ['log-json-split-stream', 'log-text-split-stream'],
    values: [
      'log-flush-frequency',
      'log-json-info-buffer-size',
      'log-text-info-buffer-size',
      'logging-format',
      'vmodule',
    ],
  },
  Misc: {
    switches: ['aggregator-reject-forwarding-redirect', 'enable-logs-handler'],
    values: [
      'coordinated-leadership-lease-duration',
      'coordinated-leadership-renew-deadline',
      'coordinated-leadership-retry-period',
      'endpoint-reconciler-type',
      'kubelet-timeout',
      'max-connection-bytes-per-sec',
      'peer-advertise-ip',
      'peer-advertise-port',
    ],
  },
};
