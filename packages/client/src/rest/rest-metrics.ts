/** Metrics of a client's requests, with client-go's names. */
import type { Counter, Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** Seconds. */
const durationBounds: readonly number[] = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
/** Bytes. */
const sizeBounds: readonly number[] = [
  64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216,
];
/** The label in place of a status if there was no response. */
const noAnswer = '<error>';

/** Requests to one server. */
export class RestMetrics {
  readonly #metrics: Metrics;
  readonly #host: string;
  readonly #byVerb = new Map<string, SentRequests>();
  readonly #answers = new Map<string, Counter>();

  /** @param address the server's address, with or without its scheme */
  constructor(metrics: Metrics, address: string) {
    this.#metrics = metrics;
    this.#host = address.replace(/^[a-z]+:\/\//, '').replace(/\/.*$/, '');
  }

  /** Records that a request was delayed by the rate limiter. */
  heldBack(verb: string, durationMs: number): void {
    this.#sent(verb).heldBack.observe(durationMs / 1000);
  }

  /** Records a completed request, including its retries. @param bytes the size of its body */
  over(verb: string, durationMs: number, bytes: number): void {
    const sent = this.#sent(verb);
    sent.durations.observe(durationMs / 1000);
    sent.sizes.observe(bytes);
  }

  /** Records that a response was read completely. */
  read(verb: string, bytes: number): void {
    this.#sent(verb).answerSizes.observe(bytes);
  }

  /** Records the response to one attempt. @param status undefined if there was no response */
  answered(verb: string, status: number | undefined): void {
    const code = status === undefined ? noAnswer : String(status);
    const help = 'Requests, by method and status.';
    this.#counter('rest_client_requests_total', help, { code, method: verb, host: this.#host }).add();
  }

  /** Records a retry. @param status the status of the response that caused it */
  retried(verb: string, status: number | undefined): void {
    const code = status === undefined ? noAnswer : String(status);
    const help = 'Requests that were sent once more, by what was answered before.';
    this.#counter('rest_client_request_retries_total', help, { code, verb, host: this.#host }).add();
  }

  #counter(name: string, help: string, labels: Readonly<Record<string, string>>): Counter {
    const key = `${name} ${Object.values(labels).join(' ')}`;
    let counter = this.#answers.get(key);
    if (counter === undefined) this.#answers.set(key, (counter = this.#metrics.counter(name, help, labels)));
    return counter;
  }

  #sent(verb: string): SentRequests {
    let sent = this.#byVerb.get(verb);
    if (sent === undefined) this.#byVerb.set(verb, (sent = this.#make({ verb, host: this.#host })));
    return sent;
  }

  #make(labels: Readonly<Record<string, string>>): SentRequests {
    const histogram = (name: string, help: string, bounds: readonly number[]): Histogram =>
      this.#metrics.histogram(`rest_client_${name}`, help, bounds, labels);
    return {
      durations: histogram(
        'request_duration_seconds',
        'How long requests take, with retries.',
        durationBounds,
      ),
      heldBack: histogram(
        'rate_limiter_duration_seconds',
        'How long requests wait for their turn.',
        durationBounds,
      ),
      sizes: histogram('request_size_bytes', 'Bytes that are sent.', sizeBounds),
      answerSizes: histogram('response_size_bytes', 'Bytes of answers that are read whole.', sizeBounds),
    };
  }
}

interface SentRequests {
  readonly durations: Histogram;
  readonly heldBack: Histogram;
  readonly sizes: Histogram;
  readonly answerSizes: Histogram;
}
