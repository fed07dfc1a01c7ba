/** OpenID Connect discovery: finds the URL of an issuer's keys. */
import { goQuote } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { HttpsGet } from './jwt-settings.ts';

const wellKnownPath = '/.well-known/openid-configuration';

/**
 * @param discoveryUrl the URL to use instead of the issuer's own; empty for the issuer's
 * @throws Error with upstream's message
 */
export async function discoverKeysUrl(issuer: string, discoveryUrl: string, get: HttpsGet): Promise<string> {
  const answer = await get(
    discoveryUrl === '' ? `${issuer.replace(/\/$/, '')}${wellKnownPath}` : discoveryUrl,
  );
  const { status, statusLine, body } = answer;
  if (status !== 200) throw new Error(`${statusLine}: ${body}`);
  let found: { readonly issuer?: unknown; readonly jwks_uri?: unknown } | null;
  try {
    found = JSON.parse(body) as typeof found;
  } catch (failure) {
    throw new Error(`oidc: failed to decode provider discovery object: ${messageOf(failure)}`, {
      cause: failure,
    });
  }
  const named = typeof found?.issuer === 'string' ? found.issuer : '';
  if (named !== issuer) {
    throw new Error(
      `oidc: issuer did not match the issuer returned by provider, expected ${goQuote(issuer)} got ${goQuote(named)}`,
    );
  }
  const keysUrl = found?.jwks_uri;
  if (typeof keysUrl !== 'string' || keysUrl === '') throw new Error('provider did not return JWKS URL');
  return keysUrl;
}
