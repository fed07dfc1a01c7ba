/** The registered drivers of dynamic resources on this node. */
import type { Clock } from '@coxswain/apimachinery';
import { grpcClient, type GrpcClient } from '@coxswain/grpc/client/client.ts';
import type { PluginHandler, RegisteredPlugin } from '../registration/plugin-watcher.ts';
import { claimDriverMethods } from './claim-driver-messages.ts';

export type ClaimDriver = GrpcClient<(typeof claimDriverMethods)['v1.DRAPlugin']>;

/** Upstream's timeout for each call of a driver. */
const callMsMax = 45_000;

export class ClaimDrivers implements PluginHandler {
  readonly #clock: Clock;
  readonly #drivers = new Map<string, { readonly endpoint: string; readonly client: ClaimDriver }>();

  constructor(clock: Clock) {
    this.#clock = clock;
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
    this.#drivers.get(name)?.client.close();
    const client = grpcClient(claimDriverMethods[serviceOf(versions)!], {
      endpoints: [`unix://${endpoint}`],
      service: `DRA driver ${name}`,
      clock: this.#clock,
      timeoutMs: callMsMax,
    });
    this.#drivers.set(name, { endpoint, client });
  }

  async deregister({ name, endpoint }: RegisteredPlugin): Promise<void> {
    const driver = this.#drivers.get(name);
    // A driver of the same name that registered in the meantime remains.
    if (driver === undefined || driver.endpoint !== endpoint) return;
    this.#drivers.delete(name);
    driver.client.close();
  }

  close(): void {
    for (const { client } of this.#drivers.values()) client.close();
    this.#drivers.clear();
  }
}

const serviceOf = (versions: readonly string[]): keyof typeof claimDriverMethods | undefined =>
  (Object.keys(claimDriverMethods) as (keyof typeof claimDriverMethods)[]).find((name) =>
    versions.includes(name),
  );

const quoted = (texts: readonly string[]): string =>
  `[${texts.map((text) => JSON.stringify(text)).join(' ')}]`;
