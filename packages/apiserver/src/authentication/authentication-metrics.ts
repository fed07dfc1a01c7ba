/** Metrics of authentication, under upstream's names. */
import type { Counter, Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { UserInfo } from '../user.ts';

export type AuthenticationResult = 'success' | 'failure' | 'error';

/** Upper bounds in seconds, each twice the previous one. */
const durationBounds: readonly number[] = Array.from({ length: 15 }, (_, at) => 0.001 * 2 ** at);

interface ResultMetrics {
  readonly attempts: Counter;
  readonly duration: Histogram;
}

export class AuthenticationMetrics {
  readonly #metrics: Metrics;
  readonly #results: Partial<Record<AuthenticationResult, ResultMetrics>> = {};
  readonly #byUser = new WeakMap<UserInfo, Counter>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  ended(result: AuthenticationResult, durationMs: number, user?: UserInfo): void {
    const { attempts, duration } = (this.#results[result] ??= this.#ofResult(result));
    attempts.add();
    duration.observe(durationMs / 1000);
    if (user !== undefined) this.#userCounter(user).add();
  }

  #ofResult(result: AuthenticationResult): ResultMetrics {
    const metrics = this.#metrics;
    return {
      attempts: metrics.counter('authentication_attempts', 'Counter of authenticated attempts.', { result }),
      duration: metrics.histogram(
        'authentication_duration_seconds',
        'Authentication duration in seconds broken out by result.',
        durationBounds,
        { result },
      ),
    };
  }

  #userCounter(user: UserInfo): Counter {
    let counter = this.#byUser.get(user);
    if (counter === undefined) {
      counter = this.#metrics.counter(
        'authenticated_user_requests',
        'Counter of authenticated requests broken out by username.',
        { username: userCategory(user.name) },
      );
      this.#byUser.set(user, counter);
    }
    return counter;
  }
}

const namedUsers: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

/** User names themselves don't become labels, since their number is unbounded. */
function userCategory(name: string): string {
  if (namedUsers.has(name)) return name;
  return name.includes('@') ? 'email_id' : 'other';
}
