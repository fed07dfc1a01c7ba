import { labelSelectorOf } from '@coxswain/apimachinery';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { NodeInfo } from '../../cache/node-info.ts';
import type { Cluster } from '../../framework/cluster.ts';
import { retryOn } from '../../framework/cluster-event.ts';
import { plugin, type AnyPlugin } from '../../framework/plugin.ts';
import { fits, unresolvable } from '../../framework/status.ts';
import { claimsOf, selectedNodeAnnotation, storageClassNameOf, type PodClaims } from './claims.ts';
import { hasSpace } from './free-space.ts';
import { isReachable, matchingVolume } from './volume-match.ts';

export interface VolumeBindingArgs {
  /** How long a pod waits for its volumes once its node is chosen. */
  readonly bindTimeoutSeconds?: number;
}

/** What happens to a pod's unbound claims when it goes to a node. */
interface Plan {
  /** Claim name → volume. */
  readonly volumes: ReadonlyMap<string, string>;
  readonly toProvision: readonly string[];
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
 * Volumes reach the node, and claims that wait for their first pod get one there: an existing volume, or
 * one that the provisioner is asked for, if its driver has room.
 */
export function volumeBinding(args: VolumeBindingArgs = {}): AnyPlugin {
  const timeoutMs = (args.bindTimeoutSeconds ?? bindTimeoutSecondsDefault) * 1000;
  /** Volumes promised to pods whose binding is under way. */
  const taken = new Set<string>();
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
      const plan = planFor(state.delayed, node, cluster, taken);
      if (typeof plan === 'string') reasons.push(plan);
      else state.plans.set(node.name, plan);
      return reasons.length === 0 ? fits : unresolvable(...new Set(reasons));
    },
    reserve(_pod, node, state) {
      for (const volume of state?.plans.get(node.name)?.volumes.values() ?? []) taken.add(volume);
      return fits;
    },
    unreserve(_pod, node, state) {
      for (const volume of state?.plans.get(node.name)?.volumes.values() ?? []) taken.delete(volume);
    },
    preBindNeeded: (_pod, _node, { delayed }) => delayed.length > 0,
    async preBind(pod, node, { delayed, plans }, { api, clock }, signal) {
      const plan = plans.get(node.name);
      if (plan === undefined || delayed.length === 0) return;
      const { namespace } = pod;
      for (const [claim, volume] of plan.volumes) await api.bindVolume(volume, namespace, claim);
      for (const claim of plan.toProvision) await api.selectNodeForClaim(namespace, claim, node.name);
      const waiting = new AbortController();
      const stop = () => waiting.abort(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      const timer = clock.after(timeoutMs, () =>
        waiting.abort(new Error('binding volumes: context deadline exceeded')),
      );
      try {
        const names = delayed.map(({ metadata }) => metadata?.name ?? '');
        await Promise.all(names.map((name) => api.claimBound(namespace, name, waiting.signal)));
      } finally {
        timer.cancel();
        signal.removeEventListener('abort', stop);
        for (const volume of plan.volumes.values()) taken.delete(volume);
      }
    },
  });
}

function planFor(
  claims: readonly PersistentVolumeClaim[],
  node: NodeInfo,
  cluster: Cluster,
  taken: ReadonlySet<string>,
): Plan | typeof noVolumes | typeof noSpace {
  const volumes = new Map<string, string>();
  const toProvision: string[] = [];
  const chosen = new Set<string>();
  for (const claim of claims) {
    const name = claim.metadata?.name ?? '';
    const selected = claim.metadata?.annotations?.[selectedNodeAnnotation];
    if (selected !== undefined && selected !== node.name) return noVolumes;
    const isTaken = (volume: string) => taken.has(volume) || chosen.has(volume);
    const volume =
      selected === undefined
        ? matchingVolume(claim, cluster.objects.volumes(), node.node, isTaken)
        : undefined;
    if (volume !== undefined) {
      chosen.add(volume.metadata?.name ?? '');
      volumes.set(name, volume.metadata?.name ?? '');
    } else if (!canProvision(claim, node, cluster)) return noVolumes;
    else if (!hasSpace(claim, node, cluster.objects)) return noSpace;
    else toProvision.push(name);
  }
  return { volumes, toProvision };
}

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
