/**
 * Options of the original that have no effect here: accepted, so that the same command line starts either
 * program, and checked by their types.
 */
import { ineffective, listedFlags } from '@coxswain/cobra';

export const ineffectiveFlags = listedFlags(
  {
    '': {
      bool: [
        'bind-address-hard-fail',
        'cleanup',
        'conntrack-tcp-be-liberal',
        'init-only',
        'iptables-localhost-nodeports=true',
        'ipvs-strict-arp',
        'log-json-split-stream',
        'log-text-split-stream',
        'profiling',
      ],
      ip: ['bind-address=0.0.0.0'],
      string: [
        'boot-id-file=/proc/sys/kernel/random/boot_id',
        'config',
        'detect-local-mode',
        'healthz-bind-address=0.0.0.0:10256',
        'ipvs-scheduler',
        'kube-api-content-type=application/vnd.kubernetes.protobuf',
        'log-json-info-buffer-size',
        'log-text-info-buffer-size',
        'logging-format=text',
        'machine-id-file=/etc/machine-id,/var/lib/dbus/machine-id',
        'metrics-bind-address=127.0.0.1:10249',
        'pod-bridge-interface',
        'pod-interface-name-prefix',
        'show-hidden-metrics-for-version',
        'vmodule',
        'write-config-to',
      ],
      int: [
        'conntrack-max-per-core=32768',
        'conntrack-min=131072',
        'kube-api-burst=10',
        'oom-score-adj=-999',
      ],
      duration: [
        'conntrack-tcp-timeout-close-wait=1h0m0s',
        'conntrack-tcp-timeout-established=24h0m0s',
        'conntrack-udp-timeout',
        'conntrack-udp-timeout-stream',
        'iptables-min-sync-period=1s',
        'iptables-sync-period=30s',
        'ipvs-min-sync-period=1s',
        'ipvs-sync-period=30s',
        'ipvs-tcp-timeout',
        'ipvs-tcpfin-timeout',
        'ipvs-udp-timeout',
        'log-flush-frequency=5s',
      ],
      float32: ['kube-api-qps=5'],
      stringSlice: ['ipvs-exclude-cidrs'],
    },
  },
  ineffective,
);
