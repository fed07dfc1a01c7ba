/** The keys that tokens of service accounts are verified with. */
import type { TokenVerifier } from './pem-keys.ts';

export interface TokenKeys {
  /** Those with this id, all when it is empty. Whoever has them may have to be asked first; never throws. */
  find(keyId: string): readonly TokenVerifier[] | Promise<readonly TokenVerifier[]>;
  /** Those that others are told, so that they can verify tokens too. */
  published(): PublishedKeys;
}

export interface PublishedKeys {
  readonly verifiers: readonly TokenVerifier[];
  /** How long others may keep them. */
  readonly secondsMax: number;
}

const secondsOfFixedKeys = 3600;

/** Keys that are the same as long as the server runs. */
export const fixedKeys = (verifiers: readonly TokenVerifier[]): TokenKeys => ({
  find: (keyId) => (keyId === '' ? verifiers : verifiers.filter((verifier) => verifier.keyId === keyId)),
  published: () => ({ verifiers, secondsMax: secondsOfFixedKeys }),
});
