import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { DeviceClass } from '@coxswain/api/resource/v1/device-class.ts';
import type { DeviceSelector } from '@coxswain/api/resource/v1/device-selector.ts';
import type { AllocationResult } from '@coxswain/api/resource/v1/allocation-result.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { AllocatedDevices } from './allocated-devices.ts';
import { allocationOf, type Grant } from './allocation-result.ts';
import { consumedCapacity, hasRoom, type Amounts } from './device-capacity.ts';
import { satisfies } from './device-constraints.ts';
import { countersSuffice } from './device-counters.ts';
import { isDeviceOnNode, type DevicePool, type PoolDevice } from './device-pools.ts';
import { choicesOf, type DeviceChoice } from './device-requests.ts';
import { isTolerated } from './device-taints.ts';

/** The request itself cannot be understood or decided, independently of the node. */
export class AllocationError extends Error {}

/** The node's pools are inconsistent, and nothing else fits. */
export class InvalidPoolsError extends Error {}

/** The maximum number of devices per claim. */
const devicesPerClaimMax = 32;

export interface AllocatorOptions {
  readonly node: Node;
  readonly pools: readonly DevicePool[];
  readonly allocated: AllocatedDevices;
  /** @throws Error for an expression that fails */
  readonly matches: (expression: string, device: PoolDevice) => boolean;
  readonly classOf: (name: string) => DeviceClass | undefined;
  readonly newShareId: () => string;
}

interface Candidate {
  readonly choice: DeviceChoice;
  readonly deviceClass: DeviceClass;
  /** All matching devices, if all are requested. */
  readonly all: readonly PoolDevice[] | undefined;
  readonly count: number;
}

/** One request of one claim. */
interface Step {
  readonly claimIndex: number;
  readonly candidates: readonly Candidate[];
}

/** Finds devices for claims on one node: the first that fit, with backtracking. */
export class Allocator {
  readonly #options: AllocatorOptions;
  readonly #claims: readonly ResourceClaim[];
  readonly #devices: readonly PoolDevice[];
  readonly #steps: readonly Step[];
  readonly #grants: Grant[][];
  readonly #selected = new Map<Step, Candidate>();
  readonly #suits = new Map<DeviceChoice, Map<string, boolean>>();

  /** @throws AllocationError */
  constructor(claims: readonly ResourceClaim[], options: AllocatorOptions) {
    this.#options = options;
    this.#claims = claims;
    this.#devices = options.pools.flatMap((pool) => (pool.incomplete || pool.invalid ? [] : pool.devices));
    this.#grants = claims.map(() => []);
    this.#steps = claims.flatMap((claim, claimIndex) => this.#stepsOf(claim, claimIndex));
  }

  /**
   * Returns results in the order of the claims; undefined if the node lacks devices.
   * @throws AllocationError
   * @throws InvalidPoolsError
   */
  allocate(): readonly AllocationResult[] | undefined {
    if (!this.#allocateFrom(0)) {
      if (this.#options.pools.some(({ invalid }) => invalid))
        throw new InvalidPoolsError('invalid resource pools were encountered');
      return undefined;
    }
    return this.#claims.map((claim, index) => {
      const steps = this.#steps.filter(({ claimIndex }) => claimIndex === index);
      const selected = steps.map((step) => this.#selected.get(step)!);
      return allocationOf(claim, selected, this.#grants[index]!, this.#options.node.metadata?.name ?? '');
    });
  }

  #stepsOf(claim: ResourceClaim, claimIndex: number): Step[] {
    const requests = claim.spec.devices.requests ?? [];
    const steps = requests.map((request) => ({
      claimIndex,
      candidates: choicesOf(request).map((choice) => this.#candidate(claim, choice)),
    }));
    const least = steps
      .map(({ candidates }) => Math.min(...candidates.map(({ count }) => count)))
      .reduce((sum, count) => sum + count, 0);
    if (least > devicesPerClaimMax) {
      throw new AllocationError(
        `claim ${keyOf(claim)}: number of requested devices ${least} exceeds the claim limit of ${devicesPerClaimMax}`,
      );
    }
    return steps;
  }

  #candidate(claim: ResourceClaim, choice: DeviceChoice): Candidate {
    const where = `claim ${keyOf(claim)}, request ${choice.ownName}`;
    const deviceClass = this.#options.classOf(choice.deviceClassName);
    if (deviceClass === undefined)
      throw new AllocationError(`${where}: could not retrieve device class ${choice.deviceClassName}`);
    if (!choice.all) return { choice, deviceClass, all: undefined, count: choice.count };
    for (const { id, incomplete, invalid } of this.#options.pools) {
      const state = incomplete ? 'being updated' : invalid ? 'invalid' : undefined;
      if (state !== undefined)
        throw new AllocationError(
          `${where}: asks for all devices, but resource pool ${id} is currently ${state}`,
        );
    }
    const all = this.#devices.filter((device) => this.#isSuitable(claim, { choice, deviceClass }, device));
    return { choice, deviceClass, all, count: all.length };
  }

  #allocateFrom(index: number): boolean {
    const step = this.#steps[index];
    if (step === undefined) return true;
    for (const candidate of step.candidates) {
      this.#selected.set(step, candidate);
      if (candidate.all !== undefined && candidate.count === 0) continue;
      if (this.#take(index, candidate, 0, 0)) return true;
    }
    return false;
  }

  /** @param taken the number of devices that the request has so far @param from the next device to consider */
  #take(index: number, candidate: Candidate, taken: number, from: number): boolean {
    if (taken >= candidate.count) return this.#allocateFrom(index + 1);
    const { claimIndex } = this.#steps[index]!;
    const grants = this.#grants[claimIndex]!;
    if (grants.length + candidate.count - taken > devicesPerClaimMax) return false;
    const devices = candidate.all ?? this.#devices;
    const until = candidate.all === undefined ? devices.length : from + 1;
    for (let at = from; at < until; at++) {
      const device = devices[at]!;
      const grant = this.#grantOf(claimIndex, candidate, device);
      if (grant === undefined) continue;
      grants.push(grant);
      if (this.#take(index, candidate, taken + 1, at + 1)) return true;
      grants.pop();
    }
    return false;
  }

  /** Undefined if the request cannot use the device. */
  #grantOf(claimIndex: number, candidate: Candidate, device: PoolDevice): Grant | undefined {
    const { choice } = candidate;
    const claim = this.#claims[claimIndex]!;
    const shared = device.device.allowMultipleAllocations === true;
    if (choice.adminAccess) {
      if (!shared && this.#grants[claimIndex]!.some((grant) => grant.device.id === device.id))
        return undefined;
    } else if (this.#isTaken(device.id)) return undefined;
    if (!this.#isSuitable(claim, candidate, device)) return undefined;
    if (!this.#hasCounters(device, shared)) return undefined;
    if (!isTolerated(device.device, choice.tolerations)) return undefined;
    const next = { choice, device };
    for (const constraint of claim.spec.devices.constraints ?? []) {
      if (satisfies(constraint, this.#grants[claimIndex]!, next)) continue;
      if (candidate.all === undefined) return undefined;
      throw new AllocationError(
        `claim ${keyOf(claim)}, request ${choice.ownName}: cannot add device ${device.id} because a claim constraint would not be satisfied`,
      );
    }
    const consumed = consumedCapacity(device.device, choice.capacity);
    if (consumed === undefined || !hasRoom(device.device, this.#takenOf(device.id), consumed))
      return undefined;
    return shared ? { ...next, shareId: this.#options.newShareId(), consumed } : next;
  }

  /** Whether a request uses the device exclusively. */
  #isTaken(id: string): boolean {
    return (
      this.#options.allocated.exclusive.has(id) ||
      this.#grants.some((grants) =>
        grants.some(({ device, shareId }) => device.id === id && shareId === undefined),
      )
    );
  }

  #takenOf(id: string): readonly Amounts[] {
    const granted = this.#grants.flatMap((grants) => grants.filter(({ device }) => device.id === id));
    const now = granted.map(({ consumed }) => consumed).filter((amounts) => amounts !== undefined);
    return [...(this.#options.allocated.shared.get(id) ?? []), ...now];
  }

  #hasCounters({ id, device, pool }: PoolDevice, shared: boolean): boolean {
    if ((device.consumesCounters?.length ?? 0) === 0) return true;
    const isUsed = (other: string) => this.#isTaken(other) || this.#takenOf(other).length > 0;
    return (shared && this.#takenOf(id).length > 0) || countersSuffice(pool, isUsed, device);
  }

  #isSuitable(
    claim: ResourceClaim,
    { choice, deviceClass }: Pick<Candidate, 'choice' | 'deviceClass'>,
    device: PoolDevice,
  ): boolean {
    let known = this.#suits.get(choice);
    if (known === undefined) this.#suits.set(choice, (known = new Map()));
    let suits = known.get(device.id);
    if (suits === undefined) {
      suits =
        this.#matchesAll(deviceClass.spec.selectors, device, `class ${deviceClass.metadata?.name}`) &&
        this.#matchesAll(choice.selectors, device, `claim ${keyOf(claim)}`) &&
        isDeviceOnNode(device, this.#options.node);
      known.set(device.id, suits);
    }
    return suits;
  }

  #matchesAll(selectors: readonly DeviceSelector[] | undefined, device: PoolDevice, where: string): boolean {
    return (selectors ?? []).every(({ cel }, index) => {
      try {
        return this.#options.matches(cel?.expression ?? '', device);
      } catch (error) {
        throw new AllocationError(`${where}: selector #${index}: ${messageOf(error)}`, {
          cause: error,
        });
      }
    });
  }
}

const keyOf = ({ metadata }: ResourceClaim): string => `${metadata?.namespace}/${metadata?.name}`;
