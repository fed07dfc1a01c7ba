/** How the server meets its clients, whatever they ask for. */
import { featureGateFlag } from '@coxswain/apiserver/features/feature-gate-flag.ts';
import { bool, duration, float, int, ip, section, string, stringSlice } from '@coxswain/cobra';

export const genericFlags = section('Generic', {
  advertiseAddress: ip({ usage: 'The address that others are told to reach this server at.' }),
  corsAllowedOrigins: stringSlice({
    usage:
      'Regular expressions of origins that browsers may send requests from. Each must say where the host begins and ends: //example.com(:|$)',
  }),
  emulatedVersion: stringSlice({ usage: 'The version to behave as; only that of this server is supported.' }),
  emulationForwardCompatible: bool({ usage: 'For --emulated-version.' }),
  externalHostname: string({ usage: 'The host name that clients are told in discovery.' }),
  featureGates: featureGateFlag,
  goawayChance: float({
    usage: 'Of one request over HTTP/2, to be told to open a new connection. From 0, never, to 0.02.',
  }),
  livezGracePeriod: duration({
    usage: 'How long after its start the server counts as alive while it is not complete.',
  }),
  maxMutatingRequestsInflight: int({ default: 200, usage: 'Writes at once; 0 for no limit.' }),
  maxRequestsInflight: int({ default: 400, usage: 'Reads at once; 0 for no limit.' }),
  minCompatibilityVersion: stringSlice({
    usage: 'The oldest version that others have; only the one before this server’s is supported.',
  }),
  minRequestTimeout: int({ default: 1800, usage: 'The least number of seconds before a watch is ended.' }),
  requestTimeout: duration({ default: 60_000, usage: 'How long a request may take that is no watch.' }),
  runtimeConfigEmulationForwardCompatible: bool({ usage: 'For --emulated-version.' }),
  shutdownDelayDuration: duration({ usage: 'How long the server goes on after it was told to stop.' }),
  shutdownSendRetryAfter: bool({
    usage:
      'Listen until what is under way is done, and tell new requests to come back (429, Retry-After) meanwhile.',
  }),
  shutdownWatchTerminationGracePeriod: duration({
    usage: 'In how long watches are ended, one after the other, when the server stops. 0: not awaited.',
  }),
  storageInitializationTimeout: duration({
    default: 60_000,
    usage: 'How long readiness waits for storage at the start.',
  }),
  strictTransportSecurityDirectives: stringSlice({
    usage: 'Directives of the header Strict-Transport-Security: max-age=seconds, includeSubDomains, preload.',
  }),
});
