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
  Debugging: {
    switches: ['contention-profiling', 'profiling'],
  },
  'Leader-migration': {
    switches: ['enable-leader-migration'],
    values: ['leader-migration-config'],
  },
  Generic: {
    switches: ['allocate-node-cidrs', 'configure-cloud-routes'],
    values: [
      'cidr-allocator-type',
      'cloud-config',
      'cloud-provider',
      'cluster-cidr',
      'cluster-name',
      'controller-shutdown-timeout',
      'controller-start-interval',
      'external-cloud-volume-plugin',
      'feature-gates',
      'kube-api-burst',
      'kube-api-content-type',
      'kube-api-qps',
      'leader-elect-resource-lock',
      'min-resync-period',
      'route-reconciliation-period',
    ],
    lists: ['emulated-version', 'min-compatibility-version'],
  },
  'Service-lb-controller': {
    values: ['concurrent-service-syncs'],
  },
  'Secure serving': {
    switches: ['disable-http2-serving', 'permit-address-sharing', 'permit-port-sharing'],
    values: ['cert-dir', 'http2-max-streams-per-connection', 'tls-min-version', 'tls-sni-cert-key'],
    lists: ['tls-cipher-suites', 'tls-curve-preferences'],
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
  'Persistentvolume-attach-detach-controller': {
    switches: ['disable-attach-detach-reconcile-sync', 'disable-force-detach-on-timeout'],
    values: ['attach-detach-reconcile-sync-period'],
  },
  'Certificatesigningrequest-signing-controller': {
    values: [
      'cluster-signing-cert-file',
      'cluster-signing-duration',
      'cluster-signing-key-file',
      'cluster-signing-kube-apiserver-client-cert-file',
      'cluster-signing-kube-apiserver-client-key-file',
      'cluster-signing-kubelet-client-cert-file',
      'cluster-signing-kubelet-client-key-file',
      'cluster-signing-kubelet-serving-cert-file',
      'cluster-signing-kubelet-serving-key-file',
      'cluster-signing-legacy-unknown-cert-file',
      'cluster-signing-legacy-unknown-key-file',
    ],
  },
  'Deployment-controller': {
    values: ['concurrent-deployment-syncs'],
  },
  'Device-taint-eviction-controller': {
    values: ['concurrent-device-taint-eviction-syncs'],
  },
  'Resourceclaim-controller': {
    values: ['concurrent-resourceclaim-syncs'],
  },
  'Statefulset-controller': {
    values: ['concurrent-statefulset-syncs'],
  },
  'Daemonset-controller': {
    values: ['concurrent-daemonset-syncs'],
  },
  'Endpoints-controller': {
    values: ['concurrent-endpoint-syncs', 'endpoint-updates-batch-period'],
  },
  'Endpointslice-controller': {
    values: [
      'concurrent-service-endpoint-syncs',
      'endpointslice-updates-batch-period',
      'max-endpoints-per-slice',
    ],
  },
  'Endpointslice-mirroring-controller': {
    values: [
      'mirroring-concurrent-service-endpoint-syncs',
      'mirroring-endpointslice-updates-batch-period',
      'mirroring-max-endpoints-per-subset',
    ],
  },
  'Ephemeral-volume-controller': {
    values: ['concurrent-ephemeralvolume-syncs'],
  },
  'Garbage-collector-controller': {
    values: ['concurrent-gc-syncs'],
  },
  'Horizontal-pod-autoscaler-controller': {
    values: [
      'concurrent-horizontal-pod-autoscaler-syncs',
      'horizontal-pod-autoscaler-cpu-initialization-period',
      'horizontal-pod-autoscaler-downscale-stabilization',
      'horizontal-pod-autoscaler-initial-readiness-delay',
      'horizontal-pod-autoscaler-tolerance',
    ],
  },
  'Job-controller': {
    values: ['concurrent-job-syncs'],
  },
  'Cronjob-controller': {
    values: ['concurrent-cron-job-syncs'],
  },
  'Legacy-serviceaccount-token-cleaner-controller': {
    values: ['legacy-service-account-token-clean-up-period'],
  },
  'Namespace-controller': {
    values: ['concurrent-namespace-syncs', 'namespace-sync-period'],
  },
  'Node-ipam-controller': {
    values: [
      'node-cidr-mask-size',
      'node-cidr-mask-size-ipv4',
      'node-cidr-mask-size-ipv6',
      'service-cluster-ip-range',
    ],
  },
  'Node-lifecycle-controller': {
    values: ['large-cluster-size-threshold', 'secondary-node-eviction-rate', 'unhealthy-zone-threshold'],
  },
  'Persistentvolume-binder-controller': {
    switches: ['enable-dynamic-provisioning', 'enable-hostpath-provisioner'],
    values: [
      'flex-volume-plugin-dir',
      'pv-recycler-increment-timeout-nfs',
      'pv-recycler-minimum-timeout-hostpath',
      'pv-recycler-minimum-timeout-nfs',
      'pv-recycler-pod-template-filepath-hostpath',
      'pv-recycler-pod-template-filepath-nfs',
      'pv-recycler-timeout-increment-hostpath',
      'pvclaimbinder-sync-period',
    ],
  },
  'Replicaset-controller': {
    values: ['concurrent-replicaset-syncs'],
  },
  'Replicationcontroller-controller': {
    values: ['concurrent-rc-syncs'],
  },
  'Resourcequota-controller': {
    values: ['concurrent-resource-quota-syncs'],
  },
  'Serviceaccount-controller': {
    values: ['concurrent-serviceaccount-token-syncs', 'service-account-private-key-file'],
  },
  'Ttl-after-finished-controller': {
    values: ['concurrent-ttl-after-finished-syncs'],
  },
  'Validatingadmissionpolicy-status-controller': {
    values: ['concurrent-validating-admission-policy-status-syncs'],
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
      'v',
      'vmodule',
    ],
  },
  Global: {
    values: ['version'],
  },
};

const usage = 'Accepted for compatibility; has no effect.';

/** Keyed by the option's name in camel case, as option tables are. */
export const ineffectiveFlags: Readonly<Record<string, Flag<unknown>>> = Object.fromEntries(
  Object.entries(ineffective).flatMap(([section, { switches = [], values = [], lists = [] }]) => [
    ...switches.map((name) => [camelCase(name), { ...bool({ usage }), section }]),
    ...values.map((name) => [camelCase(name), { ...string({ usage }), section }]),
    ...lists.map((name) => [camelCase(name), { ...stringSlice({ usage, default: [] }), section }]),
  ]),
);

function camelCase(name: string): string {
  return name.replace(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());
}
