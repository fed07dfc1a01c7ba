/**
 * Two plugins that are disabled by default: one refuses objects in unknown namespaces, the other creates the namespace.
 */
import { ignoring, notFound } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Namespace } from '@coxswain/api/core/v1/namespace.ts';
import { on } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';

export const namespaceExists = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'NamespaceExists',
  handles: on('CREATE', 'UPDATE', 'DELETE'),
  async validate(attributes) {
    if (!isInside(attributes)) return;
    const found = await objects.get<Namespace>(resources.namespaces, '', attributes.namespace);
    if (found === undefined) throw notFound(resources.namespaces, attributes.namespace);
  },
});

export const namespaceAutoProvision = (
  objects: ObjectReader,
  createNamespace: (name: string) => Promise<void>,
): AdmissionPlugin => ({
  name: 'NamespaceAutoProvision',
  handles: on('CREATE'),
  async mutate(attributes) {
    if (attributes.dryRun || !isInside(attributes)) return;
    if ((await objects.get<Namespace>(resources.namespaces, '', attributes.namespace)) !== undefined) return;
    await ignoring('AlreadyExists', createNamespace(attributes.namespace));
  },
});

const isInside = ({ namespace, kind }: AdmissionAttributes): boolean =>
  namespace !== '' && kind.kind !== 'Namespace';
