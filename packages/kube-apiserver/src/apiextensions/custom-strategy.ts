/** What writes to custom resources reset, keep and check. */
import { deepEqual, forbidden } from '@coxswain/apimachinery';
import type { FieldError } from '@coxswain/apimachinery';
import {
  subdomainName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@coxswain/api/meta/object-meta-validation.ts';
import type { ApiRequest, Strategy } from '@coxswain/apiserver';
import type { CustomResourceDefinition } from '@coxswain/api/apiextensions/v1/index.ts';
import type { StructuralSchema } from '@coxswain/schema/custom/compile.ts';
import type { AnyObject } from '../groups/resource.ts';
import { schemaOf } from './custom-kind.ts';
import { listTypeErrors, schemaErrors } from '@coxswain/api/apiextensions/value-validation.ts';

export function customStrategy(definition: CustomResourceDefinition): Strategy<AnyObject> {
  const rules = rulesOf(definition);
  const namespaced = definition.spec.scope === 'Namespaced';
  const meta = { name: subdomainName, coreFinalizers: false, namespaced };
  return {
    namespaced,
    allowUnconditionalUpdate: false,
    ...(rules.hasStatus ? { resetFields: [['status']] } : {}),
    prepareForCreate(object) {
      if (rules.hasStatus) delete object.status;
      object.metadata.generation = 1;
    },
    prepareForUpdate(object, old) {
      if (rules.hasStatus) {
        if (old.status === undefined) delete object.status;
        else object.status = old.status;
      }
      if (!deepEqual(withoutMetadata(object), withoutMetadata(old))) {
        object.metadata.generation = (old.metadata.generation ?? 0) + 1;
      }
    },
    validate(object, request) {
      const errors: FieldError[] = [];
      validateObjectMeta(object.metadata, meta, errors);
      return [...errors, ...rules.errors(object, undefined, request)];
    },
    validateUpdate(object, old, request) {
      const errors: FieldError[] = [];
      validateObjectMeta(object.metadata, meta, errors);
      validateObjectMetaUpdate(object.metadata, old.metadata, errors, meta.coreFinalizers);
      return [...errors, ...rules.errors(object, old, request)];
    },
    beginCreate(object) {
      if (definition.metadata.deletionTimestamp === undefined) return undefined;
      const { group, names } = definition.spec;
      throw forbidden(
        { group, resource: names.plural },
        object.metadata.name ?? '',
        'create not allowed while custom resource definition is terminating',
      );
    },
  };
}

/** `/status`: nothing but the status changes. */
export function customStatusStrategy(definition: CustomResourceDefinition): Strategy<AnyObject> {
  const rules = rulesOf(definition);
  return {
    namespaced: definition.spec.scope === 'Namespaced',
    allowUnconditionalUpdate: false,
    resetFields: resetByStatus(definition),
    prepareForUpdate(object, old) {
      const { status, metadata } = object;
      const { resourceVersion, managedFields } = metadata;
      for (const member of Object.keys(object)) delete object[member];
      Object.assign(object, old, {
        metadata: { ...old.metadata, resourceVersion, ...(managedFields && { managedFields }) },
      });
      if (status === undefined) delete object.status;
      else object.status = status;
    },
    validateUpdate: (object, old, request) => rules.statusErrors(object, old, request),
  };
}

/** Everything but the status: the members that the schemas describe, and the metadata. */
const resetByStatus = ({ spec }: CustomResourceDefinition): readonly (readonly string[])[] => {
  const members = spec.versions.flatMap((version) => Object.keys(schemaOf(version)?.properties ?? {}));
  const others = new Set([...members, 'metadata', 'spec']);
  others.delete('status');
  return [...others].map((member) => [member]);
};

function withoutMetadata(object: AnyObject): object {
  const { metadata: _, ...others } = object;
  return others;
}

function rulesOf({ spec }: CustomResourceDefinition) {
  const stored = spec.versions.find(({ storage }) => storage)!;
  const versionOf = ({ info }: ApiRequest) =>
    spec.versions.find(({ name }) => name === info.version) ?? stored;
  const errorsOf = (schema: StructuralSchema | undefined, object: object, old: object | undefined) => {
    if (schema === undefined) return [];
    const lists =
      old !== undefined && listTypeErrors(schema, old).length > 0 ? [] : listTypeErrors(schema, object);
    return [...schemaErrors(schema, object, '', old), ...lists];
  };
  return {
    hasStatus: stored.subresources?.status !== undefined,
    errors: (object: AnyObject, old: AnyObject | undefined, request: ApiRequest): readonly FieldError[] =>
      errorsOf(schemaOf(versionOf(request)), object, old),
    statusErrors(object: AnyObject, old: AnyObject, request: ApiRequest): readonly FieldError[] {
      const schema = schemaOf(versionOf(request));
      const status = schema?.properties?.['status'];
      if (status === undefined || object.status === undefined) return [];
      const whole: StructuralSchema = { type: 'object', properties: { status } };
      return errorsOf(whole, { status: object.status }, { status: old.status });
    },
  };
}
