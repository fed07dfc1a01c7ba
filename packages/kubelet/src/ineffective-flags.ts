/**
 * Options of the original that have no effect here: accepted, so that the same command line starts either
 * program.
 */

import { bool, string, stringSlice } from '@coxswain/cobra';
import type { Flag } from '@coxswain/cobra';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Without a value. */
const switches = words(`
  anonymous-auth authentication-token-webhook cgroups-per-qos contention-profiling cpu-cfs-quota
  enable-controller-attach-detach enable-debugging-handlers enable-load-reader enable-server
  exit-on-lock-contention experimental-allocatable-ignore-eviction fail-cgroupv1 fail-swap-on
  kernel-memcg-notification local-storage-capacity-isolation log-cadvisor-usage log-json-split-stream
  log-text-split-stream make-iptables-util-chains protect-kernel-defaults register-node rotate-certificates
  rotate-server-certificates runonce serialize-image-pulls storage-driver-secure
`);

/** With one value. */
const values = words(`
  address application-metrics-count-limit authentication-token-webhook-cache-ttl authorization-mode
  authorization-webhook-cache-authorized-ttl authorization-webhook-cache-unauthorized-ttl boot-id-file
  bootstrap-kubeconfig cert-dir cgroup-driver cgroup-root client-ca-file cloud-provider cluster-domain config
  config-dir container-hints container-log-max-files container-log-max-size containerd containerd-namespace
  cpu-cfs-quota-period cpu-manager-policy cpu-manager-policy-options cpu-manager-reconcile-period
  event-storage-age-limit event-storage-event-limit eviction-hard eviction-max-pod-grace-period
  eviction-minimum-reclaim eviction-pressure-transition-period eviction-soft eviction-soft-grace-period
  experimental-mounter-path feature-gates file-check-frequency global-housekeeping-interval hairpin-mode
  healthz-bind-address healthz-port housekeeping-interval http-check-frequency
  image-credential-provider-bin-dir image-credential-provider-config image-gc-high-threshold
  image-gc-low-threshold image-service-endpoint kube-api-content-type
  kube-reserved kube-reserved-cgroup kubelet-cgroups lock-file log-flush-frequency log-json-info-buffer-size
  log-text-info-buffer-size logging-format machine-id-file manifest-url manifest-url-header max-open-files
  maximum-dead-containers maximum-dead-containers-per-container memory-manager-policy
  minimum-container-ttl-duration minimum-image-ttl-duration node-status-max-images
  node-status-update-frequency oom-score-adj pod-manifest-path pod-max-pids pods-per-core port provider-id
  qos-reserved read-only-port registry-burst registry-qps reserved-cpus reserved-memory resolv-conf root-dir
  runtime-cgroups runtime-request-timeout seccomp-default storage-driver-buffer-duration storage-driver-db
  storage-driver-host storage-driver-password storage-driver-table storage-driver-user
  streaming-connection-idle-timeout sync-frequency system-cgroups system-reserved system-reserved-cgroup
  tls-cert-file tls-min-version tls-private-key-file topology-manager-policy topology-manager-policy-options
  topology-manager-scope vmodule volume-plugin-dir volume-stats-agg-period
`);

/** With a list. */
const lists = words(`
  allowed-unsafe-sysctls cluster-dns enforce-node-allocatable tls-cipher-suites
`);

const usage = 'Accepted, without effect.';

export const ineffectiveFlags: Readonly<Record<string, Flag<unknown>>> = Object.fromEntries([
  ...switches.map((name) => [name, bool({ name, usage })] as const),
  ...values.map((name) => [name, string({ name, usage })] as const),
  ...lists.map((name) => [name, stringSlice({ name, usage })] as const),
]);
