/** Authenticates a component's clients: certificates by the API server's authorities, tokens by TokenReview. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type * as authentication from '@coxswain/api/authentication/v1/index.ts';
import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Clock, KubeObject, Live } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubeClient } from '@coxswain/client';
import { anonymous } from '../authentication/anonymous.ts';
import {
  absent,
  refused,
  type Authenticator,
  type TokenAuthenticator,
} from '../authentication/authenticator.ts';
import { bearerToken, webSocketToken } from '../authentication/bearer-token.ts';
import {
  requestHeader,
  type RequestHeaderNames,
  type RequestHeaderOptions,
} from '../authentication/request-header.ts';
import { cachedTokens } from '../authentication/token-cache.ts';
import { addAuthenticatedGroup, unionAuthenticator, unlessRefused } from '../authentication/union.ts';
import { AuthorityBundle } from '../authentication/x509/authorities.ts';
import { clientCertificate } from '../authentication/x509/client-certificate.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { ServingSettings } from './serving-settings.ts';

export interface DelegatedAuthentication {
  readonly authenticator: Authenticator;
  /** PEM, for the handshake: clients without a certificate from these authorities need not present one. */
  readonly clientAuthorities: string | undefined;
  readonly stop: () => void;
}

interface Parts {
  readonly settings: ServingSettings;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: (line: string) => void;
}

export async function delegatedAuthentication(
  client: KubeClient | undefined,
  parts: Parts,
): Promise<DelegatedAuthentication> {
  const { settings, clock, metrics, log } = parts;
  const published = client === undefined || settings.skipsLookup ? {} : await lookUp(client, parts);
  const userAuthority =
    settings.clientCaFile === '' ? published.users : readFileSync(settings.clientCaFile, 'utf8');
  const proxies = settings.requestHeaderCaFile === '' ? published.proxies : namedProxies(settings);
  const authenticators: Authenticator[] = [];
  if (proxies !== undefined) authenticators.push(requestHeader(trusting(proxies)));
  if (userAuthority !== undefined) {
    authenticators.push(
      clientCertificate({ authorities: new AuthorityBundle(userAuthority), sha256, readsUid: true }),
    );
  }
  const abort = new AbortController();
  if (client !== undefined) {
    const tokens = cachedTokens(reviewedTokens(client, abort.signal), {
      clock,
      metrics,
      log,
      successTtlMs: settings.tokenTtlMs,
      failureTtlMs: settings.tokenTtlMs,
      keepsErrors: false,
    });
    authenticators.push(bearerToken(tokens, []), webSocketToken(tokens, []));
  }
  const known = addAuthenticatedGroup(unionAuthenticator(authenticators));
  const authorities = [userAuthority, proxies?.authority].filter((pem) => pem !== undefined);
  return {
    authenticator: unlessRefused(known, anonymous({ enabled: true })),
    clientAuthorities: authorities.length === 0 ? undefined : authorities.join('\n'),
    stop: () => abort.abort(),
  };
}

interface FrontProxies extends RequestHeaderNames {
  /** PEM. */
  readonly authority: string;
  readonly allowedNames: readonly string[];
}

interface KnownAuthorities {
  /** PEM. */
  readonly users?: string;
  readonly proxies?: FrontProxies;
}

const namedProxies = (settings: ServingSettings): FrontProxies => ({
  ...settings.requestHeaders,
  allowedNames: settings.requestHeaderAllowedNames,
  authority: readFileSync(settings.requestHeaderCaFile, 'utf8'),
});

const trusting = ({ authority, ...names }: FrontProxies): RequestHeaderOptions => ({
  ...names,
  authorities: new AuthorityBundle(authority),
});

type ConfigMap = Live<core.ConfigMap>;

/** The ConfigMap in which the API server publishes its client authorities. */
const publishedName = 'extension-apiserver-authentication';

async function lookUp(client: KubeClient, { settings, log }: Parts): Promise<KnownAuthorities> {
  try {
    const maps = client.resource<ConfigMap>('v1', 'configmaps').namespace('kube-system');
    return publishedAuthorities((await maps.get(publishedName)).data ?? {});
  } catch (failure) {
    const message = messageOf(failure);
    const problem = `Unable to get configmap/${publishedName} in kube-system: ${message}`;
    if (!settings.toleratesLookupFailure) throw new Error(problem, { cause: failure });
    log(`${problem}. Continuing without authentication configuration: all certificates are anonymous.`);
    return {};
  }
}

function publishedAuthorities(data: Readonly<Record<string, string>>): KnownAuthorities {
  const { 'client-ca-file': clientCa = '', 'requestheader-client-ca-file': proxyCa = '' } = data;
  const list = (key: string): readonly string[] => JSON.parse(data[key] || '[]') as readonly string[];
  const proxies = (): FrontProxies => ({
    authority: proxyCa,
    allowedNames: list('requestheader-allowed-names'),
    usernameHeaders: list('requestheader-username-headers'),
    uidHeaders: list('requestheader-uid-headers'),
    groupHeaders: list('requestheader-group-headers'),
    extraHeaderPrefixes: list('requestheader-extra-headers-prefix'),
  });
  return {
    ...(clientCa === '' ? {} : { users: clientCa }),
    ...(proxyCa === '' ? {} : { proxies: proxies() }),
  };
}

type TokenReview = Live<authentication.TokenReview>;

const reviewedTokens = (client: KubeClient, signal: AbortSignal): TokenAuthenticator => ({
  name: 'token-review',
  async authenticateToken(token) {
    const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } };
    const reviews = client.resource('authentication.k8s.io/v1', 'tokenreviews');
    const answer = (await reviews.create(review as unknown as KubeObject, { signal })) as TokenReview;
    const { authenticated, error = '', user = {} } = answer.status ?? {};
    if (authenticated !== true) return error === '' ? absent : refused(error);
    const { username = '', uid = '', groups = [], extra } = user;
    return {
      kind: 'authenticated',
      user: { name: username, groups, ...(uid === '' ? {} : { uid }), ...(extra ? { extra } : {}) },
    };
  },
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
