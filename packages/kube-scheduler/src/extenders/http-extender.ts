/** An extender called over HTTP: builds the requests and interprets the responses. */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { decodeGo } from '@coxswain/apimachinery/go-decode.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { ExtenderConfiguration } from '../config/configuration.ts';
import { nodeScoreMax } from '../plugins/normalize-score.ts';
import type { Extender, FilterResult, NodesByName, VictimsByNode } from '../framework/extender.ts';
import type { NodeVictims } from '../cache/victims.ts';
import {
  bindingResult,
  filterResult,
  preemptionResult,
  priorityList,
  type ExtenderArgs,
  type ExtenderBindingArgs,
  type ExtenderBindingResult,
  type ExtenderFilterResult,
  type ExtenderPreemptionArgs,
  type ExtenderPreemptionResult,
  type HostPriority,
  type MetaPod,
  type Victims,
} from './extender-types.ts';

/** Posts the arguments to a verb, and resolves with the JSON of the response. */
export type ExtenderPost = (verb: string, body: string) => Promise<unknown>;

/** The maximum score of an extender. */
const extenderScoreMax = 10;

export interface ExtenderConnection {
  readonly post: ExtenderPost;
  close(): Promise<void>;
}

/** An extender only has the methods for which its configuration has verbs. */
export function httpExtender(
  configuration: ExtenderConfiguration,
  { post, close }: ExtenderConnection,
): Extender {
  const { urlPrefix, filterVerb, prioritizeVerb, preemptVerb, bindVerb } = configuration;
  const { nodeCacheCapable: knowsNodes = false, weight = 0, managedResources = [] } = configuration;
  const managed: ReadonlySet<string> = new Set(managedResources.map(({ name }) => name));
  const ask = async <T>(verb: string, args: object, shape: Parameters<typeof decodeGo>[1]): Promise<T> =>
    (decodeGo(await post(verb, JSON.stringify(args)), shape) ?? {}) as T;

  return {
    name: urlPrefix,
    isIgnorable: configuration.ignorable ?? false,
    isInterested: (pod) => managed.size === 0 || asksForOneOf(managed, pod),
    close,

    ...(filterVerb && {
      async filter(pod, nodes) {
        const result = await ask<ExtenderFilterResult>(
          filterVerb,
          argsOf(pod, nodes, knowsNodes),
          filterResult,
        );
        return filterAnswer(result, nodes, knowsNodes, urlPrefix);
      },
    }),

    ...(prioritizeVerb && {
      async prioritize(pod, nodes) {
        const list = await post(prioritizeVerb, JSON.stringify(argsOf(pod, nodes, knowsNodes)));
        const scored = decodeGo({ list }, priorityList) as { readonly list?: readonly HostPriority[] };
        const unit = weight * (nodeScoreMax / extenderScoreMax);
        const scores = new Map<string, number>();
        for (const { Host = '', Score = 0 } of scored.list ?? [])
          scores.set(Host, (scores.get(Host) ?? 0) + Score * unit);
        return scores;
      },
    }),

    ...(preemptVerb && {
      async preempt(pod, victims, nodes) {
        const args = preemptionArgs(pod, victims, knowsNodes);
        const result = await ask<ExtenderPreemptionResult>(preemptVerb, args, preemptionResult);
        return victimsOf(result, nodes, urlPrefix);
      },
    }),

    ...(bindVerb && {
      async bind({ metadata }, nodeName) {
        const args: ExtenderBindingArgs = {
          PodName: metadata?.name ?? '',
          PodNamespace: metadata?.namespace ?? '',
          PodUID: metadata?.uid ?? '',
          Node: nodeName,
        };
        const { Error: reason } = await ask<ExtenderBindingResult>(bindVerb, args, bindingResult);
        if (reason) throw new Error(reason);
      },
    }),
  };
}

/** Includes init containers, but not pod-level requests. */
function asksForOneOf(resources: ReadonlySet<string>, { spec }: Pod): boolean {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  return containers.some(({ resources: { requests = {}, limits = {} } = {} }) =>
    [...Object.keys(requests), ...Object.keys(limits)].some((name) => resources.has(name)),
  );
}

const argsOf = (pod: Pod, nodes: readonly NodeInfo[], knowsNodes: boolean): ExtenderArgs => ({
  Pod: podToSend(pod),
  Nodes: knowsNodes ? null : { metadata: {}, items: nodes.map(({ node }) => bare(node)) },
  NodeNames: knowsNodes ? nodes.map(({ name }) => name) : null,
});

/** Managed fields are omitted. */
function podToSend(pod: Pod): Pod {
  const { managedFields: _, ...metadata } = pod.metadata ?? {};
  return { ...bare(pod), metadata };
}

/** Nested objects omit kind and version. */
function bare<T extends Pod | Node>(object: T): T {
  const {
    kind: _kind,
    apiVersion: _version,
    ...rest
  } = object as T & {
    readonly kind?: string;
    readonly apiVersion?: string;
  };
  return rest as unknown as T;
}

/** @throws the error that the extender reports, and for a node that it was not asked about */
function filterAnswer(
  result: ExtenderFilterResult,
  asked: readonly NodeInfo[],
  knowsNodes: boolean,
  name: string,
): FilterResult {
  if (result.Error) throw new Error(result.Error);
  const byName = new Map(asked.map((node) => [node.name, node]));
  const named = knowsNodes ? result.NodeNames : undefined;
  const names = named ?? result.Nodes?.items?.map(({ metadata }) => metadata?.name ?? '') ?? [];
  const fitting = names.map((one) => {
    const node = byName.get(one);
    if (node !== undefined) return node;
    throw new Error(
      `extender ${goQuote(name)} claims a filtered node ${goQuote(one)} which is not found in the input node list`,
    );
  });
  return {
    fitting,
    failed: result.FailedNodes ?? {},
    unresolvable: result.FailedAndUnresolvableNodes ?? {},
  };
}

function preemptionArgs(pod: Pod, victims: VictimsByNode, knowsNodes: boolean): ExtenderPreemptionArgs {
  const byNode = <P>(sent: (victim: PodInfo) => P): Readonly<Record<string, Victims<P>>> =>
    Object.fromEntries(
      [...victims].map(([node, { victims: pods, budgetViolations }]) => [
        node,
        { Pods: pods.map(sent), NumPDBViolations: budgetViolations },
      ]),
    );
  return {
    Pod: podToSend(pod),
    NodeNameToVictims: knowsNodes ? null : byNode((victim) => podToSend(victim.pod)),
    NodeNameToMetaVictims: knowsNodes ? byNode<MetaPod>(({ uid }) => ({ UID: uid })) : null,
  };
}

/** @throws Error for unknown nodes and pods */
function victimsOf(
  { NodeNameToMetaVictims: found = {} }: ExtenderPreemptionResult,
  nodes: NodesByName,
  name: string,
): VictimsByNode {
  return new Map(
    Object.entries(found).map(([nodeName, { Pods = [], NumPDBViolations = 0 }]): [string, NodeVictims] => {
      const node = nodes(nodeName);
      if (node === undefined) throw new Error(`nodeinfo not found for node name ${goQuote(nodeName)}`);
      const victims = Pods.map(({ UID = '' }) => {
        const victim = node.pods.get(UID);
        if (victim !== undefined) return victim;
        throw new Error(
          `extender: ${name} claims to preempt pod (UID: &{${UID}}) on node: ${nodeName}, but the pod is not found on that node`,
        );
      });
      return [nodeName, { victims, budgetViolations: NumPDBViolations }];
    }),
  );
}
