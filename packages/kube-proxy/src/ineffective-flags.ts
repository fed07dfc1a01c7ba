/**
 * Options of upstream that have no effect here. They are accepted, so that the same command line starts either program,
 * and their types are checked.
 */
import { ineffective, listedFlags } from '@coxswain/cobra';

export const ineffectiveFlags = listedFlags(
  {
    '': {
      bool: 'iptables-localhost-nodeports=true ipvs-strict-arp log-json-split-stream log-text-split-stream',
      string: `
        boot-id-file=/proc/sys/kernel/random/boot_id ipvs-scheduler log-json-info-buffer-size
        log-text-info-buffer-size logging-format=text machine-id-file=/etc/machine-id,/var/lib/dbus/machine-id
        show-hidden-metrics-for-version vmodule`,
      duration: `
        ipvs-min-sync-period=1s ipvs-sync-period=30s ipvs-tcp-timeout ipvs-tcpfin-timeout ipvs-udp-timeout
        log-flush-frequency=5s`,
      stringSlice: 'ipvs-exclude-cidrs',
    },
  },
  ineffective,
);
