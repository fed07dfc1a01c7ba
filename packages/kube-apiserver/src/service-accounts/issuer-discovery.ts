/** Lets others verify service account tokens: OpenID Connect discovery, and the keys. */
import { checkRouterAccept } from '@coxswain/apiserver/negotiation/negotiate.ts';
import { utf8, type ApiResponse } from '@coxswain/apiserver';
import { methodNotAllowedByRouter } from '@coxswain/apiserver/negotiation/refusals.ts';
import type { PlainHandler, PlainRoutes } from '@coxswain/apiserver/routing/plain-routes.ts';
import type { TokenKeys } from './token-keys.ts';

export interface IssuerDiscovery {
  readonly issuers: readonly string[];
  readonly keys: TokenKeys;
  /** The URL of the keys, if not at this server. */
  readonly jwksUri?: string;
  /**
   * `192.0.2.2:6443`. Never a request's Host header: responses may be cached, and whoever controls the URL of the keys
   * could sign tokens.
   */
  readonly serverAddress: () => string;
}

const keysPath = '/openid/v1/jwks';
const configurationType = 'application/json';
const keysType = 'application/jwk-set+json';

export function installIssuerDiscovery(
  plain: PlainRoutes,
  { issuers, keys, jwksUri, serverAddress }: IssuerDiscovery,
): void {
  const configuration: PlainHandler = (request) => {
    if (request.method !== 'GET') throw methodNotAllowedByRouter();
    checkRouterAccept(request, [configurationType]);
    const { verifiers, secondsMax } = keys.published();
    return cached(configurationType, secondsMax, {
      issuer: issuers[0],
      jwks_uri: jwksUri ?? `https://${serverAddress()}${keysPath}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(verifiers.map(({ algorithm }) => algorithm))].sort(),
    });
  };
  const publishedKeys: PlainHandler = (request) => {
    if (request.method !== 'GET') throw methodNotAllowedByRouter();
    checkRouterAccept(request, [keysType]);
    const { verifiers, secondsMax } = keys.published();
    return cached(keysType, secondsMax, { keys: verifiers.map(({ jwk }) => jwk) });
  };
  plain.addRouted('/.well-known/openid-configuration', configuration);
  plain.addRouted(keysPath, publishedKeys);
}

const cached = (contentType: string, secondsMax: number, value: unknown): ApiResponse => ({
  status: 200,
  headers: { 'content-type': contentType, 'cache-control': `public, max-age=${secondsMax}` },
  body: { kind: 'bytes', bytes: utf8(JSON.stringify(value)) },
});
