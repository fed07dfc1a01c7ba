/** `/metrics/slis`: each check of health as a number. */
import type { HealthCheck } from '../health/health-check.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** @param checks by path */
export async function healthMetrics(
  checks: Readonly<Record<string, () => readonly HealthCheck[]>>,
): Promise<string> {
  const metrics = new Metrics({ tellsOfItself: false });
  for (const [path, ofPath] of Object.entries(checks)) {
    for (const { name, check } of ofPath()) {
      const gauge = metrics.gauge('kubernetes_healthcheck', '', { name, type: path.slice(1) });
      gauge.set((await check()) === undefined ? 1 : 0);
    }
  }
  return metrics.exposition();
}
