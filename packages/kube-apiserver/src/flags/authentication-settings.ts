/** The authentication settings of the command line. @throws Error with upstream's message */
import { aggregateText, goQuote } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { FlagValues } from '@coxswain/cobra';
import type { AuthenticationFlags, OidcFlags } from '../authentication/authentication-flags.ts';
import { parseUrl } from '@coxswain/apimachinery/url-text.ts';
import type { KubeApiServerSettings } from '../settings.ts';
import type { authenticationFlags } from './authentication-flags.ts';

type Flags = FlagValues<typeof authenticationFlags>;

/** Whether a flag was given on the command line, even with its default value. */
export type IsGiven = (flag: keyof Flags) => boolean;

export function authenticationSettings(
  flags: Flags,
  authorizationModes: readonly string[],
  isGiven: IsGiven,
): Partial<KubeApiServerSettings> {
  const problems = serviceAccountProblems(flags);
  if (problems.length > 0) throw new Error(aggregateText(problems));
  return {
    authenticationFlags: flagsOf(flags, authorizationModes, isGiven),
    serviceAccountIssuers: flags.serviceAccountIssuer,
    serviceAccountKeyFiles: flags.serviceAccountKeyFile,
    serviceAccountExtendsExpiration: flags.serviceAccountExtendTokenExpiration,
    serviceAccountExpirationSecondsMax: Math.round(flags.serviceAccountMaxTokenExpiration / 1000),
    serviceAccountLookup: flags.serviceAccountLookup,
    serviceAccountJwksUri: flags.serviceAccountJwksUri,
    apiAudiences: flags.apiAudiences,
    ...(flags.clientCaFile === '' ? {} : { clientCaFile: flags.clientCaFile }),
  };
}

const flagsOf = (
  flags: Flags,
  authorizationModes: readonly string[],
  isGiven: IsGiven,
): AuthenticationFlags => ({
  anonymousAuth: flags.anonymousAuth,
  isAnonymousAuthGiven: isGiven('anonymousAuth'),
  configFile: flags.authenticationConfig,
  clientCaFile: flags.clientCaFile,
  tokenAuthFile: flags.tokenAuthFile,
  hasBootstrapTokens: flags.enableBootstrapTokenAuth,
  oidc: oidcOf(flags, isGiven),
  requestHeader: {
    clientCaFile: flags.requestheaderClientCaFile,
    allowedNames: flags.requestheaderAllowedNames,
    usernameHeaders: flags.requestheaderUsernameHeaders,
    uidHeaders: flags.requestheaderUidHeaders,
    groupHeaders: flags.requestheaderGroupHeaders,
    extraHeaderPrefixes: flags.requestheaderExtraHeadersPrefix,
  },
  webhookConfigFile: flags.authenticationTokenWebhookConfigFile,
  webhookVersion: flags.authenticationTokenWebhookVersion,
  webhookCacheTtlMs: flags.authenticationTokenWebhookCacheTtl,
  serviceAccountIssuers: flags.serviceAccountIssuer,
  allowsAlways: authorizationModes.includes('AlwaysAllow'),
});

const oidcFlags = [
  'oidcIssuerUrl',
  'oidcClientId',
  'oidcCaFile',
  'oidcUsernameClaim',
  'oidcUsernamePrefix',
  'oidcGroupsClaim',
  'oidcGroupsPrefix',
  'oidcSigningAlgs',
  'oidcRequiredClaim',
] as const satisfies readonly (keyof Flags)[];

function oidcOf(flags: Flags, isGiven: IsGiven): OidcFlags {
  return {
    isGiven: oidcFlags.some(isGiven),
    issuerUrl: flags.oidcIssuerUrl,
    clientId: flags.oidcClientId,
    caFile: flags.oidcCaFile,
    usernameClaim: flags.oidcUsernameClaim,
    usernamePrefix: flags.oidcUsernamePrefix,
    groupsClaim: flags.oidcGroupsClaim,
    groupsPrefix: flags.oidcGroupsPrefix,
    signingAlgorithms: flags.oidcSigningAlgs,
    requiredClaims: flags.oidcRequiredClaim,
  };
}

const hourMs = 60 * 60 * 1000;
const tokenLifeMsMax = 2 ** 32 * 1000;

function serviceAccountProblems(flags: Flags): string[] {
  const lifeMs = flags.serviceAccountMaxTokenExpiration;
  if (lifeMs !== 0 && (lifeMs < hourMs || lifeMs > tokenLifeMsMax)) {
    return ['the service-account-max-token-expiration must be between 1 hour and 2^32 seconds'];
  }
  return [...issuerProblems(flags.serviceAccountIssuer), ...jwksUriProblems(flags.serviceAccountJwksUri)];
}

const issuerProblems = (issuers: readonly string[]): string[] =>
  issuers.flatMap((issuer, index) => {
    if (issuer === '') return ['service-account-issuer should not be an empty string'];
    const problem = issuer.includes(':') ? urlProblem(issuer) : undefined;
    if (problem !== undefined) {
      return [
        `service-account-issuer ${goQuote(issuer)} contained a ':' but was not a valid URL: ${problem}`,
      ];
    }
    return issuers.indexOf(issuer) < index
      ? [`service-account-issuer ${goQuote(issuer)} is already specified`]
      : [];
  });

function jwksUriProblems(uri: string): string[] {
  if (uri === '') return [];
  const problem = urlProblem(uri);
  if (problem !== undefined) return [`service-account-jwks-uri must be a valid URL: ${problem}`];
  return parseUrl(uri).scheme === 'https'
    ? []
    : [`service-account-jwks-uri requires https scheme, parsed as: ${uri}`];
}

function urlProblem(text: string): string | undefined {
  try {
    parseUrl(text);
    return undefined;
  } catch (failure) {
    return messageOf(failure);
  }
}
