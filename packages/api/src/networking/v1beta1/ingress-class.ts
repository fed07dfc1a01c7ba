import * as t from '@coxswain/schema';
import { ingressClassColumns } from '../v1/ingress-class-columns.ts';
import * as v1 from '../v1/index.ts';

export const IngressClassParametersReference = t.structIn(
  'networking/v1beta1',
  v1.IngressClassParametersReference,
  { fields: { kind: t.always(2, t.string), name: t.always(3, t.string), scope: t.nullable(4, t.string) } },
);
export interface IngressClassParametersReference extends t.Static<typeof IngressClassParametersReference> {}

export const IngressClassSpec = t.struct('networking/v1beta1.IngressClassSpec', {
  controller: t.optional(1, t.string),
  parameters: t.pointer(2, IngressClassParametersReference),
});
export interface IngressClassSpec extends t.Static<typeof IngressClassSpec> {}

export const IngressClass = t.kindIn(
  'networking/v1beta1',
  v1.IngressClass,
  { fields: { spec: t.optional(2, IngressClassSpec) } },
  { columns: ingressClassColumns },
);
export interface IngressClass extends t.Static<typeof IngressClass> {}
