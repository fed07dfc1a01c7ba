/**
 * Options of the original that have no effect here: accepted, so that the same command line starts either
 * program.
 */

import { bool, string, stringSlice } from '@coxswain/cobra';
import type { Flag } from '@coxswain/cobra';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Without a value. */
const switches = words(`
  bind-address-hard-fail cleanup conntrack-tcp-be-liberal init-only iptables-localhost-nodeports
  ipvs-strict-arp log-json-split-stream log-text-split-stream profiling
`);

/** With one value. */
const values = words(`
  bind-address boot-id-file config conntrack-max-per-core conntrack-min conntrack-tcp-timeout-close-wait
  conntrack-tcp-timeout-established conntrack-udp-timeout conntrack-udp-timeout-stream detect-local-mode
  feature-gates healthz-bind-address iptables-min-sync-period iptables-sync-period ipvs-min-sync-period
  ipvs-scheduler ipvs-sync-period ipvs-tcp-timeout ipvs-tcpfin-timeout ipvs-udp-timeout kube-api-burst
  kube-api-content-type kube-api-qps log-flush-frequency log-json-info-buffer-size log-text-info-buffer-size
  logging-format machine-id-file metrics-bind-address oom-score-adj pod-bridge-interface
  pod-interface-name-prefix show-hidden-metrics-for-version vmodule write-config-to
`);

/** With a list. */
const lists = words(`
  ipvs-exclude-cidrs
`);

const usage = 'Accepted, without effect.';

export const ineffectiveFlags: Readonly<Record<string, Flag<unknown>>> = Object.fromEntries([
  ...switches.map((name) => [name, bool({ name, usage })] as const),
  ...values.map((name) => [name, string({ name, usage })] as const),
  ...lists.map((name) => [name, stringSlice({ name, usage })] as const),
]);
