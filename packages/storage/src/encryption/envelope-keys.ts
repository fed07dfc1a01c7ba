/** The current encryption key, and the former ones. */
import { randomBytes } from 'node:crypto';
import { formatTime, type Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { sha256Text } from './sha256-text.ts';
import { aesGcm } from './aes.ts';
import {
  checkEncryptedObject,
  checkKeyId,
  keySourceTypes,
  type EncryptedObject,
} from './encrypted-object.ts';
import { grpcFailureText } from '@coxswain/grpc/status.ts';
import { extendedNonceGcm, seedBytes } from './extended-nonce-gcm.ts';
import type { EncryptedKey, KeyEncryptionService, KeyEncryptionStatus } from './key-encryption-service.ts';
import type { Transformer } from './transformer.ts';

/** How long a seed may be used for writing after the service last reported to be healthy. As upstream. */
const writableMsMax = 3 * 60 * 1000;
/** One for each service key in use by an API server since its start. */
const openedKeysMax = 4096;

export interface WriteKey {
  readonly encrypted: EncryptedKey;
  readonly transformer: Transformer;
}

/** Receives what a server counts. */
export interface EnvelopeObserver {
  /** A value was read or written with the service key of this id. */
  keyUsed(direction: 'from_storage' | 'to_storage', keyId: string): void;
  /** A new key was generated, in this time. */
  keyMade(seconds: number): void;
  /** The service has to decrypt a value's key. */
  keyMissed(): void;
  /** The number of cached keys. */
  keysKept(count: number): void;
  /** The service reports this id of its key. */
  keyNamed(keyId: string): void;
  /** The service reports an invalid key id. */
  keyMisnamed(problem: 'empty' | 'too_long'): void;
}

export class EnvelopeKeys {
  readonly #name: string;
  readonly #service: KeyEncryptionService;
  readonly #clock: Clock;
  readonly #newUid: () => string;
  readonly #observer: EnvelopeObserver | undefined;
  #writeKey: WriteKey | undefined;
  #writableUntilMs = 0;
  #version: string | undefined;
  /** By the envelope's key data; the least recently used one is evicted. */
  readonly #opened = new Map<string, Transformer>();
  /** Requests in progress, shared by all values of one key. */
  readonly #asked = new Map<string, Promise<Transformer>>();

  constructor(
    name: string,
    service: KeyEncryptionService,
    clock: Clock,
    newUid: () => string,
    observer?: EnvelopeObserver,
  ) {
    this.#name = name;
    this.#service = service;
    this.#clock = clock;
    this.#newUid = newUid;
    this.#observer = observer;
  }

  /** The key of the newest valid status. @throws Error before the first one */
  get current(): WriteKey {
    if (this.#writeKey === undefined) throw new Error('got unexpected nil transformer');
    return this.#writeKey;
  }

  /** @throws Error when there is none, or the service has been failing for too long */
  writable(): WriteKey {
    const key = this.current;
    const nowMs = this.#clock.now();
    if (nowMs > this.#writableUntilMs) {
      throw new Error(
        `encryptedDEKSource with keyID hash ${JSON.stringify(sha256Text(key.encrypted.keyId))} expired at ` +
          `${formatTime(this.#writableUntilMs)} (current time is ${formatTime(nowMs)})`,
      );
    }
    return key;
  }

  noteUse(direction: 'from_storage' | 'to_storage', keyId: string): void {
    this.#observer?.keyUsed(direction, keyId);
  }

  /**
   * Requests the service's status, and generates a new seed when its key has changed. @throws Error when it is
   * unhealthy
   */
  async probe(): Promise<void> {
    let status: KeyEncryptionStatus;
    try {
      status = await this.#service.status();
    } catch (failure) {
      throw new Error(
        `failed to perform status section of the healthz check for KMS Provider ${this.#name}, ` +
          `error: ${grpcFailureText(failure)}`,
        { cause: failure },
      );
    }
    const problems = [...this.#problemsOf(status), ...(await this.#follow(status.keyId))];
    if (problems.length === 0) return;
    const text = problems.length === 1 ? problems[0]! : `[${problems.join(', ')}]`;
    throw new Error(`kmsv2 Provider ${this.#name} is not healthy, error: ${text}`);
  }

  /** The transformer for an envelope's values; asynchronous when the service must be called. @throws Error */
  reader(envelope: EncryptedObject): Transformer | Promise<Transformer> {
    const name = nameOf(envelope);
    const known = this.#opened.get(name);
    if (known === undefined) return this.#askOnce(name, envelope);
    this.#opened.delete(name);
    this.#opened.set(name, known);
    return known;
  }

  #askOnce(name: string, envelope: EncryptedObject): Promise<Transformer> {
    const asked = this.#asked.get(name) ?? this.#ask(name, envelope).finally(() => this.#asked.delete(name));
    this.#asked.set(name, asked);
    return asked;
  }

  async #ask(name: string, envelope: EncryptedObject): Promise<Transformer> {
    const { encryptedKeySource: ciphertext, keyId, annotations, keySourceType } = envelope;
    let key: Uint8Array;
    this.#observer?.keyMissed();
    try {
      key = await this.#service.decrypt(this.#newUid(), { ciphertext, keyId, annotations });
    } catch (failure) {
      throw new Error(`failed to decrypt DEK, error: ${grpcFailureText(failure)}`, { cause: failure });
    }
    const transformer = keySourceType === keySourceTypes.seed ? extendedNonceGcm(key) : aesGcm(key);
    this.#keep(name, transformer);
    return transformer;
  }

  #keep(name: string, transformer: Transformer): void {
    this.#opened.set(name, transformer);
    for (const [oldest] of this.#opened) {
      if (this.#opened.size <= openedKeysMax) break;
      this.#opened.delete(oldest);
    }
    this.#observer?.keysKept(this.#opened.size);
  }

  #problemsOf({ healthz, version }: KeyEncryptionStatus): string[] {
    const problems: string[] = [];
    if (healthz !== 'ok') problems.push(`got unexpected healthz status: ${healthz}`);
    if (version !== 'v2' && version !== 'v2beta1') {
      problems.push(`expected KMSv2 API version v2, got ${version}`);
    } else if ((this.#version ??= version) !== version) {
      problems.push(
        'KMSv2 API version should not change after the initial status response version ' +
          `${this.#version}, got ${version}`,
      );
    }
    return problems;
  }

  async #follow(keyId: string): Promise<string[]> {
    try {
      checkKeyId(keyId);
    } catch (failure) {
      this.#observer?.keyMisnamed(keyId === '' ? 'empty' : 'too_long');
      return [`got invalid KMSv2 KeyID hash ${JSON.stringify(sha256Text(keyId))}: ${messageOf(failure)}`];
    }
    this.#observer?.keyNamed(keyId);
    // Measured before the call, so that it is an upper bound.
    const writableUntilMs = this.#clock.now() + writableMsMax;
    if (this.#writeKey?.encrypted.keyId === keyId) {
      this.#writableUntilMs = writableUntilMs;
      return [];
    }
    const uid = this.#newUid();
    const { key, failure } = await this.#newWriteKey(uid);
    if (key === undefined || key.encrypted.keyId !== keyId)
      return [this.#notRotated(uid, keyId, key, failure)];
    this.#writeKey = key;
    this.#writableUntilMs = writableUntilMs;
    this.#keep(nameOf(envelopeOf(key.encrypted)), key.transformer);
    return [];
  }

  async #newWriteKey(uid: string): Promise<{ readonly key?: WriteKey; readonly failure?: string }> {
    const startMs = this.#clock.monotonic();
    const seed = randomBytes(seedBytes);
    this.#observer?.keyMade((this.#clock.monotonic() - startMs) / 1000);
    try {
      const encrypted = await this.#service.encrypt(uid, seed).catch((failure: unknown) => {
        throw new Error(`failed to encrypt DEK, error: ${grpcFailureText(failure)}`, { cause: failure });
      });
      checkEncryptedObject(envelopeOf(encrypted));
      return { key: { encrypted, transformer: extendedNonceGcm(seed) } };
    } catch (failure) {
      return { failure: messageOf(failure) };
    }
  }

  #notRotated(uid: string, keyId: string, key: WriteKey | undefined, failure: string | undefined): string {
    const state = this.#writeKey;
    const hash = (text: string | undefined) => JSON.stringify(sha256Text(text ?? ''));
    const expires = state === undefined ? '0001-01-01T00:00:00Z' : formatTime(this.#writableUntilMs);
    return (
      `failed to rotate DEK uid=${JSON.stringify(uid)}, useSeed=true, ` +
      `errState=${state === undefined ? 'got unexpected nil transformer' : '<nil>'}, ` +
      `errGen=${failure ?? '<nil>'}, statusKeyIDHash=${hash(keyId)}, ` +
      `encryptKeyIDHash=${hash(key?.encrypted.keyId)}, stateKeyIDHash=${hash(state?.encrypted.keyId)}, ` +
      `expirationTimestamp=${expires}`
    );
  }
}

const envelopeOf = ({ ciphertext, keyId, annotations }: EncryptedKey): EncryptedObject => ({
  encryptedData: Uint8Array.of(0),
  keyId,
  encryptedKeySource: ciphertext,
  annotations: [...annotations],
  keySourceType: keySourceTypes.seed,
});

/** Identifies everything that the service is called with. */
const nameOf = ({ keySourceType, encryptedKeySource, keyId, annotations }: EncryptedObject): string =>
  JSON.stringify([
    keySourceType,
    Buffer.from(encryptedKeySource).toString('base64'),
    keyId,
    annotations
      .map(({ key, value }) => [key, Buffer.from(value).toString('base64')] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]);
