/** The registered drivers of dynamic resources on this node. */
import type { Clock } from '@coxswain/apimachinery';
import { detach } from '@coxswain/apimachinery/detach.ts';
import { grpcClient, type GrpcClient } from '@coxswain/grpc/client/client.ts';
import type { PluginHandler, RegisteredPlugin } from '../registration/plugin-watcher.ts';
import { claimDriverMethods } from './claim-driver-messages.ts';
import type { ClaimMetrics } from './claim-metrics.ts';
import { followHealth, type HealthListener } from './follow-health.ts';

type Methods = (typeof claimDriverMethods)['v1.DRAPlugin'];
export type ClaimDriver = Pick<GrpcClient<Methods>, 'prepare' | 'unprepare'>;

/** Upstream's timeout for each call of a driver. */
const callMsMax = 45_000;

export interface ClaimDriversOptions {
  readonly clock: Clock;
  readonly metrics: ClaimMetrics;
  readonly health: HealthListener;
}

interface ConnectedDriver {
  readonly endpoint: string;
  readonly client: ClaimDriver;
  close(): void;
}

export class ClaimDrivers implements PluginHandler {
  readonly #options: ClaimDriversOptions;
  readonly #drivers = new Map<string, ConnectedDriver>();

  constructor(options: ClaimDriversOptions) {
    this.#options = options;
  }

  /** @throws Error if it has not registered (yet) */
  get(name: string): ClaimDriver {
    const driver = this.#drivers.get(name);
    if (driver === undefined) throw new Error(`DRA driver ${name} is not registered`);
    return driver.client;
  }

  validate({ name, endpoint, versions }: RegisteredPlugin): void {
    if (serviceOf(versions) !== undefined) return;
    const known = Object.keys(claimDriverMethods);
    const problem =
      versions.length === 0
        ? 'empty list of supported gRPC services (aka supported versions)'
        : `none of services supported by the plugin (${quoted(versions)}) are supported by the kubelet (${quoted(known)})`;
    throw new Error(
      `invalid supported gRPC versions of DRA driver plugin ${name} at endpoint ${endpoint}: ${problem}`,
    );
  }

  async register({ name, endpoint, versions }: RegisteredPlugin): Promise<void> {
    this.#drivers.get(name)?.close();
    const { clock, health } = this.#options;
    const methods = claimDriverMethods[serviceOf(versions)!];
    const client = grpcClient(methods, {
      endpoints: [`unix://${endpoint}`],
      service: `DRA driver ${name}`,
      clock,
      timeoutMs: callMsMax,
    });
    const closing = new AbortController();
    detach(followHealth(name, client.channel, health, { clock, signal: closing.signal }));
    this.#drivers.set(name, {
      endpoint,
      client: this.#counted(name, methods, client),
      close() {
        closing.abort();
        client.close();
      },
    });
  }

  async deregister({ name, endpoint }: RegisteredPlugin): Promise<void> {
    const driver = this.#drivers.get(name);
    // A driver of the same name that registered in the meantime remains.
    if (driver === undefined || driver.endpoint !== endpoint) return;
    this.#drivers.delete(name);
    driver.close();
  }

  close(): void {
    for (const driver of this.#drivers.values()) driver.close();
    this.#drivers.clear();
  }

  #counted(name: string, { prepare, unprepare }: Methods, client: ClaimDriver): ClaimDriver {
    const { metrics } = this.#options;
    return {
      prepare: (request) => metrics.call(name, prepare.path, () => client.prepare(request)),
      unprepare: (request) => metrics.call(name, unprepare.path, () => client.unprepare(request)),
    };
  }
}

const serviceOf = (versions: readonly string[]): keyof typeof claimDriverMethods | undefined =>
  (Object.keys(claimDriverMethods) as (keyof typeof claimDriverMethods)[]).find((name) =>
    versions.includes(name),
  );

const quoted = (texts: readonly string[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
