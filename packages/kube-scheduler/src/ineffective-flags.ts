/**
 * Options of the original that have no effect here: accepted, so that the same command line starts either
 * program. By section of the help, and by whether they take a value, a list, or none.
 */

import { bool, string, stringSlice } from '@coxswain/cobra';
import type { Flag } from '@coxswain/cobra';

interface Ineffective {
  readonly switches?: readonly string[];
  readonly values?: readonly string[];
  readonly lists?: readonly string[];
}

const ineffective: Readonly<Record<string, Ineffective>> = {
  Misc: { values: ['write-config-to'] },
  'Secure serving': {
    switches: ['disable-http2-serving', 'permit-address-sharing', 'permit-port-sharing'],
    values: [
      'bind-address',
      'cert-dir',
      'http2-max-streams-per-connection',
      'secure-port',
      'tls-cert-file',
      'tls-min-version',
      'tls-private-key-file',
    ],
    lists: ['tls-cipher-suites', 'tls-curve-preferences', 'tls-sni-cert-key'],
  },
  Authentication: {
    switches: ['authentication-skip-lookup', 'authentication-tolerate-lookup-failure'],
    values: [
      'authentication-kubeconfig',
      'authentication-token-webhook-cache-ttl',
      'client-ca-file',
      'requestheader-client-ca-file',
    ],
    lists: [
      'requestheader-allowed-names',
      'requestheader-extra-headers-prefix',
      'requestheader-group-headers',
      'requestheader-uid-headers',
      'requestheader-username-headers',
    ],
  },
  Authorization: {
    values: [
      'authorization-kubeconfig',
      'authorization-webhook-cache-authorized-ttl',
      'authorization-webhook-cache-unauthorized-ttl',
    ],
    lists: ['authorization-always-allow-paths'],
  },
  Deprecated: {
    switches: ['contention-profiling', 'profiling'],
    values: ['kube-api-content-type', 'pod-max-in-unschedulable-pods-duration'],
  },
  'Leader election': { values: ['leader-elect-resource-lock'] },
  'Feature gate': { values: ['feature-gates'], lists: ['emulated-version', 'min-compatibility-version'] },
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
};

const usage = 'Accepted, without effect.';

export const ineffectiveFlags: Readonly<Record<string, Flag<unknown>>> = Object.fromEntries(
  Object.entries(ineffective).flatMap(([section, { switches = [], values = [], lists = [] }]) => [
    ...switches.map((name) => [name, bool({ name, usage, section })] as const),
    ...values.map((name) => [name, string({ name, usage, section })] as const),
    ...lists.map((name) => [name, stringSlice({ name, usage, section })] as const),
  ]),
);
