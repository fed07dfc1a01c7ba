/** Creates the authenticators of a server, in upstream's order. */
import type { ReviewToken } from '../groups/services.ts';
import {
  absent,
  type Authentication,
  type Authenticator,
  type TokenAuthenticator,
} from '@coxswain/apiserver';
import { anonymousUser } from '@coxswain/apiserver/user.ts';
import { anonymous } from '@coxswain/apiserver/authentication/anonymous.ts';
import { audienceAgnostic } from '@coxswain/apiserver/authentication/audience-agnostic.ts';
import {
  bearerToken,
  orUnknown,
  tokenIn,
  unknownToken,
  webSocketToken,
} from '@coxswain/apiserver/authentication/bearer-token.ts';
import { inProcessUser } from '@coxswain/apiserver/authentication/in-process-user.ts';
import { requestHeader } from '@coxswain/apiserver/authentication/request-header.ts';
import { cachedTokens } from '@coxswain/apiserver/authentication/token-cache.ts';
import {
  addAuthenticatedGroup,
  unionAuthenticator,
  unionTokenAuthenticator,
  unlessRefused,
  withAuthenticatedGroup,
} from '@coxswain/apiserver/authentication/union.ts';
import { clientCertificateAuthenticator } from '../authentication/client-certificates.ts';
import { bootstrapTokens } from '../authentication/bootstrap-tokens.ts';
import { jwtAuthenticators, type JwtAuthenticators } from '../authentication/jwt/jwt-authenticators.ts';
import type { TokenWebhook } from '../authentication/setup.ts';
import { webhookTokens } from '../authentication/webhook-tokens.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { serviceAccountAuthenticators } from './service-account-authenticators.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { ServerState } from './server-state.ts';

export interface ServerAuthentication {
  readonly authenticator: Authenticator;
  readonly review: ReviewToken;
  /** Stops background work. */
  stop(): void;
}

export function authenticationOf(options: CompletedOptions, state: ServerState): ServerAuthentication {
  const { authentication: setup, apiAudiences, features, clock, log, hostName } = options;
  const { metrics } = state;
  const jwt = setup.jwt && jwtAuthenticators(setup.jwt, { clock, log, metrics, serverId: hostName });
  const tokens = tokensOf(options, state, jwt);
  const access = setup.anonymous ?? { enabled: true };
  const authenticator = unlessRefused(
    addAuthenticatedGroup(
      unionAuthenticator([
        inProcessUser,
        ...(setup.requestHeader === undefined ? [] : [requestHeader(setup.requestHeader)]),
        ...(setup.clientAuthorities === undefined
          ? []
          : [clientCertificateAuthenticator(setup.clientAuthorities, features, metrics)]),
        bearerToken(tokens, apiAudiences),
        webSocketToken(tokens, apiAudiences),
      ]),
    ),
    anonymous(access),
  );
  const isAnonymousReviewed = access.enabled && (access.paths ?? []).length === 0;
  return {
    authenticator,
    review: (token, audiences) => reviewed(token, audiences, tokens, isAnonymousReviewed),
    stop: () => jwt?.stop(),
  };
}

/** Upstream's cache time of token results. */
const successTtlMs = 10_000;

/** Local authenticators first: those that call out come last, so that they aren't asked about every token. */
function tokensOf(
  options: CompletedOptions,
  state: ServerState,
  jwt: JwtAuthenticators | undefined,
): TokenAuthenticator {
  const { authentication: setup, apiAudiences, clock, log } = options;
  const { objects, metrics } = state;
  const agnostic = (inner: TokenAuthenticator) => audienceAgnostic(apiAudiences, inner);
  const union = unionTokenAuthenticator([
    ...(setup.tokenFile === undefined ? [] : [agnostic(setup.tokenFile)]),
    ...serviceAccountAuthenticators(options, state),
    ...(setup.hasBootstrapTokens ? [agnostic(bootstrapTokens({ clock, objects }))] : []),
    ...(jwt === undefined ? [] : [agnostic(jwt)]),
    ...(setup.webhook === undefined ? [] : [webhookOf(setup.webhook, options, metrics)]),
  ]);
  return cachedTokens(union, { clock, metrics, log, successTtlMs, failureTtlMs: 0, keepsErrors: true });
}

function webhookOf(
  { connection, version, cacheTtlMs }: TokenWebhook,
  { clock, random, log, apiAudiences }: CompletedOptions,
  metrics: Metrics,
): TokenAuthenticator {
  const inner = webhookTokens({
    connection,
    version,
    implicitAudiences: apiAudiences,
    clock,
    random,
    log,
  });
  return cachedTokens(inner, {
    clock,
    metrics,
    log,
    successTtlMs: cacheTtlMs,
    failureTtlMs: cacheTtlMs,
    keepsErrors: false,
  });
}

/**
 * Authenticates as if a request had only this token: what cannot be a token is anonymous. The server's own token, which
 * is checked first, refuses every other one.
 */
async function reviewed(
  token: string,
  audiences: readonly string[],
  tokens: TokenAuthenticator,
  isAnonymousReviewed: boolean,
): Promise<Authentication> {
  const stated = tokenIn(`Bearer ${token}`);
  if (!stated)
    return isAnonymousReviewed ? { kind: 'authenticated', user: anonymousUser, audiences } : absent;
  const found = await orUnknown(tokens.authenticateToken(stated, audiences));
  if (found.kind === 'authenticated') return { ...found, user: withAuthenticatedGroup(found.user) };
  return found.kind === 'refused' && unknownToken.kind === 'refused'
    ? { ...found, reasons: [...unknownToken.reasons, ...found.reasons] }
    : found;
}
