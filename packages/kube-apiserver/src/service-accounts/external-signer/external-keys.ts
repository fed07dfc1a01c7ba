/** The public keys of an external signer: fetched as often as it says, and when a token names an unknown one. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { createPublicKey } from 'node:crypto';
import { goQuote, type Clock, type Timer } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { grpcCodeName, grpcFailureText } from '@coxswain/grpc/status.ts';
import type { Decoded } from '@coxswain/protobuf';
import { verifierOf, type TokenVerifier } from '../pem-keys.ts';
import type { PublishedKeys, TokenKeys } from '../token-keys.ts';
import type { SignerClient } from './signer-client.ts';
import type { FetchKeysResponse, SignerKey } from './signer-messages.ts';

export interface ExternalKeysParts {
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

interface ExternalKey {
  readonly verifier: TokenVerifier;
  readonly isExcludedFromDiscovery: boolean;
}

/** The delay after a failed attempt. */
const retryMs = 10_000;
const keyIdLengthMax = 1024;

export class ExternalKeys implements TokenKeys {
  readonly #client: SignerClient;
  readonly #parts: ExternalKeysParts;
  #keys: readonly ExternalKey[] = [];
  #refreshAtMs = 0;
  #asking: Promise<void> | undefined;
  #timer: Timer | undefined;
  #isStopped = false;
  /** Called with the gRPC code of each attempt, and the time of the fetched keys in seconds since the epoch. */
  observe: (code: string, dataSeconds?: number) => void = () => undefined;

  constructor(client: SignerClient, parts: ExternalKeysParts) {
    this.#client = client;
    this.#parts = parts;
  }

  /** Fetches the keys for the first time. @throws Error with upstream's message when there are none */
  async start(): Promise<void> {
    await this.#refresh().catch((failure: unknown) => {
      throw new Error(
        `while setting up external-jwt-signer: while initially filling key cache: while performing initial cache fill: ${messageOf(failure)}`,
        { cause: failure },
      );
    });
    this.#plan(this.#refreshAtMs - this.#parts.clock.monotonic());
  }

  stop(): void {
    this.#isStopped = true;
    this.#timer?.cancel();
  }

  find(keyId: string): readonly TokenVerifier[] | Promise<readonly TokenVerifier[]> {
    const known = this.#known(keyId);
    return known.length > 0 ? known : this.#findAfterRefresh(keyId);
  }

  published(): PublishedKeys {
    const leftMs = this.#refreshAtMs - this.#parts.clock.monotonic();
    return {
      verifiers: this.#keys.flatMap((key) => (key.isExcludedFromDiscovery ? [] : [key.verifier])),
      secondsMax: Math.max(0, Math.trunc(leftMs / 1000)),
    };
  }

  /** Whether a key is not published: such a key must not sign, since others could not verify its tokens. */
  async isExcludedFromDiscovery(keyId: string): Promise<boolean> {
    await this.find(keyId);
    return this.#keys.some((key) => key.verifier.keyId === keyId && key.isExcludedFromDiscovery);
  }

  #known(keyId: string): readonly TokenVerifier[] {
    const verifiers = this.#keys.map(({ verifier }) => verifier);
    return keyId === '' ? verifiers : verifiers.filter((verifier) => verifier.keyId === keyId);
  }

  async #findAfterRefresh(keyId: string): Promise<readonly TokenVerifier[]> {
    try {
      await this.#refresh();
    } catch (failure) {
      this.#parts.log(`Error while syncing keys: ${messageOf(failure)}`);
      return [];
    }
    const known = this.#known(keyId);
    if (known.length === 0) this.#parts.log(`Key id ${goQuote(keyId)} not found after refresh`);
    return known;
  }

  /** Concurrent calls share one fetch. */
  #refresh(): Promise<void> {
    return (this.#asking ??= this.#fetch().finally(() => (this.#asking = undefined)));
  }

  async #fetch(): Promise<void> {
    let answer: Decoded<typeof FetchKeysResponse>;
    try {
      answer = await this.#client.fetchKeys();
      this.#keys = keysOf(answer);
    } catch (failure) {
      this.observe(grpcCodeName(failure));
      throw new Error(`while fetching token verification keys: ${keysProblem(failure)}`, { cause: failure });
    }
    const { dataTimestamp: { seconds, nanoseconds } = { seconds: 0, nanoseconds: 0 } } = answer;
    this.observe('OK', seconds + nanoseconds / 1e9);
    this.#refreshAtMs = this.#parts.clock.monotonic() + answer.refreshHintSeconds * 1000;
  }

  #plan(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = this.#parts.clock.after(Math.max(0, delayMs), () => detach(this.#refreshInTime()), {
      idle: true,
    });
  }

  async #refreshInTime(): Promise<void> {
    try {
      await this.#refresh();
      this.#plan(this.#refreshAtMs - this.#parts.clock.monotonic());
    } catch (failure) {
      this.#parts.log(
        `when syncing supported public keys(Stale set of keys will be supported): ${messageOf(failure)}`,
      );
      this.#plan(retryMs);
    }
  }
}

const keysProblem = (failure: unknown): string =>
  grpcCodeName(failure) === 'unknown-non-grpc'
    ? messageOf(failure)
    : `while getting externally supported jwt signing keys: ${grpcFailureText(failure)}`;

/** @throws Error for a response that upstream refuses */
function keysOf({
  keys,
  dataTimestamp,
  refreshHintSeconds,
}: Decoded<typeof FetchKeysResponse>): ExternalKey[] {
  if (refreshHintSeconds <= 0) throw new Error(`found invalid refresh hint (${refreshHintSeconds}s)`);
  if (keys.length === 0) throw new Error('found no keys');
  if (dataTimestamp === undefined) throw new Error('invalid data timestamp: proto: invalid nil Timestamp');
  return keys.map(keyOf);
}

function keyOf({ keyId, key, excludeFromDiscovery }: Decoded<typeof SignerKey>): ExternalKey {
  if (keyId === '' || keyId.length > keyIdLengthMax) {
    throw new Error(`found invalid public key id ${goQuote(keyId)}`);
  }
  if (key.length === 0) throw new Error('found empty public key');
  return { verifier: verifierFrom(keyId, key), isExcludedFromDiscovery: excludeFromDiscovery };
}

function verifierFrom(keyId: string, der: Uint8Array): TokenVerifier {
  try {
    return verifierOf(createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }), keyId);
  } catch (failure) {
    throw new Error(`while parsing external public keys: ${messageOf(failure)}`, { cause: failure });
  }
}
