/** The routes from one node to the pods of the others, for nodes that share a link. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';

export interface Route {
  /** `10.244.2.0/24` */
  readonly destination: string;
  /** The address of the node that runs the pods. */
  readonly gateway: string;
}

export interface RouteChanges {
  /** Routes to add or correct. */
  readonly set: readonly Route[];
  readonly remove: readonly Route[];
}

/** Returns the routes to all nodes but this one. A lost node keeps its route, since its pods may still be running. */
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

/** Computes the changes from the present routes to the wanted ones. */
export function routeChanges(present: readonly Route[], wanted: readonly Route[]): RouteChanges {
  const isIn = (routes: readonly Route[], { destination, gateway }: Route): boolean =>
    routes.some((route) => route.destination === destination && route.gateway === gateway);
  const goals = new Set(wanted.map(({ destination }) => destination));
  return {
    set: wanted.filter((route) => !isIn(present, route)),
    // Setting a route replaces the previous one to the same destination.
    remove: present.filter(({ destination }) => !goals.has(destination)),
  };
}
