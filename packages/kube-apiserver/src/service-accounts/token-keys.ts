/** The keys that verify service account tokens. */
import type { TokenVerifier } from './pem-keys.ts';

export interface TokenKeys {
  /** The keys with this id, or all if it is empty. May have to ask an external signer; never throws. */
  find(keyId: string): readonly TokenVerifier[] | Promise<readonly TokenVerifier[]>;
  /** The published keys, with which others verify tokens. */
  published(): PublishedKeys;
}

export interface PublishedKeys {
  readonly verifiers: readonly TokenVerifier[];
  /** How long others may cache them. */
  readonly secondsMax: number;
}

const secondsOfFixedKeys = 3600;

/** Keys that never change while the server runs. */
export const fixedKeys = (verifiers: readonly TokenVerifier[]): TokenKeys => ({
  find: (keyId) => (keyId === '' ? verifiers : verifiers.filter((verifier) => verifier.keyId === keyId)),
  published: () => ({ verifiers, secondsMax: secondsOfFixedKeys }),
});
