/** Dials through a proxy and records upstream's metrics. */
import type { Clock } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Dial } from './dial.ts';
import { connectToProxy, tunnelTo, type ConnectProxy } from './http-connect.ts';

const boundsSeconds = [0.005, 0.025, 0.1, 0.5, 2.5, 12.5];

type Labels = Readonly<Record<string, string>>;

/** @param metrics returns the metrics, once they exist */
export function countedDial(proxy: ConnectProxy, clock: Clock, metrics: () => Metrics | undefined): Dial {
  const labels = { protocol: 'http_connect', transport: 'path' in proxy.place ? 'uds' : 'tcp' };
  const counting =
    (stage: string) =>
    (failure: unknown): never => {
      count(metrics(), 'failure_count', 'Connections through a proxy that failed.', { ...labels, stage });
      throw failure;
    };
  return async (host, port) => {
    const startMs = clock.monotonic();
    count(metrics(), 'start_total', 'Connections through a proxy that were begun.', labels);
    const socket = await connectToProxy(proxy).catch(counting('connect'));
    const tunnel = await tunnelTo(host, port, proxy, socket).catch(counting('proxy'));
    metrics()
      ?.histogram(
        'apiserver_egress_dialer_dial_duration_seconds',
        'Time to establish a connection through a proxy, in seconds.',
        boundsSeconds,
        labels,
      )
      .observe((clock.monotonic() - startMs) / 1000);
    return tunnel;
  };
}

const count = (metrics: Metrics | undefined, name: string, help: string, labels: Labels): void =>
  metrics?.counter(`apiserver_egress_dialer_dial_${name}`, help, labels).add();
