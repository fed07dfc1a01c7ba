/** A KMS plugin: gRPC on a unix socket, as `v2.KeyManagementService`. */
import type { Clock } from '@coxswain/apimachinery';
import { Annotations } from '@coxswain/storage/encryption/encrypted-object.ts';
import type {
  EncryptedKey,
  KeyEncryptionService,
  KeyEncryptionStatus,
} from '@coxswain/storage/encryption/key-encryption-service.ts';
import { GrpcChannel } from '@coxswain/grpc/client/channel.ts';
import { decode, encode, field, repeated } from '@coxswain/protobuf';

const StatusResponse = {
  version: field(1, 'string'),
  healthz: field(2, 'string'),
  keyId: field(3, 'string'),
};
const DecryptRequest = {
  ciphertext: field(1, 'bytes'),
  uid: field(2, 'string'),
  keyId: field(3, 'string'),
  annotations: repeated(4, Annotations),
};
const DecryptResponse = { plaintext: field(1, 'bytes') };
const EncryptRequest = { plaintext: field(1, 'bytes'), uid: field(2, 'string') };
const EncryptResponse = {
  ciphertext: field(1, 'bytes'),
  keyId: field(2, 'string'),
  annotations: repeated(3, Annotations),
};

/** Called with the duration of a call, and its failure if any. */
export type CallObserver = (method: string, seconds: number, failure: unknown) => void;

/** @param endpoint `unix:///path/of/socket`, or `unix:///@name` */
export class KmsPlugin implements KeyEncryptionService {
  readonly #channel: GrpcChannel;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #observe: CallObserver;

  constructor(endpoint: string, timeoutMs: number, clock: Clock, observe: CallObserver) {
    this.#clock = clock;
    this.#observe = observe;
    this.#channel = new GrpcChannel({ endpoints: [endpoint], clock });
    this.#timeoutMs = timeoutMs;
  }

  async status(): Promise<KeyEncryptionStatus> {
    return decode(StatusResponse, await this.#call('Status', new Uint8Array()));
  }

  async encrypt(uid: string, plaintext: Uint8Array): Promise<EncryptedKey> {
    return decode(EncryptResponse, await this.#call('Encrypt', encode(EncryptRequest, { plaintext, uid })));
  }

  async decrypt(uid: string, key: EncryptedKey): Promise<Uint8Array> {
    const answer = await this.#call('Decrypt', encode(DecryptRequest, { ...key, uid }));
    return decode(DecryptResponse, answer).plaintext;
  }

  close(): void {
    this.#channel.close();
  }

  async #call(method: string, request: Uint8Array): Promise<Uint8Array> {
    const path = `/v2.KeyManagementService/${method}`;
    const startMs = this.#clock.monotonic();
    const seconds = () => (this.#clock.monotonic() - startMs) / 1000;
    try {
      const options = { isIdempotent: true, timeoutMs: this.#timeoutMs };
      const answer = await this.#channel.unary(path, request, options);
      this.#observe(path, seconds(), undefined);
      return answer;
    } catch (failure) {
      this.#observe(path, seconds(), failure);
      throw failure;
    }
  }
}
