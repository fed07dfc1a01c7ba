/** The wire types of extender/v1, whose fields are spelt as in Go. */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { StructShape } from '@coxswain/apimachinery/go-decode.ts';

/** The arguments of filterVerb and prioritizeVerb. */
export interface ExtenderArgs {
  readonly Pod: Pod;
  /** For extenders that don't cache nodes. */
  readonly Nodes: { readonly metadata: object; readonly items: readonly Node[] } | null;
  /** For extenders that cache nodes. */
  readonly NodeNames: readonly string[] | null;
}

export interface ExtenderFilterResult {
  readonly Nodes?: { readonly items?: readonly { readonly metadata?: { readonly name?: string } }[] };
  readonly NodeNames?: readonly string[];
  readonly FailedNodes?: Readonly<Record<string, string>>;
  readonly FailedAndUnresolvableNodes?: Readonly<Record<string, string>>;
  readonly Error?: string;
}

export interface HostPriority {
  readonly Host?: string;
  /** 0 to 10. */
  readonly Score?: number;
}

/** The arguments of preemptVerb. */
export interface ExtenderPreemptionArgs {
  readonly Pod: Pod;
  readonly NodeNameToVictims: Readonly<Record<string, Victims<Pod>>> | null;
  readonly NodeNameToMetaVictims: Readonly<Record<string, Victims<MetaPod>>> | null;
}

export interface Victims<P> {
  readonly Pods: readonly P[];
  readonly NumPDBViolations: number;
}

export interface MetaPod {
  readonly UID: string;
}

export interface ExtenderPreemptionResult {
  readonly NodeNameToMetaVictims?: Readonly<Record<string, Partial<Victims<Partial<MetaPod>>>>>;
}

/** The arguments of bindVerb. */
export interface ExtenderBindingArgs {
  readonly PodName: string;
  readonly PodNamespace: string;
  readonly PodUID: string;
  readonly Node: string;
}

export interface ExtenderBindingResult {
  readonly Error?: string;
}

const nodeList: StructShape = {
  struct: 'v1.NodeList',
  fields: {
    items: {
      list: {
        struct: 'v1.Node',
        fields: { metadata: { struct: 'v1.ObjectMeta', fields: { name: 'string' } } },
      },
    },
  },
};

export const filterResult: StructShape = {
  struct: 'v1.ExtenderFilterResult',
  fields: {
    Nodes: nodeList,
    NodeNames: { list: 'string' },
    FailedNodes: { map: 'string' },
    FailedAndUnresolvableNodes: { map: 'string' },
    Error: 'string',
  },
};

/** The response is a bare list; here it is the only field of a struct. */
export const priorityList: StructShape = {
  struct: 'v1.HostPriorityList',
  fields: {
    list: { list: { struct: 'v1.HostPriority', fields: { Host: 'string', Score: 'int64' } } },
  },
};

export const preemptionResult: StructShape = {
  struct: 'v1.ExtenderPreemptionResult',
  fields: {
    NodeNameToMetaVictims: {
      map: {
        struct: 'v1.MetaVictims',
        fields: {
          Pods: { list: { struct: 'v1.MetaPod', fields: { UID: 'string' } } },
          NumPDBViolations: 'int64',
        },
      },
    },
  },
};

export const bindingResult: StructShape = {
  struct: 'v1.ExtenderBindingResult',
  fields: { Error: 'string' },
};
