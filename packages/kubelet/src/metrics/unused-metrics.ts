/**
 * Counters of events that never occur or are not implemented here; they are present, at zero, because dashboards query
 * them.
 */
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

const counters = [
  'cpu_manager_pinning_errors_total',
  'cpu_manager_pinning_requests_total',
  'evented_pleg_connection_error_count',
  'evented_pleg_connection_success_count',
  'image_volume_mounted_errors_total',
  'image_volume_mounted_succeed_total',
  'image_volume_requested_total',
  'lifecycle_handler_http_fallbacks_total',
  'memory_manager_pinning_errors_total',
  'memory_manager_pinning_requests_total',
  'orphaned_runtime_pods_total',
  'pleg_discard_events',
  'pod_watch_events_dropped_total',
  'sleep_action_terminated_early_total',
  'topology_manager_admission_errors_total',
  'topology_manager_admission_requests_total',
];

const gauges = [
  'cpu_manager_exclusive_cpu_allocation_count',
  'graceful_shutdown_end_time_seconds',
  'graceful_shutdown_start_time_seconds',
  'orphan_pod_cleaned_volumes',
  'orphan_pod_cleaned_volumes_errors',
  'pod_in_progress_resizes',
];

const help = 'Nothing of the kind happens on this node.';

export function describeUnused(metrics: Metrics): void {
  for (const name of counters) metrics.counter(`kubelet_${name}`, help);
  for (const name of gauges) metrics.gauge(`kubelet_${name}`, help).set(0);
}
