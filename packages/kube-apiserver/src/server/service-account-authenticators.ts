/** Authenticates both kinds of service account tokens: those in Secrets, which never expire, and bound ones. */
import type { TokenAuthenticator } from '@coxswain/apiserver';
import type { CompletedOptions } from './completed-options.ts';
import type { Loopback } from '../loopback.ts';
import type { ServerState } from './server-state.ts';
import { boundClaims } from '../service-accounts/bound-claims.ts';
import { legacyClaims, legacyIssuer } from '../service-accounts/legacy-claims.ts';
import { serviceAccountTokens } from '../service-accounts/token-authenticator.ts';
import { serviceAccountCounters } from '../service-accounts/token-counters.ts';

export function serviceAccountAuthenticators(
  { serviceAccounts, apiAudiences, clock, log }: CompletedOptions,
  { objects, metrics, loopback }: ServerState,
): TokenAuthenticator[] {
  if (serviceAccounts?.keys === undefined) return [];
  const { issuers, keys, looksUp = true } = serviceAccounts;
  const counters = serviceAccountCounters(metrics);
  const common = { keys, implicitAudiences: apiAudiences, counters };
  return [
    serviceAccountTokens({
      ...common,
      name: 'legacy-service-account',
      issuers: [legacyIssuer],
      judge: legacyClaims({ clock, objects, counters, looksUp, patchSecret: patchSecretOf(loopback, log) }),
    }),
    serviceAccountTokens({
      ...common,
      name: 'service-account',
      issuers,
      judge: boundClaims({ clock, objects, counters }),
    }),
  ];
}

/** Failures are logged: the token remains valid. */
const patchSecretOf =
  (loopback: Loopback, log: (line: string) => void) =>
  async (namespace: string, name: string, patch: object): Promise<void> => {
    const { status } = await loopback.transport.send({
      method: 'PATCH',
      path: `/api/v1/namespaces/${namespace}/secrets/${name}`,
      headers: { 'content-type': 'application/merge-patch+json', 'user-agent': 'kube-apiserver' },
      body: new TextEncoder().encode(JSON.stringify(patch)),
    });
    if (status >= 400) {
      log(`Failed to label legacy service account token ${namespace}/${name} with last-used date: ${status}`);
    }
  };
