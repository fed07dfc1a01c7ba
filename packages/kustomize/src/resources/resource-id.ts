/** The identity of a resource in a build. */
import { gvkText, isClusterScoped, isSelectedBy, sameGvk, type Gvk } from './gvk.ts';

export interface ResourceId {
  readonly gvk: Required<Gvk>;
  readonly name: string;
  readonly namespace: string;
}

/** `Deployment.v1.apps/web.[noNs]` */
export const idText = ({ gvk, name, namespace }: ResourceId): string =>
  `${gvkText(gvk)}/${name || '[noName]'}.${namespace || '[noNs]'}`;

/** Used in place of the namespace of cluster-scoped kinds. */
export const noNamespace = '_non_namespaceable_';

export function effectiveNamespace({ gvk, namespace }: ResourceId): string {
  if (isClusterScoped(gvk)) return noNamespace;
  return namespace === '' ? 'default' : namespace;
}

export const sameNamespace = (a: ResourceId, b: ResourceId): boolean =>
  effectiveNamespace(a) === effectiveNamespace(b);

export const sameId = (a: ResourceId, b: ResourceId): boolean =>
  a.name === b.name && sameGvk(a.gvk, b.gvk) && sameNamespace(a, b);

/** Exact comparison, without treating a missing namespace as the default one. */
export const identicalId = (a: ResourceId, b: ResourceId): boolean => idText(a) === idText(b);

/** What a selector of replacements or a reference identifies; empty parts match everything. */
export interface IdSelector extends Gvk {
  readonly name?: string;
  readonly namespace?: string;
}

export const selectorId = ({
  group = '',
  version = '',
  kind = '',
  name = '',
  namespace = '',
}: IdSelector): ResourceId => ({
  gvk: { group, version, kind },
  name,
  namespace,
});

export function idIsSelected(id: ResourceId, selector: IdSelector): boolean {
  const { name = '', namespace = '' } = selector;
  // The scope of the selector's kind is unknown, so only its namespace is compared.
  const wanted = namespace === '' ? 'default' : namespace;
  return (
    (name === '' || name === id.name) &&
    (namespace === '' || wanted === effectiveNamespace(id)) &&
    isSelectedBy(id.gvk, selector)
  );
}
