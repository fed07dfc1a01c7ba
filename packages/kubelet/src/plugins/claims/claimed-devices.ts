/**
 * The devices of resource claims: drivers prepare them before the first container of a pod starts, and release them after
 * the last pod with the claim has ended. A file remembers them across restarts.
 */
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KubeClient } from '@coxswain/client';
import { grpcFailureText } from '@coxswain/grpc/status.ts';
import { RuntimeFailure } from '../../runtime.ts';
import { claimsOf, hasClaims, requestsOf, type PodClaim, type UsedRequest } from './claims-of-pod.ts';
import { readClaims, writeClaims, type KnownClaim, type PreparedDevice } from './claim-checkpoint.ts';
import type { ClaimDrivers } from './claim-drivers.ts';
import type { ClaimMetrics } from './claim-metrics.ts';
import type { DeviceHealth, DeviceName } from './device-health.ts';
import type { ResourceHealth } from '../allocated-resources.ts';

type Claim = ResourceClaim & KubeObject;

export interface ClaimedDevicesOptions {
  readonly client: KubeClient;
  readonly drivers: ClaimDrivers;
  /** `/var/lib/kubelet` */
  readonly directory: string;
  readonly metrics: ClaimMetrics;
  readonly healthOf: (driver: string, device: PreparedDevice) => DeviceHealth;
}

export class ClaimedDevices {
  readonly #options: ClaimedDevicesOptions;
  /** By namespace and name. */
  readonly #claims = new Map<string, KnownClaim>();
  /** Serializes calls of drivers. */
  #work: Promise<unknown> = Promise.resolve();

  constructor(options: ClaimedDevicesOptions) {
    this.#options = options;
    options.metrics.describeInUse(() =>
      [...this.#claims.values()].filter(({ isPrepared }) => isPrepared).map(({ drivers }) => drivers),
    );
  }

  /** Reads what an earlier kubelet has prepared. @throws Error if the file is unreadable or damaged */
  async load(): Promise<void> {
    for (const claim of await readClaims(this.#options.directory)) this.#claims.set(keyOf(claim), claim);
  }

  /** @throws RuntimeFailure `FailedPrepareDynamicResources` */
  async prepare(pod: Pod): Promise<void> {
    if (!hasClaims(pod)) return;
    try {
      const work = (): Promise<void> => this.#inTurn(() => this.#prepare(pod, claimsOf(pod)));
      await this.#options.metrics.operation('PrepareResources', work);
    } catch (error) {
      throw new RuntimeFailure(
        'FailedPrepareDynamicResources',
        `Failed to prepare dynamic resources: prepare dynamic resources: ${messageOf(error)}`,
      );
    }
  }

  /** The names of a container's devices in the Container Device Interface. */
  cdiDevicesOf(pod: Pod, container: Container): readonly { readonly name: string }[] {
    const names = requestsOf(pod, container).flatMap((used) =>
      this.#devicesFor(pod, used).flatMap(({ cdiDevices }) => cdiDevices),
    );
    return [...new Set(names)].map((name) => ({ name }));
  }

  /** Lists the devices of a container for each claim that it names, with their health. */
  resourcesOf(pod: Pod, container: Container): readonly ResourceHealth[] {
    const { healthOf } = this.#options;
    return (container.resources?.claims ?? []).flatMap((used) => {
      const { name = '', request = '' } = used;
      const byId = new Map(
        requestsOf(pod, { ...container, resources: { claims: [used] } })
          .flatMap((one) => (one.podClaim === name ? this.#devicesFor(pod, one) : []))
          .map((device) => {
            const { health, message } = healthOf(device.driver, device);
            const resourceID = device.cdiDevices[0] ?? `${device.driver}/${device.pool}/${device.device}`;
            return [resourceID, { resourceID, health, ...(message !== '' && { message }) }];
          }),
      );
      if (byId.size === 0) return [];
      return [{ name: `claim:${name}${request === '' ? '' : `/${request}`}`, resources: [...byId.values()] }];
    });
  }

  /** The pods with one of these devices. */
  podsWith(driver: string, devices: readonly DeviceName[]): readonly string[] {
    const isOne = (prepared: PreparedDevice): boolean =>
      prepared.driver === driver &&
      devices.some(({ pool, device }) => pool === prepared.pool && device === prepared.device);
    return [...this.#claims.values()].flatMap((claim) => (claim.devices.some(isOne) ? claim.podUids : []));
  }

  #devicesFor({ metadata }: Pod, { claim, request }: UsedRequest): readonly PreparedDevice[] {
    const known = this.#claims.get(keyOf({ namespace: metadata?.namespace ?? '', name: claim }));
    return (known?.devices ?? []).filter(
      ({ requests }) => request === '' || requests.length === 0 || requests.some(isPartOf(request)),
    );
  }

  /** Releases the claims that no other pod uses. @throws Error if a driver is absent or fails */
  release(podUid: string): Promise<void> {
    return this.#releaseWhere((uid) => uid === podUid);
  }

  /** The same for all pods but these. */
  releaseUnused(activePods: ReadonlySet<string>): Promise<void> {
    return this.#releaseWhere((uid) => !activePods.has(uid));
  }

  async #prepare(pod: Pod, names: readonly PodClaim[]): Promise<void> {
    const uid = pod.metadata?.uid ?? '';
    const claims: Claim[] = [];
    // Until everything is known to be there, nothing is recorded, so that a pod that fails can be deleted.
    for (const name of names) claims.push(await this.#claimFor(pod, name));
    for (const claim of claims) for (const driver of driversOf(claim)) this.#options.drivers.get(driver);
    const waiting: KnownClaim[] = [];
    for (const claim of claims) {
      const known = this.#known(claim);
      const used = { ...known, podUids: [...new Set([...known.podUids, uid])] };
      this.#claims.set(keyOf(used), used);
      if (!used.isPrepared) waiting.push(used);
    }
    await this.#save();
    for (const claim of waiting) {
      const devices: PreparedDevice[] = [];
      for (const driver of claim.drivers) devices.push(...(await this.#prepareWith(driver, claim)));
      this.#claims.set(keyOf(claim), { ...claim, devices, isPrepared: true });
    }
    await this.#save();
  }

  async #claimFor(pod: Pod, { name, isGenerated }: PodClaim): Promise<Claim> {
    const { namespace = '', name: podName, uid } = pod.metadata ?? {};
    const claims = this.#options.client.resource<Claim>('resource.k8s.io/v1', 'resourceclaims');
    const claim = await claims
      .namespace(namespace)
      .get(name)
      .catch((error: unknown) => {
        throw new Error(`fetch ResourceClaim ${name}: ${messageOf(error)}`, { cause: error });
      });
    const { metadata, status } = claim;
    if (isGenerated && !metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid))
      throw new Error(`ResourceClaim ${namespace}/${name} was not created for pod ${namespace}/${podName}`);
    if (!status?.reservedFor?.some((consumer) => consumer.uid === uid))
      throw new Error(
        `pod ${podName} (${uid}) is not allowed to use ResourceClaim ${name} (${metadata.uid})`,
      );
    if (status.allocation == null) throw new Error(`ResourceClaim ${name}: not allocated`);
    return claim;
  }

  /** @throws Error for another claim of that name that has not been released */
  #known(claim: Claim): KnownClaim {
    const { namespace = '', name = '', uid = '' } = claim.metadata;
    const known = this.#claims.get(keyOf({ namespace, name }));
    if (known === undefined)
      return { namespace, name, uid, drivers: driversOf(claim), podUids: [], devices: [], isPrepared: false };
    if (known.uid === uid) return known;
    throw new Error(
      `old ResourceClaim with same name ${name} and different UID ${known.uid} still exists (previous pod force-deleted?!)`,
    );
  }

  async #prepareWith(
    driver: string,
    { namespace, name, uid }: KnownClaim,
  ): Promise<readonly PreparedDevice[]> {
    const call = 'NodePrepareResources';
    const answer = await this.#options.drivers
      .get(driver)
      .prepare({ claims: [{ namespace, name, uid }] })
      .catch(asFailureOf(call));
    const { devices = [] } = resultFor(call, name, uid, answer.claims) ?? {};
    return devices.map(({ poolName, deviceName, requestNames, cdiDeviceIds }) => ({
      driver,
      pool: poolName,
      device: deviceName,
      requests: requestNames,
      cdiDevices: cdiDeviceIds,
    }));
  }

  #releaseWhere(isGone: (podUid: string) => boolean): Promise<void> {
    if (![...this.#claims.values()].some(({ podUids }) => podUids.some(isGone))) return Promise.resolve();
    const work = async (): Promise<void> => {
      for (const claim of this.#claims.values()) {
        const podUids = claim.podUids.filter((uid) => !isGone(uid));
        if (podUids.length === claim.podUids.length) continue;
        if (podUids.length > 0) this.#claims.set(keyOf(claim), { ...claim, podUids });
        else {
          for (const driver of claim.drivers) await this.#unprepareWith(driver, claim);
          this.#claims.delete(keyOf(claim));
        }
        await this.#save();
      }
    };
    return this.#options.metrics.operation('UnprepareResources', () => this.#inTurn(work));
  }

  async #unprepareWith(driver: string, { namespace, name, uid }: KnownClaim): Promise<void> {
    const call = 'NodeUnprepareResources';
    const answer = await this.#options.drivers
      .get(driver)
      .unprepare({ claims: [{ namespace, name, uid }] })
      .catch(asFailureOf(call));
    resultFor(call, name, uid, answer.claims);
  }

  #save(): Promise<void> {
    return writeClaims(this.#options.directory, [...this.#claims.values()]);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const next = this.#work.catch(() => undefined).then(work);
    this.#work = next;
    return next;
  }
}

const keyOf = ({ namespace, name }: Pick<KnownClaim, 'namespace' | 'name'>): string => `${namespace}/${name}`;

const driversOf = ({ status }: Claim): readonly string[] => [
  ...new Set(status?.allocation?.devices?.results?.map(({ driver }) => driver ?? '')),
];

/** Devices of one of several alternatives are reported as `request/alternative`. */
const isPartOf = (request: string) => (name: string) => name === request || name.startsWith(`${request}/`);

const asFailureOf = (call: string) => (error: unknown) => {
  throw new Error(`${call}: ${grpcFailureText(error)}`, { cause: error });
};

/** @throws Error if the driver reports a failure or nothing about the claim */
function resultFor<T extends { readonly error: string }>(
  call: string,
  name: string,
  uid: string,
  results: readonly { readonly key: string; readonly value?: T | undefined }[],
): T | undefined {
  const unknown = results.find(({ key }) => key !== uid);
  if (unknown !== undefined) throw new Error(`${call} returned result for unknown claim UID ${unknown.key}`);
  const result = results.find(({ key }) => key === uid);
  if (result === undefined) throw new Error(`${call} skipped 1 ResourceClaims`);
  if (result.value?.error) throw new Error(`${call} failed for ResourceClaim ${name}: ${result.value.error}`);
  return result.value;
}
