/** The metric of whether this instance is the leader, by the name of the election. */
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** Returns a function to pass as `onLeadership`. @param name the name of the lease */
export function leadershipGauge(metrics: Metrics, name: string): (leads: boolean) => void {
  const help = 'Whether this instance leads (1) or waits (0).';
  const gauge = metrics.gauge('leader_election_master_status', help, { name });
  return (leads) => gauge.set(leads ? 1 : 0);
}
