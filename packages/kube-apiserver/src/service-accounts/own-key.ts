/** A key that is generated for the first token and lost when the server stops: for clusters without files. */
import { generateKeyPairSync } from 'node:crypto';
import { keyIdOf, signerOf, verifierOf } from './pem-keys.ts';
import { extendedExpirationSeconds, tokenIssuer, type TokenIssuer } from './token-issuer.ts';
import { fixedKeys, type TokenKeys } from './token-keys.ts';

export interface OwnTokens {
  readonly keys: TokenKeys;
  readonly tokenIssuer: TokenIssuer;
}

/** Tokens of this issuer, which cannot be verified after the server has stopped. */
export function ownTokens(issuer: string): OwnTokens {
  const settings = {
    issuer,
    expirationSecondsMax: 0,
    extendsExpiration: true,
    extendedSeconds: extendedExpirationSeconds,
  };
  let made: OwnTokens | undefined;
  const own = (): OwnTokens => (made ??= make());
  const make = (): OwnTokens => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    return {
      keys: fixedKeys([verifierOf(publicKey, keyIdOf(publicKey))]),
      tokenIssuer: tokenIssuer({ ...settings, signer: signerOf(privateKey) }),
    };
  };
  return {
    keys: { find: (keyId) => made?.keys.find(keyId) ?? [], published: () => own().keys.published() },
    tokenIssuer: { ...settings, issue: (claims) => own().tokenIssuer.issue(claims) },
  };
}
