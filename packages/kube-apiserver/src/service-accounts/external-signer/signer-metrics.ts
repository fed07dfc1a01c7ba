/** Metrics of an external signer, under upstream's names. */
import type { Clock } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { CallObserver } from './signer-client.ts';

const name = (rest: string): string => `apiserver_externaljwt_${rest}`;

/** In seconds. */
const durations = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export class SignerMetrics {
  readonly observeCall: CallObserver;
  readonly observeKeys: (code: string, dataSeconds?: number) => void;
  readonly observeSigning: (code: string) => void;

  constructor(metrics: Metrics, clock: Clock) {
    const fetched = metrics.gauge(
      name('fetch_keys_success_timestamp'),
      'Unix Timestamp in seconds of the last successful FetchKeys request',
    );
    const dataFrom = metrics.gauge(
      name('fetch_keys_data_timestamp'),
      'Unix Timestamp in seconds of the last successful FetchKeys data_timestamp value returned by the external signer',
    );
    const attempts = (rest: string, help: string) => (code: string) =>
      metrics.counter(name(rest), help, { code }).add();
    const fetches = attempts('fetch_keys_request_total', 'Total attempts at syncing supported JWKs');
    this.observeSigning = attempts('sign_request_total', 'Total attempts at signing JWT');
    this.observeKeys = (code, dataSeconds) => {
      fetches(code);
      if (dataSeconds === undefined) return;
      fetched.set(clock.now() / 1000);
      dataFrom.set(dataSeconds);
    };
    this.observeCall = (method, code, seconds) =>
      metrics
        .histogram(
          name('request_duration_seconds'),
          'Request duration and time for calls to external-jwt-signer',
          durations,
          { method, code },
        )
        .observe(seconds);
  }
}
