/**
 * Upstream's options that have no effect here: accepted, so that the same command line starts either program, and
 * checked by type.
 */
import { ineffective, listedFlags } from '@coxswain/cobra';

export const ineffectiveFlags = listedFlags(
  {
    '': {
      bool: `
        anonymous-auth=true authentication-token-webhook cgroups-per-qos=true contention-profiling
        cpu-cfs-quota=true enable-controller-attach-detach=true enable-debugging-handlers=true
        enable-load-reader enable-server=true exit-on-lock-contention experimental-allocatable-ignore-eviction
        fail-cgroupv1=true fail-swap-on=true kernel-memcg-notification local-storage-capacity-isolation=true
        log-cadvisor-usage log-json-split-stream log-text-split-stream make-iptables-util-chains=true
        protect-kernel-defaults register-node=true rotate-certificates rotate-server-certificates runonce
        serialize-image-pulls=true storage-driver-secure`,
      ip: 'address=0.0.0.0 healthz-bind-address=127.0.0.1',
      int: `
        application-metrics-count-limit=100 container-log-max-files=5 eviction-max-pod-grace-period
        healthz-port=10248 image-gc-high-threshold=85 image-gc-low-threshold=80 max-open-files=1000000
        maximum-dead-containers=-1 maximum-dead-containers-per-container=1 node-status-max-images=50
        oom-score-adj=-999 pod-max-pids=-1 pods-per-core port=10250 read-only-port=10255 registry-burst=10
        registry-qps=5`,
      duration: `
        authentication-token-webhook-cache-ttl=2m0s authorization-webhook-cache-authorized-ttl=5m0s
        authorization-webhook-cache-unauthorized-ttl=30s cpu-cfs-quota-period=100ms
        cpu-manager-reconcile-period=10s eviction-pressure-transition-period=5m0s file-check-frequency=20s
        global-housekeeping-interval=1m0s housekeeping-interval=10s http-check-frequency=20s
        log-flush-frequency=5s minimum-container-ttl-duration minimum-image-ttl-duration=2m0s
        node-status-update-frequency=10s runtime-request-timeout=2m0s storage-driver-buffer-duration=1m0s
        streaming-connection-idle-timeout=4h0m0s sync-frequency=1m0s volume-stats-agg-period=1m0s`,
      string: `
        authorization-mode=AlwaysAllow boot-id-file=/proc/sys/kernel/random/boot_id bootstrap-kubeconfig
        cert-dir=/var/lib/kubelet/pki cgroup-driver=cgroupfs cgroup-root client-ca-file cloud-provider
        cluster-domain config config-dir container-hints=/etc/cadvisor/container_hints.json
        container-log-max-size=10Mi containerd=/run/containerd/containerd.sock containerd-namespace=k8s.io
        cpu-manager-policy=none cpu-manager-policy-options event-storage-age-limit=default=0
        event-storage-event-limit=default=0 eviction-hard eviction-minimum-reclaim eviction-soft
        eviction-soft-grace-period experimental-mounter-path hairpin-mode=promiscuous-bridge
        image-credential-provider-bin-dir image-credential-provider-config image-service-endpoint
        kube-api-content-type=application/vnd.kubernetes.protobuf kube-reserved kube-reserved-cgroup
        kubelet-cgroups lock-file log-json-info-buffer-size log-text-info-buffer-size logging-format=text
        machine-id-file=/etc/machine-id,/var/lib/dbus/machine-id manifest-url manifest-url-header
        memory-manager-policy=None pod-manifest-path provider-id qos-reserved reserved-cpus reserved-memory
        resolv-conf=/etc/resolv.conf root-dir=/var/lib/kubelet runtime-cgroups seccomp-default
        storage-driver-db=cadvisor storage-driver-host=localhost:8086 storage-driver-password=root
        storage-driver-table=stats storage-driver-user=root system-cgroups system-reserved
        system-reserved-cgroup tls-cert-file tls-min-version tls-private-key-file topology-manager-policy=none
        topology-manager-policy-options topology-manager-scope=container vmodule
        volume-plugin-dir=/usr/libexec/kubernetes/kubelet-plugins/volume/exec/`,
      stringSlice: 'allowed-unsafe-sysctls cluster-dns enforce-node-allocatable=pods tls-cipher-suites',
    },
  },
  ineffective,
);
