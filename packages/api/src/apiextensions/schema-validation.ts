/** Validates schemas of custom resources: structure, supported features, defaults, rules. */

import { wasSentEmpty } from '@coxswain/schema';
import { appendAll } from '@coxswain/apimachinery/append-all.ts';
import { FieldPath } from '@coxswain/apimachinery';
import { Errors } from '../meta/checks.ts';
import { hasUnprunedDefaults, validateDefaults } from './default-validation.ts';
import { hasLooseSet, validateExtensions, validateMapsAndSets } from './list-type-validation.ts';
import { printedSchema } from './printed-schema.ts';
import { RuleScope } from './rule-scope.ts';
import { validateRules } from './rule-validation.ts';
import { anySchema, schemaOf, sortedEntries, type Schema } from './schema-tree.ts';
import { structuralErrors, unstructuralReason } from './structural-validation.ts';

const nowhere = FieldPath.of('');
const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** The requirements for schemas; for an update, only those that the stored schemas already meet. */
export interface SchemaDemands {
  readonly structural: boolean;
  readonly knownTypes: boolean;
  readonly prunedDefaults: boolean;
  readonly atomicSets: boolean;
  readonly keyedLists: boolean;
}

/** The errors of a schema; rules are compiled only if there are no others. */
interface Findings {
  readonly schema: Errors;
  readonly rules: Errors;
}

export function demandsAfter(stored: readonly Schema[]): SchemaDemands {
  const none = (test: (schema: Schema) => boolean): boolean =>
    !stored.some((schema) => anySchema(schema, test));
  return {
    structural: stored.every((schema) => isStructural(schema)),
    knownTypes: none(({ type }) => Boolean(type) && !types.includes(type!)),
    prunedDefaults: !stored.some(hasUnprunedDefaults),
    atomicSets: none(hasLooseSet),
    keyedLists: none((schema) => {
      const errors = new Errors();
      validateMapsAndSets(schema, nowhere, errors);
      return errors.length > 0;
    }),
  };
}

function isStructural(schema: Schema): boolean {
  return unstructuralReason(schema) === undefined && structuralErrors(schema, nowhere).length === 0;
}

export function validateSchema(
  schema: Schema,
  hasStatus: boolean,
  demands: SchemaDemands,
  isUnchanged: boolean,
  path: FieldPath,
  errors: Errors,
): void {
  const found = new Errors();
  let rules: RuleScope | undefined;
  if (hasStatus) validateRoot(schema, path, found);
  if (schema.nullable) {
    found.forbidden(`${path.toString()}.nullable`, 'nullable cannot be true at the root');
  }
  const reason = unstructuralReason(schema);
  if (demands.structural && reason === undefined) {
    const structural = structuralErrors(schema, path);
    if (structural.length === 0) {
      validateDefaults(embedded(schema), demands.prunedDefaults, path, structural);
    }
    appendAll(found, structural);
    if (structural.length === 0) rules = RuleScope.ofRoot(schema);
  }
  const findings = { schema: new Errors(), rules: new Errors() };
  validateProps(schema, { ...rootSituation, rules }, { ...demands, isUnchanged }, path, findings);
  found.push(...findings.schema, ...findings.rules);
  if (demands.structural && reason !== undefined && found.length === 0) {
    found.invalid(path, '', reason);
  }
  rules?.total.report(path, found);
  appendAll(errors, found);
}

const embedded = (schema: Schema): Schema => ({ ...schema, 'x-kubernetes-embedded-resource': true });

/** Fields that may be set at the root of a schema with a status: its properties say everything relevant. */
const allowedAtRoot =
  'Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations';

/** Fields that must not be set at such a root, in upstream's order. */
const refusedAtRoot = [
  'id',
  '$schema',
  '$ref',
  'nullable',
  'default',
  'enum',
  'maxProperties',
  'minProperties',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'additionalProperties',
  'patternProperties',
  'dependencies',
  'additionalItems',
  'definitions',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
] as const;

const beforeType: readonly string[] = ['id', '$schema', '$ref'];

function validateRoot(schema: Schema, path: FieldPath, errors: Errors): void {
  const isSet = (name: (typeof refusedAtRoot)[number]): boolean => {
    const value = schema[name] as unknown;
    return value != null && value !== '' && value !== false;
  };
  const refused = refusedAtRoot.filter(isSet);
  if (schema.type && schema.type !== 'object' && !refused.some((name) => beforeType.includes(name))) {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    errors.invalid(`${path.toString()}.type`, schema.type, detail);
  } else if (refused.length > 0) {
    const detail = `only [${allowedAtRoot}] fields are allowed at the root of the schema if the status subresource is enabled`;
    errors.invalid(path, printedSchema(schema), detail);
  }
}

interface Situation {
  readonly isRoot: boolean;
  /** Inside kind, apiVersion or metadata of an object. */
  readonly inMeta: boolean;
  /** The reason that defaults are not allowed. */
  readonly noDefaults: string | undefined;
  /** The outermost place in which old values can't be found. */
  readonly uncorrelatable: FieldPath | undefined;
  /** Absent if rules are not checked. */
  readonly rules: RuleScope | undefined;
}

const rootSituation = { isRoot: true, inMeta: false, noDefaults: undefined, uncorrelatable: undefined };

const mapTypesWithMembers = [undefined, null, 'granular', 'atomic'];

function validateProps(
  schema: Schema,
  situation: Situation,
  demands: SchemaDemands & { readonly isUnchanged: boolean },
  path: FieldPath,
  findings: Findings,
): void {
  const { inMeta, noDefaults, isRoot, uncorrelatable, rules } = situation;
  const errors = findings.schema;
  const errorsBefore = errors.length;
  const inner = { isRoot: false, inMeta, noDefaults, uncorrelatable, rules: undefined };
  const descend = (child: Schema, at: FieldPath, where: Situation = inner): void =>
    validateProps(child, where, demands, at, findings);
  validateSupported(schema, situation, demands, path, errors);
  const additional = schema.additionalProperties as unknown;
  if (additional != null && additional !== true && Object.keys(schema.properties ?? {}).length > 0) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.forbidden(path.child('additionalProperties'), detail);
  }
  const additionalSchema = schemaOf(additional);
  if (additionalSchema !== undefined) {
    const reason = inMeta ? 'inside additionalProperties applying to object metadata' : noDefaults;
    const where = { ...inner, noDefaults: reason, rules: rules?.element(additionalSchema) };
    descend(additionalSchema, path.child('additionalProperties'), where);
  }
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const hasMembers = mapTypesWithMembers.includes(schema['x-kubernetes-map-type']);
  for (const [name, property] of sortedEntries(schema.properties)) {
    const isMeta = (isRoot || isEmbedded) && ['metadata', 'kind', 'apiVersion'].includes(name);
    const reason = isMeta && isRoot ? `in top-level ${name}` : noDefaults;
    const where = {
      isRoot: false,
      inMeta: inMeta || isMeta,
      noDefaults: reason,
      uncorrelatable: uncorrelatable ?? (hasMembers ? undefined : path),
      rules: rules?.property(name, property),
    };
    descend(property, path.child('properties').key(name), where);
  }
  if (schema.not != null) descend(schema.not, path.child('not'));
  for (const name of ['allOf', 'oneOf', 'anyOf'] as const) {
    for (const [index, each] of (schema[name] ?? []).entries()) descend(each, path.child(name).index(index));
  }
  for (const [name, each] of sortedEntries(schema.definitions)) {
    descend(each, path.child('definitions').key(name));
  }
  const items = schemaOf(schema.items);
  const itemsKept = schema['x-kubernetes-list-type'] === 'map';
  const ofItems = { ...inner, uncorrelatable: uncorrelatable ?? (itemsKept ? undefined : path) };
  if (items !== undefined) {
    descend(items, path.child('items'), { ...ofItems, rules: rules?.element(items) });
  }
  if (Array.isArray(schema.items)) {
    for (const [index, each] of (schema.items as Schema[]).entries()) {
      descend(each, path.child('items').index(index), ofItems);
    }
  }
  for (const [name, dependency] of sortedEntries(schema.dependencies)) {
    const each = schemaOf(dependency);
    if (each !== undefined) descend(each, path.child('dependencies').key(name));
  }
  validateExtensions(schema, items, demands.atomicSets, path, errors);
  if (demands.keyedLists) validateMapsAndSets(schema, path, errors);
  validateRules(schema, path, errors);
  if (errors.length > errorsBefore) return;
  rules?.validate(path, uncorrelatable, demands.isUnchanged, findings.rules);
}

const notSupported = [
  ['id', 'id is not supported'],
  ['additionalItems', 'additionalItems is not supported'],
  ['patternProperties', 'patternProperties is not supported'],
  ['definitions', 'definitions is not supported'],
  ['dependencies', 'dependencies is not supported'],
  ['$ref', '$ref is not supported'],
] as const;

function validateSupported(
  schema: Schema,
  { inMeta, noDefaults }: Situation,
  { knownTypes }: SchemaDemands,
  path: FieldPath,
  errors: Errors,
): void {
  const type = schema.type ?? '';
  if (knownTypes && type !== '' && !types.includes(type)) {
    errors.notSupported(path.child('type'), type, types);
  }
  if (schema.default !== undefined && noDefaults !== undefined) {
    errors.forbidden(path.child('default'), `must not be set ${noDefaults}`);
  }
  for (const [name, detail] of notSupported) {
    const value = schema[name] as unknown;
    // Of the empty ones, only dependencies count.
    const isEmptySet = name === 'dependencies' && wasSentEmpty(schema, name);
    const isSet = name === 'id' ? Boolean(value) : value != null || isEmptySet;
    if (isSet) errors.forbidden(path.child(name), detail);
  }
  if (type === 'null') {
    const detail = 'type cannot be set to null, use nullable as an alternative';
    errors.forbidden(path.child('type'), detail);
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    errors.forbidden(path.child('items'), 'items must be a schema object and not an array');
  }
  if (inMeta && schema['x-kubernetes-embedded-resource'] === true) {
    const detail = 'must not be used inside of resource meta';
    errors.forbidden(path.child('x-kubernetes-embedded-resource'), detail);
  }
  if (schema.uniqueItems) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.forbidden(path.child('uniqueItems'), detail);
  }
}
