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
    metrics.counter(`${prefix}s_total`, 'Times that the configuration was read again.', labels).add();
    metrics
      .gauge(`${prefix}_last_timestamp_seconds`, 'When the configuration was last read again.', labels)
      .set(clock.now() / 1000);
  };
}
