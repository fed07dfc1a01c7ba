/** Makes a kind, like those of built-in resources, from a version of a CustomResourceDefinition. */
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '@coxswain/api/apiextensions/v1/index.ts';
import { compileJsonPath } from '@coxswain/apimachinery/jsonpath/evaluate.ts';
import { printedValue } from '@coxswain/apimachinery/jsonpath/value.ts';
import { always, list, ListMeta, optional, string, struct, type Kind } from '@coxswain/schema';
import { compileCustomType, type StructuralSchema } from '@coxswain/schema/custom/compile.ts';
import type { AnyObject } from '../groups/any-object.ts';
import { customColumns } from './custom-columns.ts';

export function customKind(
  { spec }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
): Kind<AnyObject, AnyObject> {
  const { group, names } = spec;
  const identity = { group, version: version.name, kind: names.kind };
  const type = compileCustomType(identity, schemaOf(version), spec.preserveUnknownFields);
  const kind: Kind<unknown, AnyObject> = {
    ...identity,
    apiVersion: `${group}/${version.name}`,
    names: {
      plural: names.plural,
      namespaced: spec.scope === 'Namespaced',
      ...(names.singular ? { singular: names.singular } : {}),
      ...(names.shortNames ? { shortNames: names.shortNames } : {}),
      ...(names.categories ? { categories: names.categories } : {}),
    },
    type,
    listType: listTypeOf(type.name, names.listKind ?? `${names.kind}List`, type),
    behaviour: {
      columns: customColumns(version.additionalPrinterColumns),
      metadataSelectors: 'listed',
      selectableFields: Object.fromEntries(
        (version.selectableFields ?? []).map(({ jsonPath }) => [
          jsonPath.replace(/^\./, ''),
          selectableText(jsonPath),
        ]),
      ),
    },
  };
  return kind as Kind<AnyObject, AnyObject>;
}

export const schemaOf = ({ schema }: CustomResourceDefinitionVersion): StructuralSchema | undefined =>
  schema?.openAPIV3Schema as StructuralSchema | undefined;

const listTypeOf = (typeName: string, listKind: string, item: ReturnType<typeof compileCustomType>) =>
  struct(`${typeName.slice(0, typeName.lastIndexOf('.') + 1)}${listKind}`, {
    apiVersion: optional(0, string),
    items: always(2, list(item), { required: true, keepEmpty: true }),
    kind: optional(0, string),
    metadata: optional(1, ListMeta),
  });

function selectableText(jsonPath: string): (object: AnyObject) => string {
  const path = compileJsonPath(`{${jsonPath}}`, { allowMissingKeys: true });
  return (object) => {
    const value = path.find(object)[0]?.[0];
    return value === undefined || value === null ? '' : printedValue(value);
  };
}
