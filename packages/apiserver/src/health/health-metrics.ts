/** `/metrics/slis`: the latest result and the counts of each health check. */
import type { Clock } from '@coxswain/apimachinery';
import type { HealthCheck } from '@coxswain/component-base/health-check.ts';
import { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { installMetrics } from '../routing/index-routes.ts';
import type { PlainRoutes } from '../routing/plain-routes.ts';

export class HealthMetrics {
  readonly #metrics = new Metrics({ describesItself: false });

  install(plain: PlainRoutes, clock: Clock, mayReset = false): void {
    installMetrics(plain, '/metrics/slis', this.#metrics, clock, mayReset);
  }

  /** Wraps checks so that their results are recorded. @param type `healthz`, `livez` or `readyz` */
  observed(type: string, checks: readonly HealthCheck[]): readonly HealthCheck[] {
    return checks.map(({ name, check }) => ({
      name,
      check: () => {
        const problem = check();
        if (problem instanceof Promise) return problem.then((later) => this.#note(type, name, later));
        return this.#note(type, name, problem);
      },
    }));
  }

  #note(type: string, name: string, problem: string | undefined): string | undefined {
    const isWell = problem === undefined;
    const status = isWell ? 'success' : 'error';
    this.#metrics
      .gauge('kubernetes_healthcheck', 'Result of the last health check: 1 if it passed, 0 if not.', {
        name,
        type,
      })
      .set(isWell ? 1 : 0);
    this.#metrics
      .counter('kubernetes_healthchecks_total', 'Health checks, by result.', {
        name,
        status,
        type,
      })
      .add();
    return problem;
  }
}
