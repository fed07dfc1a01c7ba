/** `/healthz/leaderElection`: a leader that can't renew its lease and works on all the same is told to be ill. */
import type { Clock } from '@coxswain/apimachinery';
import type { HealthCheck } from '../health-check.ts';

/** A leader should long have given up by then. */
export const toleratedAfterLeaseMs = 20_000;

export interface LeaderHealth {
  /** Those who wait for leadership are well. */
  readonly check: HealthCheck;
  readonly onLeadership: (leads: boolean) => void;
  readonly onRenewed: () => void;
}

/** @param lease that the instance stands for */
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
