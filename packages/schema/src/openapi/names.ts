/** The OpenAPI names of types: `core/v1.Pod` is `io.k8s.api.core.v1.Pod`. */

const packages: Readonly<Record<string, string>> = {
  apiextensions: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
  apiregistration: 'io.k8s.kube-aggregator.pkg.apis.apiregistration',
  meta: 'io.k8s.apimachinery.pkg.apis.meta',
  version: 'io.k8s.apimachinery.pkg.version',
};

/** From a struct's name; custom resources use their definition's name. */
export function definitionName(structName: string): string {
  const slash = structName.indexOf('/');
  if (slash < 0) return structName;
  const directory = structName.slice(0, slash);
  return `${packages[directory] ?? `io.k8s.api.${directory}`}.${structName.slice(slash + 1)}`;
}

export const quantityName = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
export const intOrStringName = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
export const rawExtensionName = 'io.k8s.apimachinery.pkg.runtime.RawExtension';
export const timeName = 'io.k8s.apimachinery.pkg.apis.meta.v1.Time';
export const microTimeName = 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime';
export const durationName = 'io.k8s.apimachinery.pkg.apis.meta.v1.Duration';
export const fieldsV1Name = 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1';
