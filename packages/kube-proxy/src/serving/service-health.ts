import type { Server } from 'node:http';
import type { HealthCheckPort, PlanChanges } from '../model/service-rule.ts';
import { close, jsonPage, listen, pages } from './listeners.ts';

export interface ServiceHealthOptions {
  /** The addresses to listen on, with each service's port: addresses of one family, or `0.0.0.0` or `::` for all. */
  readonly hosts: readonly string[];
  readonly isProxyHealthy: () => boolean;
  /** Reports a port that is taken. It is retried when the service changes. */
  readonly onError: (service: string, port: number, error: unknown) => void;
}

interface Served {
  check: HealthCheckPort;
  readonly servers: Promise<readonly Server[]>;
}

/** All addresses of a family. */
export const anyAddress = { IPv4: '0.0.0.0', IPv6: '::' } as const;

/**
 * Answers health checks of load balancers, on one port per service: whether this node has endpoints for the service.
 */
export class ServiceHealth {
  readonly #options: ServiceHealthOptions;
  readonly #served = new Map<string, Served>();

  constructor(options: ServiceHealthOptions) {
    this.#options = options;
  }

  /** Resolves when the ports are open or have failed to open. */
  async set(changes: PlanChanges): Promise<void> {
    const opening: Promise<unknown>[] = [];
    for (const [service, plan] of changes) {
      const check = plan?.healthCheck;
      const served = this.#served.get(service);
      if (served !== undefined && served.check.port === check?.port) {
        served.check = check;
        continue;
      }
      this.#served.delete(service);
      opening.push(this.#replace(service, served, check));
    }
    await Promise.all(opening);
  }

  async close(): Promise<void> {
    const all = [...this.#served.values()];
    this.#served.clear();
    await Promise.all(all.map(closeAll));
  }

  async #replace(
    service: string,
    before: Served | undefined,
    check: HealthCheckPort | undefined,
  ): Promise<void> {
    if (before !== undefined) await closeAll(before);
    if (check === undefined) return;
    const served: Served = { check, servers: this.#open(service, check.port) };
    this.#served.set(service, served);
    try {
      await served.servers;
    } catch (error) {
      this.#served.delete(service);
      this.#options.onError(service, check.port, error);
    }
  }

  async #open(service: string, port: number): Promise<readonly Server[]> {
    const answer = pages(
      new Proxy(
        {},
        anyPath(() => this.#answer(service)),
      ),
    );
    const results = await Promise.allSettled(
      this.#options.hosts.map((host) => listen(answer, host, port, { ipv6Only: true })),
    );
    const servers = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed === undefined) return servers;
    servers.forEach(close);
    throw failed.reason;
  }

  #answer(service: string) {
    const count = this.#served.get(service)?.check.localEndpoints ?? 0;
    const isHealthy = this.#options.isProxyHealthy();
    const [namespace = '', name = ''] = service.split('/');
    const reported = {
      service: { namespace, name },
      localEndpoints: count,
      serviceProxyHealthy: isHealthy,
    };
    return jsonPage(count > 0 && isHealthy ? 200 : 503, JSON.stringify(reported, undefined, '\t'), {
      'x-load-balancing-endpoint-weight': String(count),
    });
  }
}

/** Load balancers request whatever path they are configured with. */
const anyPath = <T>(value: T): ProxyHandler<Record<string, T>> => ({
  get: () => value,
  getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value }),
});

const closeAll = ({ servers }: Served): Promise<void> =>
  servers.then(
    (list) => list.forEach(close),
    () => {},
  );
