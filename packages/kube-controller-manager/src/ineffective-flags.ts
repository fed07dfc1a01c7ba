/**
 * Upstream's options that have no effect here: accepted, so that the same command line starts either program, and
 * checked by type.
 */
import { ineffective, listedFlags } from '@coxswain/cobra';

export const ineffectiveFlags = listedFlags(
  {
    Debugging: { bool: 'contention-profiling' },
    'Leader-migration': {
      bool: 'enable-leader-migration',
      string: 'leader-migration-config',
    },
    Generic: {
      bool: 'configure-cloud-routes=true',
      string: `
        cidr-allocator-type=RangeAllocator cloud-config cloud-provider cluster-name=kubernetes
        external-cloud-volume-plugin kube-api-content-type=application/vnd.kubernetes.protobuf
        leader-elect-resource-lock=leases`,
      duration: `
        controller-shutdown-timeout=10s controller-start-interval min-resync-period=12h0m0s
        route-reconciliation-period=10s`,
      int: 'kube-api-burst=30',
      float32: 'kube-api-qps=20',
    },
    'Service-lb-controller': { int: 'concurrent-service-syncs=1' },
    'Secure serving': {
      string: 'tls-sni-cert-key',
      bool: 'permit-address-sharing',
    },
    'Persistentvolume-attach-detach-controller': {
      bool: 'disable-attach-detach-reconcile-sync disable-force-detach-on-timeout',
      duration: 'attach-detach-reconcile-sync-period=1m0s',
    },
    'Deployment-controller': { int: 'concurrent-deployment-syncs=5' },
    'Device-taint-eviction-controller': { int: 'concurrent-device-taint-eviction-syncs=8' },
    'Resourceclaim-controller': { int: 'concurrent-resourceclaim-syncs=50' },
    'Statefulset-controller': { int: 'concurrent-statefulset-syncs=5' },
    'Daemonset-controller': { int: 'concurrent-daemonset-syncs=2' },
    'Endpoints-controller': {
      int: 'concurrent-endpoint-syncs=5',
      duration: 'endpoint-updates-batch-period',
    },
    'Endpointslice-controller': {
      int: 'concurrent-service-endpoint-syncs=5 max-endpoints-per-slice=100',
      duration: 'endpointslice-updates-batch-period',
    },
    'Endpointslice-mirroring-controller': {
      int: 'mirroring-concurrent-service-endpoint-syncs=5',
      duration: 'mirroring-endpointslice-updates-batch-period',
    },
    'Ephemeral-volume-controller': { int: 'concurrent-ephemeralvolume-syncs=5' },
    'Garbage-collector-controller': { int: 'concurrent-gc-syncs=20' },
    'Horizontal-pod-autoscaler-controller': { int: 'concurrent-horizontal-pod-autoscaler-syncs=5' },
    'Job-controller': { int: 'concurrent-job-syncs=5' },
    'Cronjob-controller': { int: 'concurrent-cron-job-syncs=5' },
    'Namespace-controller': {
      int: 'concurrent-namespace-syncs=10',
      duration: 'namespace-sync-period=5m0s',
    },
    'Persistentvolume-binder-controller': {
      bool: 'enable-dynamic-provisioning=true enable-hostpath-provisioner',
      string: 'flex-volume-plugin-dir=/usr/libexec/kubernetes/kubelet-plugins/volume/exec/',
      duration: 'pvclaimbinder-sync-period=15s',
    },
    'Replicaset-controller': { int: 'concurrent-replicaset-syncs=5' },
    'Replicationcontroller-controller': { int: 'concurrent-rc-syncs=5' },
    'Resourcequota-controller': { int: 'concurrent-resource-quota-syncs=5' },
    'Serviceaccount-controller': { int: 'concurrent-serviceaccount-token-syncs=5' },
    'Ttl-after-finished-controller': { int: 'concurrent-ttl-after-finished-syncs=5' },
    'Validatingadmissionpolicy-status-controller': {
      int: 'concurrent-validating-admission-policy-status-syncs=5',
    },
    Metrics: {
      stringToString: 'allow-metric-labels',
      string: 'allow-metric-labels-manifest show-hidden-metrics-for-version',
      stringSlice: 'disabled-metrics',
    },
    Logs: {
      bool: 'log-json-split-stream log-text-split-stream',
      duration: 'log-flush-frequency=5s',
      string: 'log-json-info-buffer-size log-text-info-buffer-size logging-format=text vmodule',
      int: 'v',
    },
  },
  ineffective,
);
