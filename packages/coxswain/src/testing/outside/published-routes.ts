/** All routes that Ingresses and HTTPRoutes publish; a request takes the most specific one that matches. */

import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import type { Ingress } from '@coxswain/api/networking/v1/ingress.ts';
import type { KubeClient } from '@coxswain/client';
import { httpRoutes, type HttpRouteObject } from './http-routes.ts';
import { ingressRoutes } from './ingress-routes.ts';
import type { PublishedRoute } from './published-route.ts';

/** Returns the routes, best first. */
export async function publishedRoutes(client: KubeClient): Promise<readonly PublishedRoute[]> {
  const [ingresses, routes] = await Promise.all([
    listed<Ingress & KubeObject>(client, 'networking.k8s.io/v1', 'ingresses'),
    listed<HttpRouteObject>(client, 'gateway.networking.k8s.io/v1', 'httproutes'),
  ]);
  return [...ingresses.flatMap(ingressRoutes), ...routes.flatMap(httpRoutes)].sort(byPrecedence);
}

/** Returns an empty list for a kind that the cluster doesn't have. */
const listed = <T extends KubeObject>(
  client: KubeClient,
  apiVersion: string,
  resource: string,
): Promise<readonly T[]> =>
  client
    .resource<T>(apiVersion, resource)
    .list()
    .then(
      ({ items }) => items,
      (error: unknown) => {
        if (isStatusError(error, 'NotFound')) return [];
        throw error;
      },
    );

function byPrecedence({ precedence: a }: PublishedRoute, { precedence: b }: PublishedRoute): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = (b[at] ?? 0) - (a[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
