/** Which routes lead from one node to the pods of the others, where all nodes are on one link. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';

export interface Route {
  /** `10.244.2.0/24` */
  readonly destination: string;
  /** The address of the node that has them. */
  readonly gateway: string;
}

export interface RouteChanges {
  /** Put in, or put right. */
  readonly set: readonly Route[];
  readonly remove: readonly Route[];
}

/** Those of all nodes but this one. A node that is lost keeps its own: its pods may still be there. */
export const routesTo = (nodes: readonly (Node & KubeObject)[], ownName: string): readonly Route[] =>
  nodes
    .filter(({ metadata }) => metadata.name !== ownName)
    .flatMap((node) =>
      podRangesOf(node).flatMap((destination) => {
        const gateway = addressOf(node, destination.includes(':'));
        return gateway === undefined ? [] : [{ destination, gateway }];
      }),
    );

export const podRangesOf = ({ spec }: Node): readonly string[] =>
  spec?.podCIDRs ?? (spec?.podCIDR ? [spec.podCIDR] : []);

const addressOf = ({ status }: Node, isIpv6: boolean): string | undefined =>
  (status?.addresses ?? []).find(
    ({ type, address = '' }) => type === 'InternalIP' && address.includes(':') === isIpv6,
  )?.address;

/** From the routes that there are to those that there should be. */
export function routeChanges(present: readonly Route[], wanted: readonly Route[]): RouteChanges {
  const isIn = (routes: readonly Route[], { destination, gateway }: Route): boolean =>
    routes.some((route) => route.destination === destination && route.gateway === gateway);
  const goals = new Set(wanted.map(({ destination }) => destination));
  return {
    set: wanted.filter((route) => !isIn(present, route)),
    // To set a route replaces what led there before.
    remove: present.filter(({ destination }) => !goals.has(destination)),
  };
}
