/** How the server meets its clients, whatever they ask for. */
import { featureGateFlag } from '@coxswain/component-base/features/feature-gate-flag.ts';
import { bool, duration, float, int, ip, section, string, stringSlice } from '@coxswain/cobra';

export const genericFlags = section('Generic', {
  advertiseAddress: ip({ usage: 'The IP address to advertise to other members of the cluster.' }),
  corsAllowedOrigins: stringSlice({
    usage:
      'Regular expressions for the origins from which browsers may send requests. Each must anchor the start and end of the host, as in //example.com(:|$)',
  }),
  emulatedVersion: stringSlice({
    usage: 'The version to emulate. Only the version of this server is supported.',
  }),
  emulationForwardCompatible: bool({ usage: 'Used with --emulated-version.' }),
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
  minCompatibilityVersion: stringSlice({
    usage:
      'The oldest version of other control plane components. Only the version before this server’s is supported.',
  }),
  minRequestTimeout: int({ default: 1800, usage: 'The minimum number of seconds before a watch is closed.' }),
  requestTimeout: duration({ default: 60_000, usage: 'The timeout of requests other than watches.' }),
  runtimeConfigEmulationForwardCompatible: bool({ usage: 'Used with --emulated-version.' }),
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
