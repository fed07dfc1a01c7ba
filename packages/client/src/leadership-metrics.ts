/** Whether this instance leads, by the name that it stands for election under. */
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** What to hand over as `onLeadership`. @param name of the lease */
export function leadershipGauge(metrics: Metrics, name: string): (leads: boolean) => void {
  const help = 'Whether this instance leads (1) or waits (0).';
  const gauge = metrics.gauge('leader_election_master_status', help, { name });
  return (leads) => gauge.set(leads ? 1 : 0);
}
