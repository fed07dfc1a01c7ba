import type { Ingress } from '@coxswain/api/networking/v1/ingress.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import {
  hasPathPrefix,
  hostMatcher,
  hostPrecedence,
  pathOf,
  type PublishedRoute,
  type WeightedBackend,
} from './published-route.ts';

/** Exact paths precede prefixes, long ones precede short ones, and the default backend comes last. */
export function ingressRoutes({ metadata, spec }: Ingress & KubeObject): readonly PublishedRoute[] {
  const namespace = metadata.namespace ?? '';
  const ofRules = (spec?.rules ?? []).flatMap(({ host, http }) =>
    (http?.paths ?? []).map(({ path = '/', pathType, backend }): PublishedRoute => {
      const isExact = pathType === 'Exact';
      return {
        isForHost: hostMatcher(host, false),
        matches: (request) =>
          isExact ? pathOf(request) === path : hasPathPrefix(pathOf(request), path || '/'),
        precedence: [hostPrecedence(host), isExact ? 1 : 0, path.length],
        backends: backendOf(namespace, backend),
      };
    }),
  );
  if (spec?.defaultBackend === undefined) return ofRules;
  const backends = backendOf(namespace, spec.defaultBackend);
  return [...ofRules, { isForHost: () => true, matches: () => true, precedence: [-1], backends }];
}

type IngressBackend = NonNullable<NonNullable<Ingress['spec']>['defaultBackend']>;

function backendOf(namespace: string, { service }: IngressBackend): readonly WeightedBackend[] {
  if (service === undefined) return [];
  const port = service.port?.name || (service.port?.number ?? 0);
  return [{ namespace, service: service.name, port, weight: 1 }];
}
