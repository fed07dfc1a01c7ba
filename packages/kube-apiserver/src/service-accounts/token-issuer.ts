/** Issues service account tokens: JWTs with upstream's claims. */
import { newUid } from '@coxswain/apimachinery';

export interface ObjectClaim {
  readonly name: string;
  readonly uid: string;
}

export interface TokenClaims {
  readonly namespace: string;
  readonly serviceAccount: ObjectClaim;
  readonly audiences: readonly string[];
  readonly issuedAtSeconds: number;
  readonly expirationSeconds: number;
  readonly pod?: ObjectClaim;
  readonly secret?: ObjectClaim;
  readonly node?: { readonly name: string; readonly uid?: string };
  /** The seconds after which a use is reported as stale, for tokens with an extended lifetime. */
  readonly warnAfterSeconds?: number;
}

export interface TokenSigner {
  readonly algorithm: string;
  readonly keyId: string;
  sign(bytes: Uint8Array): Uint8Array;
}

export interface TokenIssuer {
  readonly issuer: string;
  /** 0 for no limit. */
  readonly expirationSecondsMax: number;
  /**
   * Whether tokens mounted into pods are valid for a year, so that old clients which don't refresh them keep working.
   */
  readonly extendsExpiration: boolean;
  /** The lifetime of such tokens. */
  readonly extendedSeconds: number;
  issue(claims: TokenClaims): string | Promise<string>;
}

/** The default. */
export const issuerDefault = 'https://kubernetes.default.svc.cluster.local';

export const extendedExpirationSeconds = 365 * 24 * 60 * 60;

/** The lifetime that the ServiceAccount plugin requests; such a token is extended. */
export const mountedTokenSeconds = 3607;

export interface TokenIssuerOptions {
  readonly issuer: string;
  readonly signer: TokenSigner;
  readonly expirationSecondsMax: number;
  readonly extendsExpiration: boolean;
  readonly extendedSeconds: number;
}

export const tokenIssuer = ({ signer, ...options }: TokenIssuerOptions): TokenIssuer => ({
  ...options,
  issue(claims) {
    const head = encode({ alg: signer.algorithm, kid: signer.keyId });
    const body = encodedClaims(options.issuer, claims);
    const signed = `${head}.${body}`;
    return `${signed}.${base64Url(signer.sign(utf8.encode(signed)))}`;
  },
});

/** The encoded payload of a token. */
export const encodedClaims = (issuer: string, claims: TokenClaims): string =>
  encode(claimsOf(issuer, claims));

function claimsOf(issuer: string, claims: TokenClaims): object {
  const { namespace, serviceAccount, audiences, issuedAtSeconds, pod, secret, node, warnAfterSeconds } =
    claims;
  return {
    aud: audiences,
    exp: issuedAtSeconds + claims.expirationSeconds,
    iat: issuedAtSeconds,
    iss: issuer,
    jti: newUid(),
    'kubernetes.io': {
      namespace,
      ...(node && { node }),
      ...(pod && { pod }),
      ...(secret && { secret }),
      serviceaccount: serviceAccount,
      ...(warnAfterSeconds !== undefined && { warnafter: issuedAtSeconds + warnAfterSeconds }),
    },
    nbf: issuedAtSeconds,
    sub: `system:serviceaccount:${namespace}:${serviceAccount.name}`,
  };
}

const utf8 = new TextEncoder();

const encode = (value: object): string => base64Url(utf8.encode(JSON.stringify(value)));

const base64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
