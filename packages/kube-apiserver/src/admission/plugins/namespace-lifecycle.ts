/** Refuses creates in terminating or missing namespaces, and protects system namespaces from deletion. */
import { forbidden, notFound } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Namespace } from '@coxswain/api/core/v1/namespace.ts';
import { isTo, on, refused } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';

const immortalNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export const namespaceLifecycle = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'NamespaceLifecycle',
  changesInPlace: false,
  handles: on('CREATE', 'UPDATE', 'DELETE'),
  mutate(attributes) {
    const { operation, namespace, kind, name, resource } = attributes;
    if (kind.kind === 'Namespace' && kind.group === '') {
      if (operation === 'DELETE' && immortalNamespaces.has(name)) {
        throw forbidden(resource, name, 'this namespace may not be deleted');
      }
      return;
    }
    if (namespace === '' || operation === 'DELETE' || isAccessReview(attributes)) return;
    const found = objects.get<Namespace>(resources.namespaces, '', namespace);
    return found instanceof Promise
      ? found.then((later) => check(attributes, later))
      : check(attributes, found);
  },
});

function check(attributes: AdmissionAttributes, found: Namespace | undefined): void {
  const { namespace, operation } = attributes;
  if (found === undefined) throw notFound(resources.namespaces, namespace);
  if (operation !== 'CREATE' || found.status.phase !== 'Terminating') return;
  const error = refused(
    attributes,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  error.status.details!.causes = [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ];
  throw error;
}

const isAccessReview = (attributes: AdmissionAttributes): boolean =>
  isTo(attributes, { group: 'authorization.k8s.io', resource: 'localsubjectaccessreviews' });
