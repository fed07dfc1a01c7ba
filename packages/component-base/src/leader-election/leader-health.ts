/** `/healthz/leaderElection`: a leader that cannot renew its lease but keeps working is reported as unhealthy. */
import type { Clock } from '@coxswain/apimachinery';
import type { HealthCheck } from '../health-check.ts';

/** By then, a leader should long have stopped. */
export const toleratedAfterLeaseMs = 20_000;

export interface LeaderHealth {
  /** Instances that wait for leadership are healthy. */
  readonly check: HealthCheck;
  readonly onLeadership: (leads: boolean) => void;
  readonly onRenewed: () => void;
}

/** @param lease the lease for which the instance is a candidate */
export function leaderHealth(
  { name, leaseDurationMs }: { readonly name: string; readonly leaseDurationMs: number },
  clock: Clock,
): LeaderHealth {
  let leads = false;
  let renewedMs = 0;
  const isOverdue = () => clock.monotonic() - renewedMs > leaseDurationMs + toleratedAfterLeaseMs;
  return {
    check: {
      name: 'leaderElection',
      check: () =>
        leads && isOverdue() ? `failed election to renew leadership on lease ${name}` : undefined,
    },
    onLeadership(now) {
      leads = now;
    },
    onRenewed() {
      renewedMs = clock.monotonic();
    },
  };
}
