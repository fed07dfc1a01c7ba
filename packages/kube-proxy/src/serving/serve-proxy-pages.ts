import { detach } from '@coxswain/apimachinery/detach.ts';
import type { Server } from 'node:http';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { configurationDocument, type ProxySettings } from '../config/proxy-configuration.ts';
import { close, hostAndPort, jsonPage, listen, pages, textPage, type Page } from './listeners.ts';
import type { HealthResponse, ProxyHealth } from './proxy-health.ts';
import type { ProxyMetrics } from './proxy-metrics.ts';

export interface ProxyPages {
  readonly settings: ProxySettings;
  readonly health: ProxyHealth;
  readonly metrics: Metrics;
  readonly counts: ProxyMetrics;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: (text: string) => void;
}

/** A port that is taken may become free. */
const retryMs = 5_000;
const metricsType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/**
 * Serves health and metrics, each on its own port; returns a function that closes both. @throws see {@link listen}, if
 * configured
 */
export async function serveProxyPages(parts: ProxyPages): Promise<() => void> {
  const { settings, health, metrics, counts } = parts;
  const probe = (kind: 'healthz' | 'livez', { status, body }: HealthResponse): Page => {
    counts.probed(kind, status);
    return jsonPage(status, body);
  };
  const servers: Server[] = [];
  const open = (address: string, what: string, byPath: Readonly<Record<string, () => Page>>) =>
    address === '' ? undefined : openPort(parts, address, what, byPath, servers);
  await Promise.all([
    open(settings.healthzBindAddress, 'healthz', {
      '/healthz': () => probe('healthz', health.healthz()),
      '/livez': () => probe('livez', health.livez()),
    }),
    open(settings.metricsBindAddress, 'metrics', {
      '/healthz': () => textPage('ok'),
      '/proxyMode': () => textPage(settings.mode || 'nftables'),
      '/metrics': () => ({ status: 200, type: metricsType, body: metrics.exposition() }),
      '/configz': () =>
        jsonPage(200, JSON.stringify({ 'kubeproxy.config.k8s.io': configurationDocument(settings) })),
    }),
  ]);
  return () => servers.splice(0).forEach(close);
}

/** A port that is taken is retried in the background, unless the program should exit. */
async function openPort(
  parts: ProxyPages,
  address: string,
  what: string,
  byPath: Readonly<Record<string, () => Page>>,
  servers: Server[],
): Promise<void> {
  const { settings, signal, clock, log } = parts;
  const { host, port } = hostAndPort(address);
  try {
    const server = await listen(pages(byPath), host, port);
    if (signal.aborted) close(server);
    else servers.push(server);
  } catch (error) {
    const reason = `failed to start ${what} on ${address}: ${messageOf(error)}`;
    if (settings.bindAddressHardFail) throw new Error(reason, { cause: error });
    log(reason);
    clock.after(
      retryMs,
      () => {
        if (!signal.aborted) detach(openPort(parts, address, what, byPath, servers));
      },
      { idle: true },
    );
  }
}
