/**
 * Options of the original that have no effect here: accepted, so that the same command line starts either
 * program, and checked by their types.
 */
import { ineffective, listedFlags } from '@coxswain/cobra';

export const ineffectiveFlags = listedFlags(
  {
    Misc: {
      string: ['write-config-to'],
    },
    'Secure serving': {
      bool: ['disable-http2-serving', 'permit-address-sharing', 'permit-port-sharing'],
      ip: ['bind-address=0.0.0.0'],
      string: ['cert-dir', 'tls-cert-file', 'tls-min-version', 'tls-private-key-file', 'tls-sni-cert-key'],
      int: ['http2-max-streams-per-connection', 'secure-port=10259'],
      stringSlice: ['tls-cipher-suites'],
      int32Slice: ['tls-curve-preferences'],
    },
    Authentication: {
      bool: ['authentication-skip-lookup', 'authentication-tolerate-lookup-failure=true'],
      string: ['authentication-kubeconfig', 'client-ca-file', 'requestheader-client-ca-file'],
      duration: ['authentication-token-webhook-cache-ttl=10s'],
      stringSlice: [
        'requestheader-allowed-names',
        'requestheader-extra-headers-prefix=x-remote-extra-',
        'requestheader-group-headers=x-remote-group',
        'requestheader-uid-headers',
        'requestheader-username-headers=x-remote-user',
      ],
    },
    Authorization: {
      string: ['authorization-kubeconfig'],
      duration: [
        'authorization-webhook-cache-authorized-ttl=10s',
        'authorization-webhook-cache-unauthorized-ttl=10s',
      ],
      stringSlice: ['authorization-always-allow-paths=/healthz,/readyz,/livez'],
    },
    Deprecated: {
      bool: ['contention-profiling=true', 'profiling=true'],
      string: ['kube-api-content-type=application/vnd.kubernetes.protobuf'],
      duration: ['pod-max-in-unschedulable-pods-duration=5m0s'],
    },
    'Leader election': {
      string: ['leader-elect-resource-lock=leases'],
    },
    'Feature gate': {
      string: ['feature-gates'],
      stringSlice: ['emulated-version', 'min-compatibility-version'],
    },
    Metrics: {
      stringToString: ['allow-metric-labels'],
      string: ['allow-metric-labels-manifest', 'show-hidden-metrics-for-version'],
      stringSlice: ['disabled-metrics'],
    },
    Logs: {
      bool: ['log-json-split-stream', 'log-text-split-stream'],
      duration: ['log-flush-frequency=5s'],
      string: ['log-json-info-buffer-size', 'log-text-info-buffer-size', 'logging-format=text', 'vmodule'],
    },
  },
  ineffective,
);
