import * as t from '@coxswain/schema';
import { ExternalDocumentation } from './external-documentation.ts';
import { ValidationRule } from './validation-rule.ts';

export const JSONSchemaProps = t.struct('apiextensions/v1beta1.JSONSchemaProps', {
  id: t.optional(1, t.string, { go: 'ID' }),
  $schema: t.optional(2, t.named('v1beta1.JSONSchemaURL', t.string), { go: 'Schema', proto: 'schema' }),
  $ref: t.pointer(3, t.string, { go: 'Ref', proto: 'ref' }),
  description: t.optional(4, t.string),
  type: t.optional(5, t.string),
  format: t.optional(6, t.string),
  title: t.optional(7, t.string),
  default: t.pointer(8, t.any),
  maximum: t.pointer(9, t.float64),
  exclusiveMaximum: t.optional(10, t.bool),
  minimum: t.pointer(11, t.float64),
  exclusiveMinimum: t.optional(12, t.bool),
  maxLength: t.pointer(13, t.int64),
  minLength: t.pointer(14, t.int64),
  pattern: t.optional(15, t.string),
  maxItems: t.pointer(16, t.int64),
  minItems: t.pointer(17, t.int64),
  uniqueItems: t.optional(18, t.bool),
  multipleOf: t.pointer(19, t.float64),
  enum: t.optional(20, t.atomicList(t.any)),
  maxProperties: t.pointer(21, t.int64),
  minProperties: t.pointer(22, t.int64),
  required: t.optional(23, t.atomicList(t.string)),
  items: t.pointer(
    24,
    t.either(
      t.deferred<JSONSchemaProps>((): t.Type => JSONSchemaProps),
      'list',
    ),
  ),
  allOf: t.optional(25, t.atomicList(t.deferred<JSONSchemaProps>((): t.Type => JSONSchemaProps))),
  oneOf: t.optional(26, t.atomicList(t.deferred<JSONSchemaProps>((): t.Type => JSONSchemaProps))),
  anyOf: t.optional(27, t.atomicList(t.deferred<JSONSchemaProps>((): t.Type => JSONSchemaProps))),
  not: t.pointer(
    28,
    t.deferred<JSONSchemaProps>((): t.Type => JSONSchemaProps),
  ),
  properties: t.optional(29, t.map(t.deferred<JSONSchemaProps>((): t.Type => JSONSchemaProps))),
  additionalProperties: t.pointer(
    30,
    t.either(
      t.deferred<JSONSchemaProps>((): t.Type => JSONSchemaProps),
      'bool',
    ),
  ),
  patternProperties: t.optional(31, t.map(t.deferred<JSONSchemaProps>((): t.Type => JSONSchemaProps))),
  dependencies: t.optional(
    32,
    t.named(
      'v1beta1.JSONSchemaDependencies',
      t.map(
        t.either(
          t.deferred<JSONSchemaProps>((): t.Type => JSONSchemaProps),
          'strings',
        ),
      ),
    ),
  ),
  additionalItems: t.pointer(
    33,
    t.either(
      t.deferred<JSONSchemaProps>((): t.Type => JSONSchemaProps),
      'bool',
    ),
  ),
  definitions: t.optional(
    34,
    t.named(
      'v1beta1.JSONSchemaDefinitions',
      t.map(t.deferred<JSONSchemaProps>((): t.Type => JSONSchemaProps)),
    ),
  ),
  externalDocs: t.pointer(35, ExternalDocumentation),
  example: t.pointer(36, t.any),
  nullable: t.optional(37, t.bool),
  'x-kubernetes-preserve-unknown-fields': t.pointer(38, t.bool, {
    go: 'XPreserveUnknownFields',
    proto: 'xKubernetesPreserveUnknownFields',
  }),
  'x-kubernetes-embedded-resource': t.optional(39, t.bool, {
    go: 'XEmbeddedResource',
    proto: 'xKubernetesEmbeddedResource',
  }),
  'x-kubernetes-int-or-string': t.optional(40, t.bool, {
    go: 'XIntOrString',
    proto: 'xKubernetesIntOrString',
  }),
  'x-kubernetes-list-map-keys': t.optional(41, t.atomicList(t.string), {
    go: 'XListMapKeys',
    proto: 'xKubernetesListMapKeys',
  }),
  'x-kubernetes-list-type': t.pointer(42, t.string, { go: 'XListType', proto: 'xKubernetesListType' }),
  'x-kubernetes-map-type': t.pointer(43, t.string, { go: 'XMapType', proto: 'xKubernetesMapType' }),
  'x-kubernetes-validations': t.optional(
    44,
    t.named('v1beta1.ValidationRules', t.listMap(ValidationRule, ['rule'])),
    {
      patch: 'merge',
      patchKey: 'rule',
      go: 'XValidations',
      proto: 'xKubernetesValidations',
    },
  ),
});
export interface JSONSchemaProps extends t.Static<typeof JSONSchemaProps> {}
