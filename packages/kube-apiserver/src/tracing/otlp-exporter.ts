/** Sends spans to a collector by OTLP over gRPC: in batches, without delaying requests. */
import type { Clock, Timer } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { GrpcChannel } from '@coxswain/grpc/client/channel.ts';
import type { Span } from '@coxswain/apiserver/tracing/tracer.ts';
import type { Dial } from '../egress/dial.ts';
import { exportRequest, type Resource } from './otlp-spans.ts';

/** As in OpenTelemetry's own exporters. */
const waitingMax = 2048;
const batchMax = 512;
const everyMs = 5_000;
const timeoutMs = 10_000;

const exportMethod = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';

export interface OtlpExporterOptions {
  /** `http://host:port`, or `unix:///path`. */
  readonly endpoint: string;
  readonly resource: Resource;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** The dialer for the collector, unless connections are direct. */
  readonly dial?: Dial | undefined;
}

export class OtlpExporter {
  readonly #options: OtlpExporterOptions;
  readonly #channel: GrpcChannel;
  #waiting: Span[] = [];
  #dropped = 0;
  #timer: Timer | undefined;
  #sending: Promise<void> = Promise.resolve();

  constructor(options: OtlpExporterOptions) {
    this.#options = options;
    const { endpoint, clock, dial } = options;
    this.#channel = new GrpcChannel({ endpoints: [endpoint], clock, dial, timeoutMs });
  }

  take(spans: readonly Span[]): void {
    const room = waitingMax - this.#waiting.length;
    this.#waiting.push(...spans.slice(0, room));
    this.#dropped += Math.max(0, spans.length - room);
    if (this.#waiting.length >= batchMax) this.#send();
    else this.#timer ??= this.#options.clock.after(everyMs, () => this.#send(), { idle: true });
  }

  async flush(): Promise<void> {
    this.#send();
    await this.#sending;
    this.#channel.close();
  }

  #send(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#sending = this.#sending.then(() => this.#sendBatches());
  }

  async #sendBatches(): Promise<void> {
    const { resource, log, endpoint } = this.#options;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, batchMax);
      try {
        await this.#channel.unary(exportMethod, exportRequest(resource, batch), { timeoutMs });
      } catch (failure) {
        this.#dropped += batch.length;
        log(`traces export to ${endpoint} failed: ${messageOf(failure)}, ${this.#dropped} spans lost`);
        return;
      }
    }
  }
}
