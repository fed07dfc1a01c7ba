import * as t from '@coxswain/schema';

export const LeaseSpec = t.struct('coordination/v1.LeaseSpec', {
  holderIdentity: t.pointer(1, t.string),
  leaseDurationSeconds: t.pointer(2, t.int32),
  acquireTime: t.pointer(3, t.microTime),
  renewTime: t.pointer(4, t.microTime),
  leaseTransitions: t.pointer(5, t.int32),
  strategy: t.pointer(6, t.named('v1.CoordinatedLeaseStrategy', t.string), {
    gate: 'CoordinatedLeaderElection',
  }),
  preferredHolder: t.pointer(7, t.string, { gate: 'CoordinatedLeaderElection' }),
});
export interface LeaseSpec extends t.Static<typeof LeaseSpec> {}
