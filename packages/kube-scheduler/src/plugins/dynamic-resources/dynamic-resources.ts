import type { AllocationResult } from '@coxswain/api/resource/v1/allocation-result.ts';
import type { ResourceClaim } from '@coxswain/api/resource/v1/resource-claim.ts';
import { parseDurationMs, type Random } from '@coxswain/apimachinery';
import type { PodInfo } from '../../cache/pod-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { retryOn, type ClusterEvent } from '../../framework/cluster-event.ts';
import { plugin } from '../../framework/plugin.ts';
import { failure, fits, unresolvable } from '../../status.ts';
import { nodeSelectorMatcher, type NodeMatcher } from '@coxswain/api/core/v1/pod/node-matching.ts';
import { normalizeByMax } from '../normalize-score.ts';
import { allocatedDevices, type AllocatedDevices } from './allocated-devices.ts';
import { AllocationError, Allocator, InvalidPoolsError } from './allocator.ts';
import { bindingTimeoutDefaultMs, isGivenUp, untilBindable } from './binding-conditions.ts';
import { bindClaim } from './bind-claim.ts';
import { ClaimAllocations } from './claim-allocations.ts';
import { poolsOfNode, slicesByPool, type SlicesByPool } from './device-pools.ts';
import { bindExtendedClaim, deleteExtendedClaim } from './bind-extended-claim.ts';
import { choicesOf } from './device-requests.ts';
import {
  asksForDevices,
  askOnNode,
  extendedClaimFor,
  isUnwritten,
  type ExtendedClaim,
} from './extended-claim.ts';
import { loadedSelectors, loadSelectors } from './loaded-selectors.ts';
import { claimsOfPod, isReservedFor, usesClaim } from './pod-claims.ts';

interface State {
  /** The pod's own claims, and finally that of `extended`. */
  readonly claims: readonly ResourceClaim[];
  readonly extended: ExtendedClaim | undefined;
  readonly toAllocate: readonly ResourceClaim[];
  readonly allocated: AllocatedDevices;
  readonly slices: SlicesByPool;
  /** By claim uid: the nodes that can access the allocated devices. */
  readonly reach: ReadonlyMap<string, NodeMatcher>;
  /** Claims whose devices failed to get ready, or are late. */
  readonly givenUp: ReadonlySet<ResourceClaim>;
  /** By node: an allocation for each claim without one. */
  readonly plans: Map<string, readonly AllocationResult[]>;
  /** Claims whose devices some node cannot access. */
  readonly outOfReach: Set<ResourceClaim>;
}

const nothing: State = {
  claims: [],
  extended: undefined,
  toAllocate: [],
  allocated: { exclusive: new Set(), shared: new Map() },
  slices: new Map(),
  reach: new Map(),
  givenUp: new Set(),
  plans: new Map(),
  outOfReach: new Set(),
};

/** Limits the score for a prioritized list. */
const choicesMax = 8;

interface DynamicResourcesArgs {
  /** `10m` */
  readonly bindingTimeout?: string;
}

/**
 * Allocates devices for resource claims, and for extended resources that DeviceClasses provide.
 * @throws Error for an invalid timeout
 */
export const dynamicResources = (args: DynamicResourcesArgs) => {
  const bindingTimeoutMs =
    args.bindingTimeout === undefined ? bindingTimeoutDefaultMs : parseDurationMs(args.bindingTimeout);
  return plugin<State, State>({
    name: 'DynamicResources',
    retryWhen: [
      retryOn('Node', ['add', 'labels', 'allocatable']),
      retryOn('ResourceClaim', ['add', 'update'], helpsPod),
      retryOn(
        'Pod',
        ['generatedClaims'],
        (pod, { after }) => (after as PodInfo['pod']).metadata?.uid === pod.uid,
      ),
      retryOn('DeviceClass', ['add', 'update']),
      retryOn('ResourceSlice', ['add', 'update']),
    ],
    preEnqueue(pod, cluster) {
      const isExtended = asksForDevices(pod, cluster.objects);
      if (!hasClaims(pod) && !isExtended) return fits;
      const found = claimsOfPod(pod, (...key) => ClaimAllocations.of(cluster.objects).get(...key));
      if (found.kind === 'obstacle') return unresolvable(found.reason);
      if (loadedSelectors() !== undefined) return fits;
      if (!cluster.isWaiting(pod.uid)) cluster.whilePodWaits(pod, loadSelectors);
      return unresolvable('selectors of devices are being loaded');
    },
    preFilter(pod, cluster) {
      const isExtended = asksForDevices(pod, cluster.objects);
      if (!hasClaims(pod) && !isExtended) return { skip: true, state: nothing };
      const allocations = ClaimAllocations.of(cluster.objects);
      const found = claimsOfPod(pod, (...key) => allocations.get(...key));
      const refuse = (reason: string) => ({ rejection: unresolvable(reason), state: nothing });
      if (found.kind === 'obstacle') return refuse(found.reason);
      const extended = isExtended
        ? extendedClaimFor(pod, allocations.all(), () => uidFrom(cluster.random))
        : undefined;
      const claims = extended === undefined ? found.claims : [...found.claims, extended.claim];
      const toAllocate = claims.filter(({ status }) => !status?.allocation);
      for (const claim of toAllocate) {
        if (claim === extended?.claim) continue;
        const obstacle = obstacleOf(claim, allocations, cluster);
        if (obstacle !== undefined) return refuse(obstacle);
      }
      const isBusy = toAllocate.length > 0;
      return {
        ...(claims.length === 0 ? { skip: true } : {}),
        state: {
          claims,
          extended,
          toAllocate,
          allocated: allocatedDevices(isBusy ? allocations.all() : []),
          slices: slicesByPool(isBusy ? cluster.objects.resourceSlices() : []),
          reach: reachOf(claims),
          givenUp: waitsForDevices(cluster) ? givenUpOf(claims, cluster, bindingTimeoutMs) : new Set(),
          plans: new Map(),
          outOfReach: new Set(),
        },
      };
    },
    filter(pod, nodeInfo, state, { objects, random }) {
      const { name, node } = nodeInfo;
      const { extended } = state;
      if (extended !== undefined) {
        const hasOthers = state.claims.length > 1;
        const asked = askOnNode(extended, pod, nodeInfo, hasOthers, objects);
        if (asked.kind !== 'fits' || (!hasOthers && !extended.byNode.has(name))) return asked;
      }
      const outOfReach = state.claims.filter(
        (claim) => state.givenUp.has(claim) || state.reach.get(claim.metadata?.uid ?? '')?.(node) === false,
      );
      if (outOfReach.length > 0) {
        for (const claim of outOfReach) state.outOfReach.add(claim);
        return unresolvable('resourceclaim not available on the node');
      }
      if (state.toAllocate.length === 0) return fits;
      try {
        const onNode = extended?.byNode.get(name)?.claim ?? extended?.claim;
        const toAllocate = state.toAllocate.map((claim) => (claim === extended?.claim ? onNode! : claim));
        const plan = new Allocator(toAllocate, {
          node,
          pools: poolsOfNode(state.slices, node),
          allocated: state.allocated,
          matches: (expression, device) => loadedSelectors()!.matches(expression, device),
          classOf: (className) => objects.deviceClass(className),
          newShareId: () => uidFrom(random),
        }).allocate();
        if (plan === undefined) return unresolvable('cannot allocate all claims');
        state.plans.set(name, plan);
        return fits;
      } catch (error) {
        if (error instanceof InvalidPoolsError) return unresolvable(error.message);
        if (error instanceof AllocationError) return failure(error.message);
        throw error;
      }
    },
    // Upstream fails here if an earlier plugin has refused the pod before this one saw it.
    postFilter(pod, { state }, cluster) {
      if (state === undefined) return { kind: 'error', reasons: ['not found'] };
      const refuse = (reason: string) => ({ kind: 'unschedulable' as const, reasons: [reason] });
      if (state.claims.length === 0) return refuse('no new claims to deallocate');
      const idle = [...state.outOfReach].find(({ status }) => {
        const users = status?.reservedFor ?? [];
        return users.length === 0 || (users.length === 1 && users[0]!.uid === pod.uid);
      });
      if (idle === undefined) {
        if (state.extended?.written === undefined) return refuse('still not schedulable');
        const { written } = state.extended;
        cluster.whilePodWaits(pod, () => deleteExtendedClaim(written, cluster));
        return refuse('deletion of ResourceClaim completed');
      }
      const {
        allocation: _allocation,
        reservedFor: _users,
        devices: _devices,
        ...status
      } = idle.status ?? {};
      cluster.whilePodWaits(pod, async () => {
        await cluster.api.updateResourceClaimStatus({ ...idle, status });
      });
      return refuse('deallocation of ResourceClaim completed');
    },
    preScore: (_pod, _nodes, _cluster, state) => (state?.claims.some(isPrioritized) ? { state } : 'skip'),
    score(_pod, node, state) {
      const plan = state.plans.get(node.name);
      return state.claims.reduce((sum, claim) => {
        const allocation = claim.status?.allocation ?? plan?.[state.toAllocate.indexOf(claim)];
        return sum + (allocation ? rankOf(claim, allocation) : 0);
      }, 0);
    },
    normalize: (scores) => normalizeByMax(scores, false),
    reserve(_pod, { name }, state, { objects }) {
      if ((state?.toAllocate.length ?? 0) === 0) return fits;
      const plan = state.plans.get(name);
      const { extended } = state;
      if (plan === undefined) {
        const isLeftToNode = state.toAllocate.every((claim) => claim === extended?.claim);
        return isLeftToNode ? fits : failure('claim allocation not found for node');
      }
      const allocations = ClaimAllocations.of(objects);
      state.toAllocate.forEach((claim, index) => {
        const planned = { ...claim, status: { ...claim.status, allocation: plan[index]! } };
        if (isUnwritten(claim)) allocations.planUnwritten(planned);
        else allocations.plan(planned);
      });
      return fits;
    },
    unreserve(pod, _node, state, cluster) {
      const allocations = ClaimAllocations.of(cluster.objects);
      for (const claim of state?.toAllocate ?? []) allocations.drop(claim);
      for (const claim of state?.claims ?? []) {
        if (claim === state?.extended?.claim) continue;
        const { namespace = '', name = '' } = claim.metadata ?? {};
        const current = allocations.get(namespace, name);
        if (current?.status?.allocation && isReservedFor(current, pod.uid))
          cluster.whilePodWaits(pod, () => cluster.api.unreserveResourceClaim(current, pod.uid));
      }
      const written = state?.extended?.written;
      if (written !== undefined) cluster.whilePodWaits(pod, () => deleteExtendedClaim(written, cluster));
    },
    preBindNeeded: (_pod, _node, { claims }) => claims.length > 0,
    async preBind(pod, { name }, state, cluster, signal) {
      const plan = state.plans.get(name);
      const bound: ResourceClaim[] = [];
      for (const claim of state.claims) {
        if (isReservedFor(claim, pod.uid)) {
          bound.push(claim);
          continue;
        }
        const allocation = plan?.[state.toAllocate.indexOf(claim)];
        const { extended } = state;
        if (claim === extended?.claim) {
          if (allocation === undefined && !claim.spec.devices.requests?.length) continue;
          const onNode = extended.byNode.get(name);
          bound.push(await bindExtendedClaim(extended, onNode, allocation, pod, cluster, signal));
          continue;
        }
        const written = await bindClaim(claim, allocation, pod, cluster);
        ClaimAllocations.of(cluster.objects).written(written);
        bound.push(written);
      }
      if (waitsForDevices(cluster))
        await untilBindable(bound, { pod, nodeName: name }, cluster, bindingTimeoutMs, signal);
    },
  });
};

const hasClaims = ({ pod }: PodInfo): boolean => (pod.spec?.resourceClaims?.length ?? 0) > 0;

const waitsForDevices = ({ isFeatureOn }: Cluster): boolean =>
  isFeatureOn('DRADeviceBindingConditions') && isFeatureOn('DRAResourceClaimDeviceStatus');

const givenUpOf = (
  claims: readonly ResourceClaim[],
  { clock }: Cluster,
  timeoutMs: number,
): ReadonlySet<ResourceClaim> => new Set(claims.filter((claim) => isGivenUp(claim, clock.now(), timeoutMs)));

function obstacleOf(
  claim: ResourceClaim,
  allocations: ClaimAllocations,
  { objects }: Cluster,
): string | undefined {
  const key = `${claim.metadata?.namespace}/${claim.metadata?.name}`;
  if (allocations.isPending(claim)) return `resource claim ${key} is in the process of being allocated`;
  for (const request of claim.spec.devices.requests ?? []) {
    const choices = choicesOf(request);
    if (choices.length === 0) return `resource claim ${key}, request ${request.name}: unknown request type`;
    const missing = choices.find(({ deviceClassName }) => objects.deviceClass(deviceClassName) === undefined);
    if (missing !== undefined)
      return `request ${missing.name}: device class ${missing.deviceClassName} does not exist`;
  }
  return undefined;
}

function reachOf(claims: readonly ResourceClaim[]): Map<string, NodeMatcher> {
  const reach = new Map<string, NodeMatcher>();
  for (const { metadata, status } of claims) {
    const selector = status?.allocation?.nodeSelector;
    if (selector) reach.set(metadata?.uid ?? '', nodeSelectorMatcher(selector));
  }
  return reach;
}

const isPrioritized = ({ spec }: ResourceClaim): boolean =>
  (spec.devices.requests ?? []).some(({ firstAvailable }) => (firstAvailable?.length ?? 0) > 0);

/** Scores how early in their prioritized lists the chosen alternatives are. */
function rankOf({ spec }: ResourceClaim, { devices }: AllocationResult): number {
  const taken = new Set((devices?.results ?? []).map(({ request }) => request));
  return (spec.devices.requests ?? [])
    .filter(({ exactly }) => !exactly)
    .flatMap((request) =>
      choicesOf(request).map(({ name }, index) => (taken.has(name) ? choicesMax - index : 0)),
    )
    .reduce((sum, rank) => sum + rank, 0);
}

/** A claim that was deallocated helps every pod; any other change helps those that use the claim. */
function helpsPod(pod: PodInfo, { before, after }: ClusterEvent): boolean {
  const was = before as ResourceClaim | undefined;
  const is = after as ResourceClaim;
  if (was?.status?.allocation && !is.status?.allocation) return true;
  if (is.metadata?.namespace !== pod.namespace || !usesClaim(pod, is.metadata?.name ?? '')) return false;
  return was === undefined || JSON.stringify(was.status) !== JSON.stringify(is.status);
}

/** A UUID of version 4. */
function uidFrom(random: Random): string {
  const digits = Array.from({ length: 32 }, (_none, at) => {
    const digit = Math.floor(random.next() * 16);
    return (at === 12 ? 4 : at === 16 ? 8 + (digit % 4) : digit).toString(16);
  }).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
