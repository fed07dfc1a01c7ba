/** The registered CSI drivers of this node, and their capabilities. */
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { grpcClient, type GrpcClient } from '@coxswain/grpc/client/client.ts';
import { grpcFailureText } from '@coxswain/grpc/status.ts';
import { recordOf } from '../../cri/shared-messages.ts';
import type { PluginHandler, RegisteredPlugin } from '../registration/plugin-watcher.ts';
import { csiNodeMethods } from './csi-messages.ts';
import type { CsiNodeObject } from './csi-node-object.ts';

export type CsiClient = GrpcClient<typeof csiNodeMethods>;

export interface RegisteredDriver {
  readonly name: string;
  readonly endpoint: string;
  readonly client: CsiClient;
  /** Returns values of NodeCapability; queried once. */
  capabilities(): Promise<ReadonlySet<number>>;
}

/** Upstream's timeout for each call of a driver. */
const callMsMax = 2 * 60_000;

export interface RegisteredDriversOptions {
  readonly clock: Clock;
  readonly node: Pick<CsiNodeObject, 'install' | 'uninstall'>;
}

export class RegisteredDrivers implements PluginHandler {
  readonly #options: RegisteredDriversOptions;
  readonly #drivers = new Map<string, RegisteredDriver & { readonly version: readonly number[] }>();

  constructor(options: RegisteredDriversOptions) {
    this.#options = options;
  }

  /** @throws Error if it has not registered (yet) */
  get(name: string): RegisteredDriver {
    const driver = this.#drivers.get(name);
    if (driver === undefined)
      throw new Error(`driver name ${name} not found in the list of registered CSI drivers`);
    return driver;
  }

  validate(plugin: RegisteredPlugin): void {
    try {
      this.#versionOf(plugin);
    } catch (error) {
      const why = messageOf(error);
      throw new Error(
        `validation failed for CSI Driver ${plugin.name} at endpoint ${plugin.endpoint}: ${why}`,
        { cause: error },
      );
    }
  }

  async register(plugin: RegisteredPlugin): Promise<void> {
    const { clock, node } = this.#options;
    const { name, endpoint } = plugin;
    const version = this.#versionOf(plugin);
    this.#drivers.get(name)?.client.close();
    const client = grpcClient(csiNodeMethods, {
      endpoints: [`unix://${endpoint}`],
      service: `CSI driver ${name}`,
      clock,
      timeoutMs: callMsMax,
    });
    let known: Promise<ReadonlySet<number>> | undefined;
    const capabilities = () => {
      known ??= client
        .nodeGetCapabilities({})
        .then((answer) => new Set(answer.capabilities.map(({ rpc }) => rpc?.type ?? 0)));
      // Queries a driver that did not answer again the next time.
      known.catch(() => (known = undefined));
      return known;
    };
    this.#drivers.set(name, { name, endpoint, client, capabilities, version });
    try {
      const info = await client.nodeGetInfo({});
      const topology = recordOf(info.accessibleTopology?.segments ?? []);
      await node.install({ name, nodeId: info.nodeId, volumesMax: info.maxVolumesPerNode, topology });
    } catch (error) {
      this.#drivers.delete(name);
      client.close();
      await node.uninstall(name).catch(() => undefined);
      throw new Error(grpcFailureText(error), { cause: error });
    }
  }

  async deregister({ name, endpoint }: RegisteredPlugin): Promise<void> {
    const driver = this.#drivers.get(name);
    // A driver of the same name that registered in the meantime remains.
    if (driver === undefined || driver.endpoint !== endpoint) return;
    this.#drivers.delete(name);
    driver.client.close();
    await this.#options.node.uninstall(name);
  }

  close(): void {
    for (const { client } of this.#drivers.values()) client.close();
    this.#drivers.clear();
  }

  #versionOf({ name, endpoint, versions }: RegisteredPlugin): readonly number[] {
    if (versions.length === 0)
      throw new Error(
        `for CSI driver "${name}" failed. Plugin returned an empty list for supported versions`,
      );
    const version = highestSupported(versions);
    if (version === undefined)
      throw new Error(`None of the versions specified [${versions.join(' ')}] are supported`);
    const known = this.#drivers.get(name);
    if (known !== undefined && known.endpoint !== endpoint && compare(known.version, version) >= 0)
      throw new Error(
        `for CSI driver "${name}" failed. Another driver with the same name is already registered with a higher supported version: "${known.version.join('.')}"`,
      );
    return version;
  }
}

/** `1.x.y`; drivers of version 0 use a different protocol. */
function highestSupported(versions: readonly string[]): readonly number[] | undefined {
  const numbers = versions
    .map((text) => /^v?(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number))
    .filter((each) => each !== undefined && each[0] === 1);
  return numbers.sort((a, b) => compare(a!, b!)).at(-1);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}
