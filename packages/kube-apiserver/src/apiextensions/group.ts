import { CustomResourceDefinition } from '@coxswain/api/apiextensions/v1/index.ts';
import { CustomResourceDefinition as DefinitionV1beta1 } from '@coxswain/api/apiextensions/v1beta1.ts';
import { sortSchemaValues } from '@coxswain/api/apiextensions/sorted-values.ts';
import { legacy, legacyVersion, resource, served, type Group } from '../groups/resource.ts';
import { as, type AnyObject } from '../groups/any-object.ts';
import { definitionConversion, definitionErrors } from './convert-definition.ts';

/** The group in which custom resources are defined. */
export const apiextensionsGroup: Group = {
  name: 'apiextensions.k8s.io',
  versions: [served('v1'), legacyVersion('v1beta1')],
  resources: [
    resource(CustomResourceDefinition, {
      prefix: 'apiextensions.k8s.io/customresourcedefinitions',
      // Upstream's storage version, which a reader of its etcd finds.
      originalStorageVersion: 'v1beta1',
      status: { hasTable: false },
      alsoAs: [legacy(DefinitionV1beta1, { conversion: definitionConversion, errors: definitionErrors })],
      generation: 'spec',
      allowUnconditionalUpdate: false,
      prepareForCreate: prepare,
      prepareForUpdate: prepare,
    }),
  ],
};

function prepare(object: AnyObject): void {
  const definition = as<CustomResourceDefinition>(object);
  sortSchemaValues(definition);
  noteStoredVersion(definition);
}

/** Every version that was ever stored stays recorded until no object in it is left. */
function noteStoredVersion(definition: CustomResourceDefinition): void {
  const stored = (definition.spec.versions ?? []).find(({ storage }) => storage)?.name;
  const known = definition.status?.storedVersions ?? [];
  if (stored === undefined || known.includes(stored)) return;
  definition.status = { ...definition.status, storedVersions: [...known, stored] };
}
