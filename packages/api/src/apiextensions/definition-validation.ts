/** Validates CustomResourceDefinitions, except their schemas. */

import {
  byteLength,
  checkDns1035Label,
  checkDnsSubdomain,
  goJson,
  PrintedValue,
  semanticDeepEqual,
  type FieldError,
  type FieldPath,
  convertedText,
  referencedText,
} from '@coxswain/apimachinery';
import { wasSentEmpty } from '@coxswain/schema';
import { immutable, pathOf, repeated, Errors } from '../meta/checks.ts';
import { approvalAnnotation, groupApproval } from './group-approval.ts';
import type { StatusObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta, validateObjectMetaUpdate } from '../meta/object-meta-validation.ts';
import { validateWebhookClient } from '../meta/webhook-validation.ts';
import type { JSONSchemaProps } from './v1/json-schema-props.ts';
import type {
  CustomResourceConversion,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from './v1/custom-resource-definition-spec.ts';
import { validateNames, validateRequiredNames } from './names-validation.ts';
import { validateColumn, validateSubresources } from './subresource-validation.ts';
import { demandsAfter, validateSchema, type SchemaDemands } from './schema-validation.ts';
import { validateSelectableFields } from './selectable-field-validation.ts';

interface DefinitionStatus {
  conditions?: { type: string; status: string }[] | null;
  acceptedNames?: CustomResourceDefinitionNames;
  storedVersions?: string[] | null;
}

type Definition = StatusObject<CustomResourceDefinitionSpec, DefinitionStatus>;

const specPath = pathOf('spec');
const scopes = ['Cluster', 'Namespaced'];
const reviewVersions = ['v1', 'v1beta1'];

export function validateDefinition(definition: Definition, old: Definition | undefined): FieldError[] {
  const errors = new Errors();
  const { metadata, spec, status } = definition;
  const expected = `${spec.names.plural ?? ''}.${spec.group ?? ''}`;
  const name = (text: string, isPrefix: boolean): readonly string[] =>
    text === expected
      ? subdomainName(text, isPrefix)
      : [...subdomainName(text, isPrefix), 'must be spec.names.plural+"."+spec.group'];
  validateMeta(metadata, old?.metadata, { namespaced: false, name, coreFinalizers: false }, errors);
  validateSpec(spec, old, errors);
  if (old !== undefined) validateFixed(spec, old, errors);
  validateNames(
    status?.acceptedNames ?? ({} as CustomResourceDefinitionNames),
    pathOf('status', 'acceptedNames'),
    errors,
  );
  validateStoredVersions(status?.storedVersions ?? [], spec.versions ?? [], errors);
  validateApproval(definition, old, errors);
  if (spec.preserveUnknownFields && !old?.spec.preserveUnknownFields) {
    errors.invalid(
      specPath.child('preserveUnknownFields'),
      true,
      'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    );
  }
  return errors;
}

export function validateDefinitionStatus(definition: Definition, old: Definition): FieldError[] {
  const errors = new Errors();
  validateObjectMetaUpdate(definition.metadata, old.metadata, errors, false);
  const names = definition.status?.acceptedNames ?? ({} as CustomResourceDefinitionNames);
  validateNames(names, pathOf('status', 'acceptedNames'), errors);
  return errors;
}

function validateSpec(spec: CustomResourceDefinitionSpec, old: Definition | undefined, errors: Errors): void {
  validateGroup(spec.group ?? '', errors);
  if (!spec.scope) errors.required(specPath.child('scope'));
  else if (!scopes.includes(spec.scope)) {
    errors.notSupported(specPath.child('scope'), convertedText(spec.scope), scopes);
  }
  const versions = spec.versions ?? [];
  for (const [index, { schema }] of versions.entries()) {
    if (schema?.openAPIV3Schema != null) continue;
    errors.required(specPath.child('versions').index(index).child('schema', 'openAPIV3Schema'));
  }
  const shared = sharedParts(versions);
  const demands = demandsAfter(schemasIn(old));
  for (const [index, version] of versions.entries()) {
    const path = specPath.child('versions').index(index);
    const messages = checkDns1035Label(version.name ?? '');
    if (messages.length > 0) {
      errors.invalid(path.child('name'), version.name ?? '', messages.join(','));
    }
    validateDeprecation(version, path.child('deprecationWarning'), errors);
    validateParts(version, shared, false, demands, path, old, errors);
  }
  validateVersions(versions, wasSentEmpty(spec, 'versions'), shared, errors);
  validateRequiredNames(spec.names, specPath.child('names'), errors);
  validateNames(spec.names, specPath.child('names'), errors);
  if (versions.length > 0) validateParts(versions[0]!, shared, true, demands, specPath, old, errors);
  if (spec.conversion != null) validateConversion(spec.conversion, old?.spec, errors);
}

/** Parts that are equal in all versions are at the top level upstream, and errors name them there. */
interface SharedParts {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly columns: boolean;
  readonly selectable: boolean;
}

function sharedParts(versions: readonly CustomResourceDefinitionVersion[]): SharedParts {
  const alike = (
    name: 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields',
  ): boolean => versions.every((version) => semanticDeepEqual(version[name], versions[0]![name]));
  return {
    schema: alike('schema'),
    subresources: alike('subresources'),
    columns: alike('additionalPrinterColumns'),
    selectable: alike('selectableFields'),
  };
}

const schemasIn = (definition: Definition | undefined): JSONSchemaProps[] =>
  (definition?.spec.versions ?? []).flatMap(({ schema }) => schema?.openAPIV3Schema ?? []);

function validateParts(
  version: CustomResourceDefinitionVersion,
  shared: SharedParts,
  atTop: boolean,
  demands: SchemaDemands,
  path: FieldPath,
  old: Definition | undefined,
  errors: Errors,
): void {
  const { schema, subresources, additionalPrinterColumns: columns, selectableFields: fields } = version;
  if (shared.schema === atTop && schema?.openAPIV3Schema != null) {
    const schemaPath = path.child(atTop ? 'validation' : 'schema', 'openAPIV3Schema');
    const stored = old?.spec.versions?.find(({ name }) => name === version.name)?.schema?.openAPIV3Schema;
    const isUnchanged = stored != null && semanticDeepEqual(stored, schema.openAPIV3Schema);
    const hasStatus = subresources?.status != null;
    validateSchema(schema.openAPIV3Schema, hasStatus, demands, isUnchanged, schemaPath, errors);
  }
  if (shared.subresources === atTop && subresources != null) {
    validateSubresources(subresources, path.child('subresources'), errors);
  }
  if (shared.columns === atTop) {
    for (const [index, column] of (columns ?? []).entries()) {
      validateColumn(column, path.child('additionalPrinterColumns').index(index), errors);
    }
  }
  if (shared.selectable !== atTop || (fields ?? []).length === 0) return;
  const stored = old?.spec.versions?.find(({ name }) => name === version.name)?.selectableFields;
  const isKept = semanticDeepEqual(stored, fields);
  validateSelectableFields(
    fields ?? [],
    schema?.openAPIV3Schema ?? undefined,
    isKept,
    path.child('selectableFields'),
    errors,
  );
}

function validateGroup(group: string, errors: Errors): void {
  const path = specPath.child('group');
  const messages = checkDnsSubdomain(group);
  if (group === '') errors.required(path);
  else if (messages.length > 0) errors.invalid(path, group, messages.join(','));
  else if (!group.includes('.')) {
    errors.invalid(path, group, 'should be a domain with at least one dot');
  }
}

function validateDeprecation(
  { deprecated, deprecationWarning: warning }: CustomResourceDefinitionVersion,
  path: FieldPath,
  errors: Errors,
): void {
  if (warning == null) return;
  const invalid = (detail: string): void => void errors.invalid(path, referencedText(warning), detail);
  if (!deprecated) {
    invalid('can only be set for deprecated versions');
    return;
  }
  if (byteLength(warning) > 256) invalid('must be <= 256 characters long');
  if (warning === '') invalid('must not be an empty string');
  const at = warning.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u);
  if (at >= 0) {
    const bytes = byteLength(warning.slice(0, at));
    invalid(`must only contain printable UTF-8 characters; non-printable character found at index ${bytes}`);
  }
}

function validateVersions(
  versions: readonly CustomResourceDefinitionVersion[],
  cameEmpty: boolean,
  shared: SharedParts,
  errors: Errors,
): void {
  const path = specPath.child('versions');
  const isThere = versions.length > 0 || cameEmpty;
  const printed = isThere ? printedVersions(versions, shared) : new PrintedValue('null');
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.invalid(path, printed, 'must contain unique version names');
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.invalid(path, printed, 'must have exactly one version marked as storage version');
  }
  if (versions.length === 0) return;
  const name = versions[0]!.name ?? '';
  const messages = checkDns1035Label(name);
  if (messages.length > 0 && name !== '') {
    errors.invalid(specPath.child('version'), name, messages.join(','));
  }
}

const printedVersions = (
  versions: readonly CustomResourceDefinitionVersion[],
  shared: SharedParts,
): PrintedValue =>
  new PrintedValue(
    goJson(
      versions.map((version) => ({
        Name: version.name ?? '',
        Served: version.served ?? false,
        Storage: version.storage ?? false,
        Deprecated: version.deprecated ?? false,
        DeprecationWarning: version.deprecationWarning ?? null,
        Schema: shared.schema ? null : (version.schema ?? null),
        Subresources: shared.subresources ? null : (version.subresources ?? null),
        AdditionalPrinterColumns: shared.columns ? null : (version.additionalPrinterColumns ?? null),
        SelectableFields: shared.selectable ? null : (version.selectableFields ?? null),
      })),
    ),
  );

function validateConversion(
  { strategy, webhook }: CustomResourceConversion,
  old: CustomResourceDefinitionSpec | undefined,
  errors: Errors,
): void {
  const path = specPath.child('conversion');
  if (!strategy) errors.required(path.child('strategy'));
  else if (strategy !== 'None' && strategy !== 'Webhook') {
    errors.notSupported(path.child('strategy'), convertedText(strategy), ['None', 'Webhook']);
  }
  const clientPath = path.child('webhookClientConfig');
  const versionsPath = path.child('conversionReviewVersions');
  const client = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy === 'Webhook') {
    if (client == null) {
      errors.required(clientPath, 'required when strategy is set to Webhook');
    } else validateWebhookClient(client, clientPath, errors);
    const stored = old?.conversion?.webhook?.conversionReviewVersions ?? [];
    const isTolerant = stored.length > 0 && !stored.some((version) => reviewVersions.includes(version));
    validateReviewVersions(versions, isTolerant, versionsPath, errors);
    return;
  }
  const detail = 'should not be set when strategy is not set to Webhook';
  if (client != null) errors.forbidden(clientPath, detail);
  if (versions.length > 0) errors.forbidden(versionsPath, detail);
}

function validateReviewVersions(
  versions: readonly string[],
  isTolerant: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  if (versions.length === 0) {
    errors.required(path);
    return;
  }
  const repeats = new Set(repeated(versions));
  for (const [index, version] of versions.entries()) {
    const at = path.index(index);
    if (repeats.has(index)) errors.invalid(at, version, 'duplicate version');
    else for (const message of checkDns1035Label(version)) errors.invalid(at, version, message);
  }
  if (!isTolerant && !versions.some((version) => reviewVersions.includes(version))) {
    const detail = `must include at least one of ${reviewVersions.join(', ')}`;
    errors.invalid(path, versions, detail);
  }
}

/** Fields that determine the storage of objects are immutable. */
function validateFixed(spec: CustomResourceDefinitionSpec, old: Definition, errors: Errors): void {
  const isEstablished = old.status?.conditions?.some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
  if (isEstablished) {
    immutable(spec.scope, old.spec.scope, specPath.child('scope'), errors);
    immutable(spec.names.kind, old.spec.names.kind, specPath.child('names', 'kind'), errors);
  }
  immutable(spec.group, old.spec.group, specPath.child('group'), errors);
  immutable(spec.names.plural, old.spec.names.plural, specPath.child('names', 'plural'), errors);
}

function validateStoredVersions(
  stored: readonly string[],
  versions: readonly CustomResourceDefinitionVersion[],
  errors: Errors,
): void {
  const path = pathOf('status', 'storedVersions');
  if (stored.length === 0) {
    errors.invalid(path, null, 'must have at least one stored version');
    return;
  }
  // Each version counts once: a duplicate is missing the second time.
  const unseen = new Set(stored);
  for (const { name, storage } of versions) {
    if (unseen.delete(name) || !storage) continue;
    errors.invalid(path, stored, `must have the storage version ${name}`);
  }
  const names = new Set(versions.map(({ name }) => name));
  for (const [index, name] of stored.entries()) {
    if (names.has(name)) continue;
    errors.invalid(
      path.index(index),
      name,
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
    );
  }
}

function validateApproval(definition: Definition, old: Definition | undefined, errors: Errors): void {
  const approval = approvalOf(definition);
  if (approval === undefined) return;
  const { state, message } = approval;
  if (old !== undefined && approvalOf(old)?.state === state) return;
  const path = pathOf('metadata', 'annotations').key(approvalAnnotation);
  if (state === 'missing') errors.required(path, message);
  else if (state === 'invalid') {
    errors.invalid(path, definition.metadata.annotations![approvalAnnotation], message);
  }
}

const approvalOf = ({ metadata, spec }: Definition) => groupApproval(spec.group ?? '', metadata.annotations);
