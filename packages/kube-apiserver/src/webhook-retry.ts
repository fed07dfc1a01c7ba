/** Retries calls of a webhook with growing delays. */
import type { Clock, Random } from '@coxswain/apimachinery';
import type { WebhookAnswer, WebhookConnection } from './webhook-connection.ts';

export interface RetryBackOff {
  readonly clock: Clock;
  readonly random: Random;
  readonly initialMs: number;
}

/** As upstream: five attempts, each delay 1.5 times the previous one, with up to 20 % jitter. */
const attemptsMax = 5;
const pauseFactor = 1.5;
const jitter = 0.2;

/** Temporary failures: errors of the service itself, and requests to wait. */
const passing: ReadonlySet<number> = new Set([429, 500, 504]);

/** @throws Error of the last attempt when there was no response */
export async function postWithRetry(
  connection: WebhookConnection,
  body: string,
  { clock, random, initialMs }: RetryBackOff,
): Promise<WebhookAnswer> {
  let pauseMs = initialMs;
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === attemptsMax;
    try {
      const answer = await connection.post(body);
      if (isLast || !passing.has(answer.status)) return answer;
    } catch (failure) {
      if (isLast || !isReset(failure)) throw failure;
    }
    await clock.sleep(pauseMs * (1 + random.next() * jitter));
    pauseMs *= pauseFactor;
  }
}

const isReset = (failure: unknown): boolean =>
  ['ECONNRESET', 'ERR_HTTP2_SESSION_ERROR'].includes((failure as NodeJS.ErrnoException).code ?? '');
