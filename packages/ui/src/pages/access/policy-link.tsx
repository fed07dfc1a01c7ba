import { objectPath } from '../../navigation/paths.ts';

interface PolicyLinkProps {
  /** `RoleBinding shop/deployers`, `ClusterRole edit`, `Role deployer` */
  readonly named: string;
  /** The binding of a Role, which is in the same namespace. */
  readonly binding?: string;
}

/** A role or a binding as the explanations of access name it, linked to its page. */
export function PolicyLink({ named, binding = named }: PolicyLinkProps) {
  const kind = named.slice(0, named.indexOf(' '));
  const place = /^RoleBinding ([^/]+)/.exec(binding)?.[1];
  const namespace = kind.startsWith('Cluster') ? undefined : place;
  const name = named.slice(kind.length + 1).replace(/^[^/]+\//, '');
  const resource = { group: 'rbac.authorization.k8s.io', version: 'v1', resource: `${kind.toLowerCase()}s` };
  return (
    <a class="link" href={objectPath(resource, namespace, name)}>
      {named}
    </a>
  );
}
