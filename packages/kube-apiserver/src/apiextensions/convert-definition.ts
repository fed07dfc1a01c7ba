/**
 * apiextensions.k8s.io/v1beta1 stated schema, subresources and columns once for all versions if they are the same, and
 * didn't require a list of versions.
 */
import { semanticDeepEqual, type FieldError } from '@coxswain/apimachinery';
import { CustomResourceDefinition } from '@coxswain/api/apiextensions/v1/custom-resource-definition.ts';
import type {
  CustomResourceConversion,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '@coxswain/api/apiextensions/v1/custom-resource-definition-spec.ts';
import {
  CustomResourceDefinition as V1beta1,
  type CustomResourceColumnDefinition as OldColumn,
  type CustomResourceConversion as OldConversion,
  type CustomResourceDefinitionSpec as OldSpec,
  type CustomResourceDefinitionVersion as OldVersion,
} from '@coxswain/api/apiextensions/v1beta1.ts';
import { changing } from '../groups/conversion.ts';
import { defined } from '../groups/defined.ts';
import { as, type AnyObject } from '../groups/any-object.ts';

type Column = NonNullable<CustomResourceDefinitionVersion['additionalPrinterColumns']>[number];

/** The parts that a definition states per version, or once for all versions. */
type Shared = Pick<OldVersion, 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>;
const sharedMembers = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

export const definitionConversion = changing(CustomResourceDefinition, V1beta1, {
  toStorage(definition) {
    definition.spec = specToV1(definition.spec as OldSpec);
  },
  fromStorage(definition) {
    definition.spec = specFromV1(definition.spec as CustomResourceDefinitionSpec);
  },
});

function specToV1(spec: OldSpec): CustomResourceDefinitionSpec {
  const {
    version,
    validation: schema,
    subresources,
    versions,
    additionalPrinterColumns,
    selectableFields,
    conversion,
    ...others
  } = spec;
  const shared: Shared = defined({ schema, subresources, additionalPrinterColumns, selectableFields });
  const listed: readonly OldVersion[] =
    versions?.length || !version ? (versions ?? []) : [{ name: version, served: true, storage: true }];
  return as<CustomResourceDefinitionSpec>({
    ...others,
    versions: listed.map((one) => versionToV1({ ...one, ...shared })),
    ...(conversion && { conversion: conversionToV1(conversion) }),
  });
}

const versionToV1 = ({ additionalPrinterColumns: columns, ...version }: OldVersion) => ({
  ...version,
  ...(columns && { additionalPrinterColumns: columns.map(columnToV1) }),
});

const columnToV1 = ({ JSONPath: jsonPath, ...column }: OldColumn): Column => as({ ...column, jsonPath });
const columnFromV1 = ({ jsonPath: JSONPath, ...column }: Column): OldColumn => as({ ...column, JSONPath });

function conversionToV1({ strategy, ...webhook }: OldConversion): CustomResourceConversion {
  const { webhookClientConfig: clientConfig, conversionReviewVersions } = webhook;
  if (clientConfig == null && conversionReviewVersions == null) return as({ strategy });
  return as({ strategy, webhook: defined({ clientConfig, conversionReviewVersions }) });
}

function specFromV1({ versions, conversion, ...others }: CustomResourceDefinitionSpec): OldSpec {
  const listed = (versions ?? []).map(versionFromV1);
  const [first] = listed;
  if (first === undefined) return as<OldSpec>({ ...others, ...conversionMember(conversion) });
  const shared = sharedMembers.filter((member) =>
    listed.every((version) => semanticDeepEqual(version[member], first[member])),
  );
  const { schema: validation, ...members } = only(first, shared);
  return as<OldSpec>({
    ...others,
    version: first.name,
    ...(validation && { validation }),
    ...members,
    versions: listed.map((version) => without(version, shared)),
    ...conversionMember(conversion),
  });
}

const versionFromV1 = ({ additionalPrinterColumns: columns, ...version }: CustomResourceDefinitionVersion) =>
  as<OldVersion>({ ...version, ...(columns && { additionalPrinterColumns: columns.map(columnFromV1) }) });

const only = (version: OldVersion, members: readonly (keyof Shared)[]): Shared =>
  defined(Object.fromEntries(members.map((member) => [member, version[member]])));

const without = (version: OldVersion, members: readonly string[]): OldVersion =>
  as(Object.fromEntries(Object.entries(version).filter(([member]) => !members.includes(member))));

function conversionMember(conversion: CustomResourceConversion | null | undefined) {
  if (conversion == null) return {};
  const { strategy, webhook } = conversion;
  const { clientConfig: webhookClientConfig, conversionReviewVersions } = webhook ?? {};
  return { conversion: defined({ strategy, webhookClientConfig, conversionReviewVersions }) };
}

/** v1 requires schemas, which must be structural, and pruning. v1beta1 requires them only if pruning is enabled. */
export function definitionErrors(errors: readonly FieldError[], { spec }: AnyObject): readonly FieldError[] {
  if ((spec as CustomResourceDefinitionSpec).preserveUnknownFields !== true) return errors;
  return errors.filter(
    ({ field, detail }) =>
      field !== 'spec.preserveUnknownFields' &&
      !/^spec\.versions\[\d+\]\.schema\.openAPIV3Schema$/.test(field) &&
      !/ to be structural$|^must not be empty (at|for) /.test(detail),
  );
}
