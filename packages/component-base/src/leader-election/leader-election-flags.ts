/** Flags of leader election. */

import { bool, duration } from '@coxswain/cobra';

export const leaderElectionFlags = {
  leaderElect: bool({
    default: true,
    usage: 'Use leader election, so that only one instance is active at a time.',
  }),
  leaderElectLeaseDuration: duration({
    default: 15_000,
    usage: 'How long other candidates wait after the last renewal before they try to take over.',
  }),
  leaderElectRenewDeadline: duration({
    default: 10_000,
    usage: 'How long the leader tries to renew the lease before it gives up leadership.',
  }),
  leaderElectRetryPeriod: duration({
    default: 2_000,
    usage: 'How long to wait between attempts to acquire or renew the lease.',
  }),
};
