import {
  any,
  atomicList,
  bool,
  deferred,
  either,
  float64,
  int64,
  listMap,
  map,
  optional,
  pointer,
  string,
  struct,
  named,
} from '@coxswain/schema';
import type { Static, Type } from '@coxswain/schema';
import { ExternalDocumentation } from './external-documentation.ts';
import { ValidationRule } from './validation-rule.ts';

export const JSONSchemaProps = struct('apiextensions/v1.JSONSchemaProps', {
  id: optional(1, string, { go: 'ID' }),
  $schema: optional(2, named('v1.JSONSchemaURL', string), { go: 'Schema', proto: 'schema' }),
  $ref: pointer(3, string, { go: 'Ref', proto: 'ref' }),
  description: optional(4, string),
  type: optional(5, string),
  format: optional(6, string),
  title: optional(7, string),
  default: pointer(8, any),
  maximum: pointer(9, float64),
  exclusiveMaximum: optional(10, bool),
  minimum: pointer(11, float64),
  exclusiveMinimum: optional(12, bool),
  maxLength: pointer(13, int64),
  minLength: pointer(14, int64),
  pattern: optional(15, string),
  maxItems: pointer(16, int64),
  minItems: pointer(17, int64),
  uniqueItems: optional(18, bool),
  multipleOf: pointer(19, float64),
  enum: optional(20, atomicList(any)),
  maxProperties: pointer(21, int64),
  minProperties: pointer(22, int64),
  required: optional(23, atomicList(string)),
  items: pointer(
    24,
    either(
      deferred<JSONSchemaProps>((): Type => JSONSchemaProps),
      'list',
    ),
    { undocumented: true },
  ),
  allOf: optional(25, atomicList(deferred<JSONSchemaProps>((): Type => JSONSchemaProps))),
  oneOf: optional(26, atomicList(deferred<JSONSchemaProps>((): Type => JSONSchemaProps))),
  anyOf: optional(27, atomicList(deferred<JSONSchemaProps>((): Type => JSONSchemaProps))),
  not: pointer(
    28,
    deferred<JSONSchemaProps>((): Type => JSONSchemaProps),
    { undocumented: true },
  ),
  properties: optional(29, map(deferred<JSONSchemaProps>((): Type => JSONSchemaProps))),
  additionalProperties: pointer(
    30,
    either(
      deferred<JSONSchemaProps>((): Type => JSONSchemaProps),
      'bool',
    ),
    { undocumented: true },
  ),
  patternProperties: optional(31, map(deferred<JSONSchemaProps>((): Type => JSONSchemaProps))),
  dependencies: optional(
    32,
    named(
      'v1.JSONSchemaDependencies',
      map(
        either(
          deferred<JSONSchemaProps>((): Type => JSONSchemaProps),
          'strings',
        ),
      ),
    ),
  ),
  additionalItems: pointer(
    33,
    either(
      deferred<JSONSchemaProps>((): Type => JSONSchemaProps),
      'bool',
    ),
    { undocumented: true },
  ),
  definitions: optional(
    34,
    named('v1.JSONSchemaDefinitions', map(deferred<JSONSchemaProps>((): Type => JSONSchemaProps))),
  ),
  externalDocs: pointer(35, ExternalDocumentation, { undocumented: true }),
  example: pointer(36, any, { undocumented: true }),
  nullable: optional(37, bool),
  'x-kubernetes-preserve-unknown-fields': pointer(38, bool, {
    go: 'XPreserveUnknownFields',
    proto: 'xKubernetesPreserveUnknownFields',
  }),
  'x-kubernetes-embedded-resource': optional(39, bool, {
    go: 'XEmbeddedResource',
    proto: 'xKubernetesEmbeddedResource',
  }),
  'x-kubernetes-int-or-string': optional(40, bool, { go: 'XIntOrString', proto: 'xKubernetesIntOrString' }),
  'x-kubernetes-list-map-keys': optional(41, atomicList(string), {
    go: 'XListMapKeys',
    proto: 'xKubernetesListMapKeys',
  }),
  'x-kubernetes-list-type': pointer(42, string, { go: 'XListType', proto: 'xKubernetesListType' }),
  'x-kubernetes-map-type': pointer(43, string, { go: 'XMapType', proto: 'xKubernetesMapType' }),
  'x-kubernetes-validations': optional(44, named('v1.ValidationRules', listMap(ValidationRule, ['rule'])), {
    patch: 'merge',
    patchKey: 'rule',
    go: 'XValidations',
    proto: 'xKubernetesValidations',
  }),
});
export interface JSONSchemaProps extends Static<typeof JSONSchemaProps> {}
