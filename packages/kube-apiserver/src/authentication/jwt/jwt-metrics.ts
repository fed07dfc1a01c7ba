/** Metrics of token issuers and of their configuration file, under upstream's names. */
import { createHash } from 'node:crypto';
import type { Clock } from '@coxswain/apimachinery';
import type { Gauge, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';

/** Issuers and servers are labels by their hashes, since names might be confidential. */
export const hashOf = (text: string): string =>
  text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Upper bounds in seconds. */
const latencyBounds: readonly number[] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface IssuerMetrics {
  authenticated(result: 'success' | 'failure', durationMs: number): void;
  fetchedKeys(keySet: string | undefined): void;
}

export class JwtMetrics {
  readonly #metrics: Metrics;
  readonly #clock: Clock;
  readonly #server: string;
  #configuration: Gauge | undefined;

  constructor(metrics: Metrics, clock: Clock, serverId: string) {
    this.#metrics = metrics;
    this.#clock = clock;
    this.#server = hashOf(serverId);
  }

  ofIssuer(issuer: string): IssuerMetrics {
    const metrics = this.#metrics;
    const prefix = 'apiserver_authentication_jwt_authenticator_';
    const ids = { jwt_issuer_hash: hashOf(issuer), apiserver_id_hash: this.#server };
    let keySetGauge: Gauge | undefined;
    return {
      authenticated: (result, durationMs) =>
        metrics
          .histogram(
            `${prefix}latency_seconds`,
            'Latency of jwt authentication operations in seconds. This is the time spent authenticating a token for cache miss only (i.e. when the token is not found in the cache).',
            latencyBounds,
            { result, jwt_issuer_hash: ids.jwt_issuer_hash },
          )
          .observe(durationMs / 1000),
      fetchedKeys: (keySet) => {
        const result = keySet === undefined ? 'failure' : 'success';
        const help =
          'Timestamp of the last successful or failed JWKS fetch split by result, api server identity and jwt issuer for the JWT authenticator.';
        metrics
          .gauge(`${prefix}jwks_fetch_last_timestamp_seconds`, help, { result, ...ids })
          .set(this.#clock.now() / 1000);
        if (keySet === undefined) return;
        keySetGauge?.set(0);
        keySetGauge = metrics.gauge(
          `${prefix}jwks_fetch_last_key_set_info`,
          'Information about the last JWKS fetched by the JWT authenticator with hash as label, split by api server identity and jwt issuer.',
          { ...ids, hash: hashOf(keySet) },
        );
        keySetGauge.set(1);
      },
    };
  }

  configurationHolds(text: string): void {
    this.#configuration?.set(0);
    this.#configuration = this.#metrics.gauge(
      'apiserver_authentication_config_controller_last_config_info',
      'Information about the last applied authentication configuration with hash as label, split by apiserver identity.',
      { apiserver_id_hash: this.#server, hash: hashOf(text) },
    );
    this.#configuration.set(1);
  }

  reloaded(status: 'success' | 'failure'): void {
    const prefix = 'apiserver_authentication_config_controller_automatic_reload';
    const labels = { status, apiserver_id_hash: this.#server };
    const split = 'of authentication configuration split by status and apiserver identity.';
    this.#metrics.counter(`${prefix}s_total`, `Total number of automatic reloads ${split}`, labels).add();
    this.#metrics
      .gauge(`${prefix}_last_timestamp_seconds`, `Timestamp of the last automatic reload ${split}`, labels)
      .set(this.#clock.now() / 1000);
  }
}
