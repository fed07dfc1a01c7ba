/** The client of an external token signer on a Unix socket. Each call is recorded with its result and duration. */
import type { Clock } from '@coxswain/apimachinery';
import { GrpcChannel } from '@coxswain/grpc/client/channel.ts';
import { grpcCodeName } from '@coxswain/grpc/status.ts';
import { decode, encode, type Decoded } from '@coxswain/protobuf';
import { FetchKeysResponse, MetadataResponse, SignRequest, SignResponse } from './signer-messages.ts';

export type CallObserver = (method: string, code: string, seconds: number) => void;

const service = '/v1.ExternalJWTSigner/';

/** Also of the first response: a signer may start after this server. */
const keysMsMax = 60_000;
const metadataMsMax = 10_000;
const signMsMax = 60_000;

export class SignerClient {
  readonly #channel: GrpcChannel;
  readonly #clock: Clock;
  /** Called after every call. */
  observe: CallObserver = () => undefined;

  /** @param socketPath a file, or `@name` in Linux' abstract namespace */
  constructor(socketPath: string, clock: Clock) {
    const path = socketPath.startsWith('@') ? `/${socketPath}` : socketPath;
    this.#channel = new GrpcChannel({ endpoints: [`unix:${path}`], service: 'signer', clock });
    this.#clock = clock;
  }

  /** @param claims the encoded payload of a token; @throws GrpcError */
  async sign(claims: string): Promise<Decoded<typeof SignResponse>> {
    const answer = await this.#call('Sign', encode(SignRequest, { claims }), signMsMax);
    return decode(SignResponse, answer);
  }

  /** @throws GrpcError */
  async fetchKeys(): Promise<Decoded<typeof FetchKeysResponse>> {
    return decode(FetchKeysResponse, await this.#call('FetchKeys', new Uint8Array(), keysMsMax));
  }

  /** @throws GrpcError */
  async metadata(): Promise<Decoded<typeof MetadataResponse>> {
    return decode(MetadataResponse, await this.#call('Metadata', new Uint8Array(), metadataMsMax));
  }

  close(): void {
    this.#channel.close();
  }

  async #call(name: string, request: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const method = service + name;
    const startMs = this.#clock.monotonic();
    const report = (code: string) => this.observe(method, code, (this.#clock.monotonic() - startMs) / 1000);
    try {
      const answer = await this.#channel.unary(method, request, { timeoutMs });
      report('OK');
      return answer;
    } catch (failure) {
      report(grpcCodeName(failure));
      throw failure;
    }
  }
}
