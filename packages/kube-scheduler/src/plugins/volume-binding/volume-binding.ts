import { compareQuantities, labelSelectorOf, parseQuantity } from '@coxswain/apimachinery';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { NodeInfo } from '../../cache/node-info.ts';
import type { Cluster, ClusterObjects } from '../../framework/cluster.ts';
import { retryOn } from '../../framework/cluster-event.ts';
import { plugin, type AnyPlugin } from '../../framework/plugin.ts';
import { fits, unresolvable } from '../../status.ts';
import { AssumedVolumes, claimKey } from './assumed-volumes.ts';
import { claimsOf, selectedNodeAnnotation, storageClassNameOf, type PodClaims } from './claims.ts';
import { hasSpace } from './free-space.ts';
import { isReachable, matchingVolume } from './volume-match.ts';

export interface VolumeBindingArgs {
  /** How long a pod waits for its volumes once its node is chosen. */
  readonly bindTimeoutSeconds?: number;
}

/** What happens to a pod's unbound claims on a node. */
interface Plan {
  readonly bindings: readonly ClaimBinding[];
  readonly toProvision: readonly PersistentVolumeClaim[];
}

interface ClaimBinding {
  readonly claim: PersistentVolumeClaim;
  readonly volume: PersistentVolume;
}

interface State extends PodClaims {
  readonly plans: Map<string, Plan>;
}

const noVolumes = "node(s) didn't find available persistent volumes to bind";
const wrongNode = "node(s) didn't match PersistentVolume's node affinity";
const noSpace = 'node(s) did not have enough free storage';
const volumeMissing = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
const bindTimeoutSecondsDefault = 600;

/**
 * Ensures that bound volumes are accessible from the node, and binds claims with delayed binding: to an existing
 * volume, or to one that the provisioner creates if its driver has capacity.
 */
export function volumeBinding(args: VolumeBindingArgs = {}): AnyPlugin {
  const timeoutMs = (args.bindTimeoutSeconds ?? bindTimeoutSecondsDefault) * 1000;
  const assumed = new AssumedVolumes();
  return plugin<State>({
    name: 'VolumeBinding',
    retryWhen: [
      retryOn('StorageClass', ['add', 'update']),
      retryOn('PersistentVolumeClaim', ['add', 'update']),
      retryOn('PersistentVolume', ['add', 'update']),
      retryOn('Node', ['add', 'labels', 'taints']),
      retryOn('CSINode', ['add', 'update']),
      retryOn('CSIDriver', ['update']),
      retryOn('CSIStorageCapacity', ['add', 'update']),
    ],
    preFilter(pod, { objects }) {
      const claims = claimsOf(pod, objects);
      if (claims === undefined) return 'skip';
      return 'kind' in claims ? claims : { state: { ...claims, plans: new Map() } };
    },
    filter(_pod, node, state, cluster) {
      const reasons: string[] = [];
      for (const { spec } of state.bound) {
        const volume = cluster.objects.volume(spec?.volumeName ?? '');
        if (volume === undefined) reasons.push(volumeMissing);
        else if (!isReachable(volume, node.node)) reasons.push(wrongNode);
      }
      const plan = planFor(state.delayed, node, cluster, assumed);
      if (typeof plan === 'string') reasons.push(plan);
      else state.plans.set(node.name, plan);
      return reasons.length === 0 ? fits : unresolvable(...new Set(reasons));
    },
    reserve(pod, node, state, { objects }) {
      assumed.prune(objects.volume.bind(objects), (key) => {
        const [namespace = '', name = ''] = key.split('/');
        return objects.claim(namespace, name);
      });
      const { bindings = [], toProvision = [] } = state?.plans.get(node.name) ?? {};
      for (const { volume, claim } of bindings) assumed.takeVolume(pod.uid, volume, claim);
      for (const claim of toProvision) assumed.takeNode(pod.uid, claim, node.name);
      return fits;
    },
    unreserve: (pod) => assumed.giveUp(pod.uid),
    preBindNeeded: (_pod, _node, { delayed }) => delayed.length > 0,
    async preBind(_pod, node, { delayed, plans }, { api, clock, objects }, signal) {
      const plan = plans.get(node.name);
      if (plan === undefined || delayed.length === 0) return;
      for (const { volume, claim } of plan.bindings)
        assumed.volumeWritten(await api.bindVolume(volume, claim));
      const awaited = plan.bindings.map(({ claim }) => ({ claim, nodeName: '' }));
      for (const known of plan.toProvision) {
        const claim = await api.selectNodeForClaim(known, node.name);
        assumed.claimWritten(claim);
        awaited.push({ claim, nodeName: node.name });
      }
      const waiting = new AbortController();
      const stop = () => waiting.abort(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      const timer = clock.after(timeoutMs, () =>
        waiting.abort(new Error('binding volumes: context deadline exceeded')),
      );
      try {
        await Promise.all(
          awaited.map(({ claim, nodeName }) => api.claimBound(claim, nodeName, waiting.signal)),
        );
        for (const { metadata } of delayed)
          checkReach(objects.claim(metadata?.namespace ?? '', metadata?.name ?? ''), node, objects);
      } finally {
        timer.cancel();
        signal.removeEventListener('abort', stop);
      }
    },
  });
}

/** @throws Error if the volume that was provisioned for the claim is not accessible from the node */
function checkReach(claim: PersistentVolumeClaim | undefined, node: NodeInfo, objects: ClusterObjects): void {
  const volume = objects.volume(claim?.spec?.volumeName ?? '');
  if (volume === undefined || isReachable(volume, node.node)) return;
  const what = `pv "${volume.metadata?.name}" node affinity doesn't match node "${node.name}"`;
  throw new Error(`binding volumes: ${what}: no matching NodeSelectorTerms`);
}

function planFor(
  claims: readonly PersistentVolumeClaim[],
  node: NodeInfo,
  cluster: Cluster,
  assumed: AssumedVolumes,
): Plan | typeof noVolumes | typeof noSpace {
  const bindings: ClaimBinding[] = [];
  const toProvision: PersistentVolumeClaim[] = [];
  // Smallest first, so that a small claim does not take the volume that only a larger one needs.
  for (const claim of claims.toSorted(bySize)) {
    const selected = assumed.nodeOf(claim) ?? claim.metadata?.annotations?.[selectedNodeAnnotation];
    if (selected !== undefined && selected !== node.name) return noVolumes;
    const holderOf = (volume: PersistentVolume) => {
      const binding = bindings.find((one) => one.volume.metadata?.name === volume.metadata?.name);
      return binding === undefined ? assumed.claimOf(volume) : claimKey(binding.claim);
    };
    const volume =
      selected === undefined
        ? matchingVolume(claim, cluster.objects.volumes(), node.node, holderOf)
        : undefined;
    if (volume !== undefined) bindings.push({ claim, volume });
    else if (!canProvision(claim, node, cluster)) return noVolumes;
    else if (!hasSpace(claim, node, cluster.objects)) return noSpace;
    else toProvision.push(claim);
  }
  return { bindings, toProvision };
}

const bySize = (a: PersistentVolumeClaim, b: PersistentVolumeClaim): number =>
  compareQuantities(requestOf(a), requestOf(b));

const requestOf = ({ spec }: PersistentVolumeClaim) =>
  parseQuantity(spec?.resources?.requests?.['storage'] ?? '0');

function canProvision(claim: PersistentVolumeClaim, node: NodeInfo, { objects }: Cluster): boolean {
  const storageClass = objects.storageClass(storageClassNameOf(claim));
  const provisioner = storageClass?.provisioner ?? '';
  if (provisioner === '' || provisioner === 'kubernetes.io/no-provisioner') return false;
  const topologies = storageClass?.allowedTopologies ?? [];
  if (topologies.length === 0) return true;
  return topologies.some(({ matchLabelExpressions }) =>
    labelSelectorOf(
      (matchLabelExpressions ?? []).map(({ key, values }) => ({ key, operator: 'in', values: values ?? [] })),
    ).matches(node.labels),
  );
}
