import * as t from '@coxswain/schema';
import { defaultDefinition, agreeOnVersions } from './v1/custom-resource-definition-defaults.ts';
import * as v1 from './v1/index.ts';

export const ConversionReview = t.kindIn('apiextensions/v1beta1', v1.ConversionReview);
export interface ConversionReview extends t.Static<typeof ConversionReview> {}

export const ValidationRule = t.structIn('apiextensions/v1beta1', v1.ValidationRule, {
  fields: {
    rule: t.always(1, t.string),
    reason: t.pointer(4, t.named('v1beta1.FieldValueErrorReason', t.string)),
  },
});
export interface ValidationRule extends t.Static<typeof ValidationRule> {}

export const JSONSchemaProps = t.structIn('apiextensions/v1beta1', v1.JSONSchemaProps, {
  fields: {
    'x-kubernetes-validations': t.optional(
      44,
      t.named('v1beta1.ValidationRules', t.listMap(ValidationRule, ['rule'])),
      { patch: 'merge', patchKey: 'rule', go: 'XValidations', proto: 'xKubernetesValidations' },
    ),
  },
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
