import type { KubeObject } from '@coxswain/apimachinery';
import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';

/** A minimal API server: records requests and returns prepared responses. */
export class PodServer implements Transport {
  readonly structured = true;
  readonly address = 'in-process:';
  /** `PATCH /api/v1/…`, with the body. */
  readonly requests: { readonly line: string; readonly body: unknown }[] = [];
  /** Responses in order; by default a success that repeats the object. */
  readonly answers: { readonly status: number; readonly object: unknown }[] = [];
  /** The result of a GET. */
  stored: object | undefined;
  /** Requests wait for this promise. */
  gate: Promise<void> = Promise.resolve();
  #version = 1;

  async send({ method, path, body }: TransportRequest): Promise<TransportResponse> {
    const sent = body !== undefined && 'object' in body ? (body as { object: unknown }).object : undefined;
    this.requests.push({ line: `${method} ${path}`, body: sent });
    await this.gate;
    const answer = this.answers.shift() ?? {
      status: 200,
      object: this.#echo(method === 'GET' ? this.stored : sent),
    };
    return { ...answer, headers: {}, bytes: async () => new Uint8Array(), async *stream() {} };
  }

  async close(): Promise<void> {}

  #echo(sent: unknown): KubeObject {
    const object = (sent ?? {}) as Partial<KubeObject>;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } };
  }
}

export const failure = (code: number, reason: string) => ({
  status: code,
  object: {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason,
    code,
    message: reason,
  },
});
