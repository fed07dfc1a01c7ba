/** The facts behind a plugin's refusal of a node, which its reason doesn't name. */
import { formatQuantity, milliQuantityOf, quantityOf } from '@coxswain/apimachinery';
import type { Taint } from '@coxswain/api/core/v1/taint.ts';
import { requiredNodeText } from '@coxswain/api/core/v1/pod/node-matching.ts';
import { untoleratedTaints } from '@coxswain/api/core/v1/pod/tolerations.ts';
import type { NodeInfo } from './cache/node-info.ts';
import type { PodInfo } from './cache/pod-info.ts';
import { resourceAmount } from './cache/resources.ts';

export type RefusalFact =
  /** Amounts are quantities: `24`, `8Gi`. `free` is what the requests of other pods leave of `allocatable`. */
  | {
      readonly kind: 'shortage';
      readonly resource: string;
      readonly requested: string;
      readonly free: string;
      readonly allocatable: string;
    }
  /** `accelerator=gpu,zone in (a,b)`, the labels that the pod requires of its node. */
  | { readonly kind: 'labels'; readonly required: string }
  /** `dedicated=db:NoSchedule`, which the pod does not tolerate. */
  | { readonly kind: 'taint'; readonly taint: string };

/** Empty for plugins whose reasons say everything, and for third-party ones. */
export function refusalFacts(plugin: string, pod: PodInfo, node: NodeInfo): readonly RefusalFact[] {
  switch (plugin) {
    case 'NodeResourcesFit':
      return shortages(pod, node);
    case 'NodeAffinity': {
      const required = requiredNodeText(pod.pod);
      return required === '' ? [] : [{ kind: 'labels', required }];
    }
    case 'TaintToleration':
      return untoleratedTaints(node.node.spec?.taints, pod.pod.spec?.tolerations).map((taint) => ({
        kind: 'taint',
        taint: taintText(taint),
      }));
    default:
      return [];
  }
}

function shortages({ requests }: PodInfo, { allocatable, requested }: NodeInfo): readonly RefusalFact[] {
  return ['cpu', 'memory', 'ephemeral-storage', ...requests.scalars.keys()].flatMap((resource) => {
    const wanted = resourceAmount(requests, resource);
    const all = resourceAmount(allocatable, resource);
    const free = all - resourceAmount(requested, resource);
    if (wanted <= free || wanted === 0) return [];
    const text = (amount: number): string => amountText(resource, amount);
    return [
      { kind: 'shortage', resource, requested: text(wanted), free: text(free), allocatable: text(all) },
    ];
  });
}

const binaryResources: ReadonlySet<string> = new Set(['memory', 'ephemeral-storage']);

const amountText = (resource: string, amount: number): string =>
  formatQuantity(
    resource === 'cpu'
      ? milliQuantityOf(amount)
      : quantityOf(amount, binaryResources.has(resource) ? 'BinarySI' : 'DecimalSI'),
  );

const taintText = ({ key, value, effect }: Taint): string => `${key}${value ? `=${value}` : ''}:${effect}`;
