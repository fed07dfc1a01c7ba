/** Probes over the network of this machine. */
import type { Clock } from '@coxswain/apimachinery';
import { httpGet } from './http-request.ts';
import type { ProbeNetwork } from './run-probe.ts';
import { tcpConnect } from './tcp-connect.ts';

export const machineNetwork = (clock: Clock): ProbeNetwork => ({
  httpGet,
  tcpConnect,
  async grpcHealth(target, timeoutMs) {
    const { grpcHealth } = await import('./grpc-health.ts');
    return grpcHealth(target, timeoutMs, clock);
  },
});
