/** A service that keeps the keys by which keys are encrypted: version 2 of the KMS API. */
export interface KeyEncryptionService {
  status(): Promise<KeyEncryptionStatus>;
  encrypt(uid: string, plaintext: Uint8Array): Promise<EncryptedKey>;
  decrypt(uid: string, key: EncryptedKey): Promise<Uint8Array>;
  close(): void;
}

export interface KeyEncryptionStatus {
  readonly version: string;
  /** `ok`, or what is wrong. */
  readonly healthz: string;
  /** Of the key that would encrypt now. */
  readonly keyId: string;
}

export interface EncryptedKey {
  readonly ciphertext: Uint8Array;
  readonly keyId: string;
  readonly annotations: readonly Annotation[];
}

/** What the service wants to have back when it decrypts. */
export interface Annotation {
  readonly key: string;
  readonly value: Uint8Array;
}
