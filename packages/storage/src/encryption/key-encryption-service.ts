/** A key management service that encrypts keys: version 2 of the KMS API. */
export interface KeyEncryptionService {
  status(): Promise<KeyEncryptionStatus>;
  encrypt(uid: string, plaintext: Uint8Array): Promise<EncryptedKey>;
  decrypt(uid: string, key: EncryptedKey): Promise<Uint8Array>;
  close(): void;
}

export interface KeyEncryptionStatus {
  readonly version: string;
  /** `ok`, or the problem. */
  readonly healthz: string;
  /** The id of the key that would encrypt now. */
  readonly keyId: string;
}

export interface EncryptedKey {
  readonly ciphertext: Uint8Array;
  readonly keyId: string;
  readonly annotations: readonly Annotation[];
}

/** Data that the service needs for decryption. */
export interface Annotation {
  readonly key: string;
  readonly value: Uint8Array;
}
