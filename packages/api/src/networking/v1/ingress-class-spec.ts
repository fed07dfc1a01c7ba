import * as t from '@coxswain/schema';

export const IngressClassParametersReference = t.struct('networking/v1.IngressClassParametersReference', {
  apiGroup: t.pointer(1, t.string, { go: 'APIGroup', proto: 'aPIGroup' }),
  kind: t.always(2, t.string, { required: true }),
  name: t.always(3, t.string, { required: true }),
  scope: t.nullable(4, t.string, { default: 'Cluster' }),
  namespace: t.pointer(5, t.string),
});
export interface IngressClassParametersReference extends t.Static<typeof IngressClassParametersReference> {}

export const IngressClassSpec = t.struct('networking/v1.IngressClassSpec', {
  controller: t.optional(1, t.string),
  parameters: t.pointer(2, IngressClassParametersReference),
});
export interface IngressClassSpec extends t.Static<typeof IngressClassSpec> {}
