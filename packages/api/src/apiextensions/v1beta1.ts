import * as t from '@coxswain/schema';
import { defaultDefinition, agreeOnVersions } from './v1/custom-resource-definition-defaults.ts';
import * as v1 from './v1/index.ts';

export const ConversionReview = t.kindIn('apiextensions/v1beta1', v1.ConversionReview);
export interface ConversionReview extends t.Static<typeof ConversionReview> {}

export const ExternalDocumentation = t.structIn('apiextensions/v1beta1', v1.ExternalDocumentation);
export interface ExternalDocumentation extends t.Static<typeof ExternalDocumentation> {}

export const ValidationRule = t.structIn('apiextensions/v1beta1', v1.ValidationRule, {
  fields: {
    rule: t.always(1, t.string),
    reason: t.pointer(4, t.named('v1beta1.FieldValueErrorReason', t.string)),
  },
});
export interface ValidationRule extends t.Static<typeof ValidationRule> {}

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

export const CustomResourceColumnDefinition = t.structIn(
  'apiextensions/v1beta1',
  v1.CustomResourceColumnDefinition,
  {
    fields: { name: t.always(1, t.string), type: t.always(2, t.string), JSONPath: t.always(6, t.string) },
    without: ['jsonPath'],
  },
);
export interface CustomResourceColumnDefinition extends t.Static<typeof CustomResourceColumnDefinition> {}

export const ServiceReference = t.structIn('apiextensions/v1beta1', v1.ServiceReference, {
  fields: { namespace: t.always(1, t.string), name: t.always(2, t.string) },
});
export interface ServiceReference extends t.Static<typeof ServiceReference> {}

export const WebhookClientConfig = t.structIn('apiextensions/v1beta1', v1.WebhookClientConfig, {
  fields: { service: t.pointer(1, ServiceReference) },
});
export interface WebhookClientConfig extends t.Static<typeof WebhookClientConfig> {}

export const CustomResourceConversion = t.struct('apiextensions/v1beta1.CustomResourceConversion', {
  strategy: t.always(1, t.named('v1beta1.ConversionStrategyType', t.string)),
  webhookClientConfig: t.pointer(2, WebhookClientConfig),
  conversionReviewVersions: t.optional(3, t.atomicList(t.string)),
});
export interface CustomResourceConversion extends t.Static<typeof CustomResourceConversion> {}

export const CustomResourceDefinitionNames = t.structIn(
  'apiextensions/v1beta1',
  v1.CustomResourceDefinitionNames,
  { fields: { plural: t.always(1, t.string), kind: t.always(4, t.string) } },
);
export interface CustomResourceDefinitionNames extends t.Static<typeof CustomResourceDefinitionNames> {}

export const CustomResourceValidation = t.struct('apiextensions/v1beta1.CustomResourceValidation', {
  openAPIV3Schema: t.pointer(1, JSONSchemaProps),
});
export interface CustomResourceValidation extends t.Static<typeof CustomResourceValidation> {}

export const CustomResourceSubresourceScale = t.structIn(
  'apiextensions/v1beta1',
  v1.CustomResourceSubresourceScale,
  { fields: { specReplicasPath: t.always(1, t.string), statusReplicasPath: t.always(2, t.string) } },
);
export interface CustomResourceSubresourceScale extends t.Static<typeof CustomResourceSubresourceScale> {}

export const CustomResourceSubresources = t.structIn('apiextensions/v1beta1', v1.CustomResourceSubresources, {
  fields: { scale: t.pointer(2, CustomResourceSubresourceScale) },
});
export interface CustomResourceSubresources extends t.Static<typeof CustomResourceSubresources> {}

export const SelectableField = t.struct('apiextensions/v1beta1.SelectableField', {
  jsonPath: t.always(1, t.string, { go: 'JSONPath' }),
});
export interface SelectableField extends t.Static<typeof SelectableField> {}

export const CustomResourceDefinitionVersion = t.structIn(
  'apiextensions/v1beta1',
  v1.CustomResourceDefinitionVersion,
  {
    fields: {
      name: t.always(1, t.string),
      served: t.always(2, t.bool),
      storage: t.always(3, t.bool),
      schema: t.pointer(4, CustomResourceValidation),
      subresources: t.pointer(5, CustomResourceSubresources),
      additionalPrinterColumns: t.optional(6, t.atomicList(CustomResourceColumnDefinition)),
      selectableFields: t.optional(9, t.atomicList(SelectableField), {
        gate: 'CustomResourceFieldSelectors',
      }),
    },
  },
);
export interface CustomResourceDefinitionVersion extends t.Static<typeof CustomResourceDefinitionVersion> {}

export const CustomResourceDefinitionSpec = t.struct('apiextensions/v1beta1.CustomResourceDefinitionSpec', {
  group: t.always(1, t.string),
  version: t.optional(2, t.string),
  names: t.always(3, CustomResourceDefinitionNames),
  scope: t.always(4, t.named('v1beta1.ResourceScope', t.string), { default: 'Namespaced' }),
  validation: t.pointer(5, CustomResourceValidation),
  subresources: t.pointer(6, CustomResourceSubresources),
  versions: t.optional(7, t.atomicList(CustomResourceDefinitionVersion)),
  additionalPrinterColumns: t.optional(8, t.atomicList(CustomResourceColumnDefinition)),
  selectableFields: t.optional(11, t.atomicList(SelectableField), { gate: 'CustomResourceFieldSelectors' }),
  conversion: t.pointer(9, CustomResourceConversion),
  preserveUnknownFields: t.pointer(10, t.bool, { default: true }),
});
export interface CustomResourceDefinitionSpec extends t.Static<typeof CustomResourceDefinitionSpec> {}

export const CustomResourceDefinitionCondition = t.structIn(
  'apiextensions/v1beta1',
  v1.CustomResourceDefinitionCondition,
  {
    fields: {
      type: t.always(1, t.named('v1beta1.CustomResourceDefinitionConditionType', t.string)),
      status: t.always(2, t.named('v1beta1.ConditionStatus', t.string)),
    },
  },
);
export interface CustomResourceDefinitionCondition extends t.Static<
  typeof CustomResourceDefinitionCondition
> {}

export const CustomResourceDefinitionStatus = t.structIn(
  'apiextensions/v1beta1',
  v1.CustomResourceDefinitionStatus,
  {
    fields: {
      conditions: t.always(1, t.listMap(CustomResourceDefinitionCondition, ['type'])),
      acceptedNames: t.always(2, CustomResourceDefinitionNames),
    },
  },
);
export interface CustomResourceDefinitionStatus extends t.Static<typeof CustomResourceDefinitionStatus> {}

export const CustomResourceDefinition = t.kindIn(
  'apiextensions/v1beta1',
  v1.CustomResourceDefinition,
  {
    fields: {
      spec: t.always(2, CustomResourceDefinitionSpec),
      status: t.optional(3, CustomResourceDefinitionStatus),
    },
    shared: ['columns'],
  },
  { defaults: [agreeOnVersions, defaultDefinition] },
);
export interface CustomResourceDefinition extends t.Static<typeof CustomResourceDefinition> {}
