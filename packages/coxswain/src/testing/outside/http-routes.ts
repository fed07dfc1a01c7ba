/** HTTPRoutes of the Gateway API, a custom resource that a cluster may have: matches, weights and header filters. */

import type { KubeObject } from '@coxswain/apimachinery';
import { headerOf, type HttpHeader } from '@coxswain/simulated-nodes/network/http-message.ts';
import {
  hasPathPrefix,
  hostMatcher,
  hostPrecedence,
  pathOf,
  type HeaderChange,
  type PublishedRoute,
  type WeightedBackend,
} from './published-route.ts';

interface NamedValue {
  readonly type?: string;
  readonly name: string;
  readonly value: string;
}

interface Match {
  readonly path?: { readonly type?: string; readonly value?: string };
  readonly headers?: readonly NamedValue[];
  readonly queryParams?: readonly NamedValue[];
  readonly method?: string;
}

interface HeaderFilter {
  readonly set?: readonly NamedValue[];
  readonly add?: readonly NamedValue[];
  readonly remove?: readonly string[];
}

interface Filter {
  readonly type: string;
  readonly requestHeaderModifier?: HeaderFilter;
  readonly responseHeaderModifier?: HeaderFilter;
}

interface BackendRef {
  readonly kind?: string;
  readonly name: string;
  readonly namespace?: string;
  readonly port?: number;
  readonly weight?: number;
  readonly filters?: readonly Filter[];
}

export interface HttpRouteObject extends KubeObject {
  readonly spec?: {
    readonly hostnames?: readonly string[];
    readonly rules?: readonly {
      readonly matches?: readonly Match[];
      readonly filters?: readonly Filter[];
      readonly backendRefs?: readonly BackendRef[];
    }[];
  };
}

/** One route for each combination of hostname and match. */
export const httpRoutes = ({ metadata, spec }: HttpRouteObject): readonly PublishedRoute[] =>
  (spec?.hostnames ?? ['*']).flatMap((host) =>
    (spec?.rules ?? []).flatMap(({ matches = [{}], filters = [], backendRefs = [] }) =>
      matches.map((match) => ({
        isForHost: hostMatcher(host, true),
        ...matchOf(match, host),
        backends: backendRefs.map((ref) => backendOf(metadata.namespace ?? '', ref)),
        unsupported: unsupportedIn(metadata.namespace ?? '', filters, backendRefs),
        requestHeaders: filters.flatMap(({ requestHeaderModifier: one }) => (one ? [changeOf(one)] : [])),
        responseHeaders: filters.flatMap(({ responseHeaderModifier: one }) => (one ? [changeOf(one)] : [])),
      })),
    ),
  );

/**
 * The precedence defined by the Gateway API: exact path, longest prefix, method, most headers, most query parameters.
 */
function matchOf(
  { path = {}, headers = [], queryParams = [], method }: Match,
  host: string,
): Pick<PublishedRoute, 'matches' | 'precedence'> {
  const { type = 'PathPrefix', value = '/' } = path;
  const fitsPath = pathTest(type, value);
  const fits = headers.map(({ name, ...one }) => ({ name: name.toLowerCase(), fits: valueTest(one) }));
  const fitsQuery = queryParams.map(({ name, ...one }) => ({ name, fits: valueTest(one) }));
  return {
    matches(request) {
      const query = new URLSearchParams(request.path.replace(/^[^?]*\??/, ''));
      return (
        fitsPath(pathOf(request)) &&
        (method === undefined || request.method === method) &&
        fits.every((one) => one.fits(headerOf(request, one.name))) &&
        fitsQuery.every((one) => one.fits(query.get(one.name) ?? undefined))
      );
    },
    precedence: [
      hostPrecedence(host),
      type === 'Exact' ? 1 : 0,
      value.length,
      method === undefined ? 0 : 1,
      headers.length,
      queryParams.length,
    ],
  };
}

function pathTest(type: string, value: string): (path: string) => boolean {
  if (type === 'Exact') return (path) => path === value;
  if (type === 'RegularExpression') {
    const expression = expressionOf(value);
    return (path) => expression?.test(path) === true;
  }
  return (path) => hasPathPrefix(path, value);
}

function valueTest({
  type = 'Exact',
  value,
}: Omit<NamedValue, 'name'>): (text: string | undefined) => boolean {
  if (type !== 'RegularExpression') return (text) => text === value;
  const expression = expressionOf(value);
  return (text) => text !== undefined && expression?.test(text) === true;
}

/** Matches the whole text; undefined for an invalid expression. */
function expressionOf(text: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${text})$`);
  } catch {
    return undefined;
  }
}

const backendOf = (namespace: string, { name, port = 0, weight = 1 }: BackendRef): WeightedBackend => ({
  namespace,
  service: name,
  port,
  weight,
});

const knownFilters = new Set(['RequestHeaderModifier', 'ResponseHeaderModifier']);

function unsupportedIn(
  namespace: string,
  filters: readonly Filter[],
  backends: readonly BackendRef[],
): string | undefined {
  const filter = [...filters, ...backends.flatMap((one) => one.filters ?? [])].find(
    ({ type }) => !knownFilters.has(type),
  );
  if (filter !== undefined) return `the filter ${filter.type}`;
  if (backends.some((one) => (one.filters ?? []).length > 0)) return 'a filter of a single backend';
  const foreign = backends.find((one) => one.namespace !== undefined && one.namespace !== namespace);
  if (foreign !== undefined) return 'a backend in another namespace';
  const other = backends.find(({ kind = 'Service' }) => kind !== 'Service');
  return other && `a backend of kind ${other.kind}`;
}

const pairs = (values: readonly NamedValue[] = []): readonly HttpHeader[] =>
  values.map(({ name, value }) => [name, value]);

const changeOf = ({ set, add, remove = [] }: HeaderFilter): HeaderChange => ({
  set: pairs(set),
  add: pairs(add),
  remove,
});
