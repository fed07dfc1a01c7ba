/** Metrics of reloading the file of `--authorization-config`. */
import type { Clock } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { hashOf } from '../authentication/jwt/jwt-metrics.ts';

/** @param serverId this server's id in its cluster */
export function reloadMetrics(
  metrics: Metrics,
  clock: Clock,
  serverId: string,
): (status: 'success' | 'failure') => void {
  const prefix = 'apiserver_authorization_config_controller_automatic_reload';
  return (status) => {
    const labels = { status, apiserver_id_hash: hashOf(serverId) };
    metrics.counter(`${prefix}s_total`, 'Reloads of the configuration, by result.', labels).add();
    metrics
      .gauge(
        `${prefix}_last_timestamp_seconds`,
        'Time of the last reload of the configuration, by result.',
        labels,
      )
      .set(clock.now() / 1000);
  };
}
