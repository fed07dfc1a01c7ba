/** Assigns the devices of plugins to containers, each to one at a time, and remembers assignments across restarts. */
import { mkdir } from 'node:fs/promises';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { parseQuantity, quantityValue, type Clock } from '@coxswain/apimachinery';
import { grpcFailureText } from '@coxswain/grpc/status.ts';
import type { ResourceHealth } from '../allocated-resources.ts';
import type { PluginHandler } from '../registration/plugin-watcher.ts';
import { devicesOfGrants, type ContainerDevices } from './container-devices.ts';
import { readCheckpoint, writeCheckpoint, type DeviceGrant } from './device-checkpoint.ts';
import { healthy } from './device-messages.ts';
import { connectDevicePlugin, type DeviceEndpoint, type PluginDevice } from './device-endpoint.ts';
import { byNumaNode, healthyIds, poolAmounts, type DevicePool } from './device-pool.ts';
import { devicePluginHandler, serveDeviceRegistration } from './device-registration.ts';

export interface DeviceManagerOptions {
  /** `/var/lib/kubelet/device-plugins` */
  readonly directory: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  /** Called when the node's amounts have changed. */
  readonly changed: () => void;
  /** Called with the uids of pods when the health of one of their devices has changed. */
  readonly healthChanged?: (podUids: readonly string[]) => void;
  /** Returns the uids of pods that keep their devices. */
  readonly activePods: () => ReadonlySet<string>;
}

type Reusable = Map<string, Set<string>>;

export class DeviceManager {
  readonly #options: DeviceManagerOptions;
  readonly #pools = new Map<string, DevicePool>();
  #grants: readonly DeviceGrant[] = [];
  /** Serializes the assignment of devices to pods. */
  #work: Promise<unknown> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();

  constructor(options: DeviceManagerOptions) {
    this.#options = options;
  }

  /** For plugins that are discovered by their socket. */
  readonly handler: PluginHandler = devicePluginHandler(
    (resource, socketPath) => this.#connect(resource, socketPath),
    (resource) => this.#pools.get(resource)?.endpoint?.close(),
  );

  /** @throws the operating system's error about the socket */
  async start(): Promise<void> {
    const { directory, signal, onError, clock } = this.#options;
    await mkdir(directory, { recursive: true, mode: 0o750 });
    const checkpoint = await readCheckpoint(directory).catch(onError);
    this.#grants = checkpoint?.grants ?? [];
    // Until its plugin registers again, a resource remains on the node without available devices.
    for (const resource of Object.keys(checkpoint?.registered ?? {}))
      this.#pools.set(resource, { devices: new Map(), endpoint: undefined, lostMs: clock.now() });
    const server = await serveDeviceRegistration(directory, (resource, socketPath) =>
      this.#connect(resource, socketPath),
    );
    signal.addEventListener(
      'abort',
      () => {
        for (const { endpoint } of this.#pools.values()) endpoint?.close();
        server.close().catch(onError);
      },
      { once: true },
    );
  }

  /** The resources that plugins add to the node. */
  amounts() {
    return poolAmounts(this.#pools, this.#options.clock.now());
  }

  /** Whether a pod requests resources of plugins; otherwise there is nothing to wait for. */
  concerns(pod: Pod): boolean {
    return allContainers(pod).some(({ resources }) =>
      Object.keys(resources?.limits ?? {}).some((name) => this.#isOurs(name)),
    );
  }

  /** Assigns devices to each container; existing assignments remain. @throws Error with the reason if that fails */
  allocate(pod: Pod): Promise<void> {
    const next = this.#work
      .catch(() => undefined)
      .then(async () => {
        this.#dropEnded(pod.metadata?.uid ?? '');
        const before = this.#grants;
        try {
          const reusable: Reusable = new Map();
          for (const container of allContainers(pod)) await this.#allocateFor(pod, container, reusable);
        } catch (error) {
          this.#grants = before;
          throw error;
        }
        if (this.#grants !== before) await this.#save();
      });
    this.#work = next;
    return next;
  }

  /** Returns what a container gets with its devices when it starts. @throws Error if a plugin refuses to start it */
  async prepare(pod: Pod, container: Container): Promise<ContainerDevices> {
    if (!this.concerns(pod)) return devicesOfGrants([]);
    const uid = pod.metadata?.uid ?? '';
    if (this.#of(uid, container.name).length === 0) await this.allocate(pod);
    const grants = this.#of(uid, container.name);
    for (const grant of grants) await this.#preStart(grant);
    return devicesOfGrants(grants);
  }

  /** Lists each device of a container by resource, with its health. */
  healthOf(podUid: string, container: string): readonly ResourceHealth[] {
    return this.#of(podUid, container).map((grant) => {
      const devices = this.#pools.get(grant.resource)?.devices;
      const resources = idsOf(grant).map((resourceID) => {
        const { health = healthy } = devices?.get(resourceID) ?? {};
        return { resourceID, health: health === healthy ? healthy : 'Unhealthy' };
      });
      return { name: grant.resource, resources };
    });
  }

  #of(podUid: string, container: string): readonly DeviceGrant[] {
    return this.#grants.filter((each) => each.podUid === podUid && each.container === container);
  }

  #isOurs(resource: string): boolean {
    return this.#pools.has(resource) || this.#grants.some((grant) => grant.resource === resource);
  }

  async #connect(resource: string, socketPath: string): Promise<void> {
    const { clock } = this.#options;
    this.#pools.get(resource)?.endpoint?.close();
    let current: DeviceEndpoint | undefined;
    let early: readonly PluginDevice[] | undefined;
    const isCurrent = () => current !== undefined && this.#pools.get(resource)?.endpoint === current;
    current = await connectDevicePlugin({
      socketPath,
      resource,
      clock,
      listed: (devices) => {
        if (current === undefined) early = devices;
        else if (isCurrent()) this.#listed(resource, current, devices);
      },
      ended: () => {
        if (isCurrent()) this.#lost(resource);
      },
    });
    const devices = this.#pools.get(resource)?.devices ?? new Map();
    this.#pools.set(resource, { devices, endpoint: current, lostMs: undefined });
    if (early !== undefined) this.#listed(resource, current, early);
  }

  #listed(resource: string, endpoint: DeviceEndpoint, devices: readonly PluginDevice[]): void {
    const known = new Map(devices.map((device) => [device.id, device]));
    const before = this.#pools.get(resource)?.devices;
    const affected = this.#grants.filter(
      (grant) =>
        grant.resource === resource &&
        idsOf(grant).some((id) => before?.get(id)?.health !== known.get(id)?.health),
    );
    this.#pools.set(resource, { devices: known, endpoint, lostMs: undefined });
    this.#save().catch(this.#options.onError);
    this.#options.changed();
    if (affected.length > 0) this.#options.healthChanged?.(affected.map(({ podUid }) => podUid));
  }

  #lost(resource: string): void {
    const { devices = new Map<string, PluginDevice>() } = this.#pools.get(resource) ?? {};
    this.#pools.set(resource, { devices, endpoint: undefined, lostMs: this.#options.clock.now() });
    if (!this.#options.signal.aborted) this.#options.changed();
  }

  #dropEnded(but: string): void {
    const active = this.#options.activePods();
    const kept = this.#grants.filter(({ podUid }) => podUid === but || active.has(podUid));
    if (kept.length < this.#grants.length) this.#grants = kept;
  }

  async #allocateFor(pod: Pod, container: Container, reusable: Reusable): Promise<void> {
    const uid = pod.metadata?.uid ?? '';
    for (const [resource, text] of Object.entries(container.resources?.limits ?? {})) {
      const count = quantityValue(parseQuantity(text));
      if (!this.#isOurs(resource) || count === 0) continue;
      const known = this.#of(uid, container.name).find((each) => each.resource === resource);
      const forReuse = reusable.get(resource) ?? new Set<string>();
      const ids =
        known === undefined ? await this.#choose(resource, count, forReuse) : refuseChange(known, count, pod);
      if (known === undefined) await this.#grant(uid, container.name, resource, ids);
      keepForReuse(pod, container, ids, forReuse);
      reusable.set(resource, forReuse);
    }
  }

  /** Prefers devices that an init container of the pod had, then the plugin's preference, then any. */
  async #choose(resource: string, count: number, reusable: ReadonlySet<string>): Promise<readonly string[]> {
    const pool = this.#pools.get(resource);
    if (pool === undefined) throw new Error(`cannot allocate unregistered device ${resource}`);
    const well = healthyIds(pool);
    if (well.size === 0)
      throw new Error(`no healthy devices present; cannot allocate unhealthy devices ${resource}`);
    const reused = [...reusable].slice(0, count);
    const needed = count - reused.length;
    if (needed === 0) return reused;
    const taken = new Set(this.#grants.filter((each) => each.resource === resource).flatMap(idsOf));
    const free = [...well].filter((id) => !taken.has(id));
    if (free.length < needed) {
      const counts = `Requested: ${needed}, Available: ${free.length}`;
      throw new Error(`requested number of devices unavailable for ${resource}. ${counts}`);
    }
    const preferred = (await this.#preferred(pool, free, reused, count)).filter((id) => free.includes(id));
    return [...reused, ...[...new Set([...preferred, ...free])].slice(0, needed)];
  }

  async #preferred(
    { endpoint }: DevicePool,
    free: readonly string[],
    reused: readonly string[],
    count: number,
  ): Promise<readonly string[]> {
    if (!endpoint?.options.getPreferredAllocationAvailable) return [];
    try {
      const request = {
        availableDeviceIds: [...free, ...reused],
        mustIncludeDeviceIds: reused,
        allocationSize: count,
      };
      const { containerResponses } = await endpoint.client.getPreferredAllocation({
        containerRequests: [request],
      });
      return containerResponses[0]?.deviceIds ?? [];
    } catch (error) {
      const why = grpcFailureText(error);
      throw new Error(`device plugin GetPreferredAllocation rpc failed with err: ${why}`, { cause: error });
    }
  }

  async #grant(podUid: string, container: string, resource: string, ids: readonly string[]): Promise<void> {
    const pool = this.#pools.get(resource);
    if (pool?.endpoint === undefined) throw new Error(`unknown Device Plugin ${resource}`);
    const { containerResponses } = await pool.endpoint.client
      .allocate({ containerRequests: [{ devicesIds: ids }] })
      .catch((error: unknown) => {
        throw new Error(grpcFailureText(error), { cause: error });
      });
    const [answer] = containerResponses;
    if (answer === undefined) throw new Error('no containers return in allocation response');
    const grant = { podUid, container, resource, devices: byNumaNode(pool, ids), answer };
    this.#grants = [...this.#grants, grant];
  }

  async #preStart(grant: DeviceGrant): Promise<void> {
    const endpoint = this.#pools.get(grant.resource)?.endpoint;
    if (endpoint === undefined)
      throw new Error(`endpoint not found in cache for a registered resource: ${grant.resource}`);
    if (!endpoint.options.preStartRequired) return;
    await endpoint.client.preStartContainer({ devicesIds: idsOf(grant) }).catch((error: unknown) => {
      throw new Error(`device plugin PreStartContainer rpc failed with err: ${grpcFailureText(error)}`);
    });
  }

  /** Serialized, so that the latest version remains. */
  #save(): Promise<void> {
    const write = async (): Promise<void> => {
      // A later kubelet now writes the file.
      if (this.#options.signal.aborted) return;
      const registered = Object.fromEntries(
        [...this.#pools].map(([resource, pool]) => [resource, [...healthyIds(pool)]]),
      );
      await writeCheckpoint(this.#options.directory, { grants: this.#grants, registered });
    };
    this.#saving = this.#saving.catch(() => undefined).then(write);
    return this.#saving;
  }
}

const allContainers = ({ spec }: Pod): readonly Container[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
];

/** A device that belongs to several NUMA nodes is listed under each. */
const idsOf = ({ devices }: DeviceGrant): string[] => [...new Set(Object.values(devices).flat())];

function refuseChange(grant: DeviceGrant, count: number, { metadata }: Pod): readonly string[] {
  const ids = idsOf(grant);
  if (ids.length !== count)
    throw new Error(
      `pod "${metadata?.uid}" container "${grant.container}" changed request for resource "${grant.resource}" from ${ids.length} to ${count}`,
    );
  return ids;
}

/** Devices of an init container may be reused by later containers; those of a sidecar or other container may not. */
function keepForReuse({ spec }: Pod, container: Container, ids: readonly string[], reusable: Set<string>) {
  const isInit = spec?.initContainers?.includes(container) && container.restartPolicy !== 'Always';
  for (const id of ids) {
    if (isInit) reusable.add(id);
    else reusable.delete(id);
  }
}
