/**
 * Ingresses before networking.k8s.io/v1: backends have service name and port side by side, and the default backend is
 * `backend`.
 */
import type { FieldError } from '@coxswain/apimachinery';
import { Ingress } from '@coxswain/api/networking/v1/ingress.ts';
import type { IngressBackend, IngressSpec } from '@coxswain/api/networking/v1/ingress-spec.ts';
import type {
  IngressBackend as OldBackend,
  IngressSpec as OldSpec,
} from '@coxswain/api/networking/v1beta1.ts';
import type { Conversion } from '@coxswain/apiserver';
import type { Kind } from '@coxswain/schema';
import { changing } from '../conversion.ts';
import { defined } from '../defined.ts';

export const ingressConversion = (other: Kind): Conversion =>
  changing(Ingress, other, {
    toStorage(ingress) {
      const { backend, rules, ...spec } = (ingress.spec ?? {}) as OldSpec;
      ingress.spec = defined({
        ...spec,
        defaultBackend: backend && backendToV1(backend),
        rules: rules && withBackends(rules, backendToV1),
      });
    },
    fromStorage(ingress) {
      const { defaultBackend, rules, ...spec } = (ingress.spec ?? {}) as IngressSpec;
      ingress.spec = defined({
        ...spec,
        backend: defaultBackend && backendFromV1(defaultBackend),
        rules: rules && withBackends(rules, backendFromV1),
      });
    },
  });

interface Rule<B> {
  readonly http?: { readonly paths: readonly { readonly backend: B }[] } | undefined;
}

const withBackends = <A, B>(rules: readonly Rule<A>[], convert: (backend: A) => B): readonly Rule<B>[] =>
  rules.map(({ http, ...rule }) => ({
    ...rule,
    ...(http && {
      http: { ...http, paths: http.paths?.map((path) => ({ ...path, backend: convert(path.backend) })) },
    }),
  }));

function backendToV1({ serviceName, servicePort, resource }: OldBackend): IngressBackend {
  const isPort = servicePort !== undefined && servicePort !== 0;
  if (!serviceName && !isPort) return defined({ resource });
  const port =
    typeof servicePort === 'string' ? { name: servicePort } : isPort ? { number: servicePort } : {};
  return defined({ service: { name: serviceName ?? '', port }, resource }) as IngressBackend;
}

function backendFromV1({ service, resource }: IngressBackend): OldBackend {
  if (service == null) return defined({ servicePort: 0, resource }) as OldBackend;
  const { name, port = {} } = service;
  return defined({
    serviceName: name || undefined,
    servicePort: port.name || (port.number ?? 0),
    resource,
  }) as OldBackend;
}

/** The older version's names for fields in v1's validation errors. */
const renamed: readonly (readonly [RegExp, string])[] = [
  [/^spec\.defaultBackend\b/, 'spec.backend'],
  [/\.service\.name$/, '.serviceName'],
  [/\.service\.port(\.(name|number))?$/, '.servicePort'],
];

export const ingressErrors = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.map((error) => ({
    ...error,
    field: renamed.reduce((field, [pattern, name]) => field.replace(pattern, name), error.field),
    detail: error.detail.replace('`defaultBackend` or `rules`', '`backend` or `rules`'),
  }));
