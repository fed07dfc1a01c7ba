/** General flags of serving requests. */
import { featureGateFlag } from '@coxswain/component-base/features/feature-gate-flag.ts';
import { emulatedVersionFlag, minCompatibilityVersionFlag } from '@coxswain/component-base/version-flags.ts';
import { bool, duration, float, int, ip, section, string, stringSlice } from '@coxswain/cobra';

export const genericFlags = section('Generic', {
  advertiseAddress: ip({ usage: 'The IP address to advertise to other members of the cluster.' }),
  corsAllowedOrigins: stringSlice({
    usage:
      'Regular expressions for the origins from which browsers may send requests. Each must anchor the start and end of the host, as in //example.com(:|$)',
  }),
  emulatedVersion: emulatedVersionFlag,
  emulationForwardCompatible: bool({
    usage:
      'With --emulated-version: also serve later versions, other than alpha, of every resource that is served.',
  }),
  externalHostname: string({ usage: 'The host name to publish in discovery documents.' }),
  featureGates: featureGateFlag,
  goawayChance: float({
    usage:
      'The probability that an HTTP/2 client is asked to reconnect, per request. From 0 (never) to 0.02.',
  }),
  livezGracePeriod: duration({
    usage: 'How long after its start the server counts as live while startup is still in progress.',
  }),
  maxMutatingRequestsInflight: int({
    default: 200,
    usage: 'The maximum number of concurrent mutating requests. 0 means no limit.',
  }),
  maxRequestsInflight: int({
    default: 400,
    usage: 'The maximum number of concurrent non-mutating requests. 0 means no limit.',
  }),
  minCompatibilityVersion: minCompatibilityVersionFlag,
  minRequestTimeout: int({ default: 1800, usage: 'The minimum number of seconds before a watch is closed.' }),
  requestTimeout: duration({ default: 60_000, usage: 'The timeout of requests other than watches.' }),
  runtimeConfigEmulationForwardCompatible: bool({
    usage: 'With --emulated-version: also serve what --runtime-config names, though it came later.',
  }),
  shutdownDelayDuration: duration({ usage: 'How long to keep serving after a termination signal.' }),
  shutdownSendRetryAfter: bool({
    usage:
      'Keep listening until requests in flight are done, and answer new ones with 429 and Retry-After meanwhile.',
  }),
  shutdownWatchTerminationGracePeriod: duration({
    usage:
      'The period over which watches are closed, one after the other, during shutdown. 0 does not wait for them.',
  }),
  storageInitializationTimeout: duration({
    default: 60_000,
    usage: 'How long readiness waits for the storage to initialize at startup.',
  }),
  strictTransportSecurityDirectives: stringSlice({
    usage:
      'Directives for the Strict-Transport-Security header: max-age=SECONDS, includeSubDomains, preload.',
  }),
});
