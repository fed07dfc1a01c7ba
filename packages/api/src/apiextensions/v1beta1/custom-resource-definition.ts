import * as t from '@coxswain/schema';
import { JSONSchemaProps } from './json-schema-props.ts';
import { defaultDefinition, agreeOnVersions } from '../v1/custom-resource-definition-defaults.ts';
import { defaultColumns } from '../../meta/columns.ts';

export const CustomResourceColumnDefinition = t.struct(
  'apiextensions/v1beta1.CustomResourceColumnDefinition',
  {
    name: t.always(1, t.string),
    type: t.always(2, t.string),
    format: t.optional(3, t.string),
    description: t.optional(4, t.string),
    priority: t.optional(5, t.int32),
    JSONPath: t.always(6, t.string),
  },
);
export interface CustomResourceColumnDefinition extends t.Static<typeof CustomResourceColumnDefinition> {}

export const ServiceReference = t.struct('apiextensions/v1beta1.ServiceReference', {
  namespace: t.always(1, t.string),
  name: t.always(2, t.string),
  path: t.pointer(3, t.string),
  port: t.pointer(4, t.int32, { default: 443 }),
});
export interface ServiceReference extends t.Static<typeof ServiceReference> {}

export const WebhookClientConfig = t.struct('apiextensions/v1beta1.WebhookClientConfig', {
  url: t.pointer(3, t.string, { go: 'URL' }),
  service: t.pointer(1, ServiceReference),
  caBundle: t.optional(2, t.bytes, { go: 'CABundle' }),
});
export interface WebhookClientConfig extends t.Static<typeof WebhookClientConfig> {}

export const CustomResourceConversion = t.struct('apiextensions/v1beta1.CustomResourceConversion', {
  strategy: t.always(1, t.named('v1beta1.ConversionStrategyType', t.string)),
  webhookClientConfig: t.pointer(2, WebhookClientConfig),
  conversionReviewVersions: t.optional(3, t.atomicList(t.string)),
});
export interface CustomResourceConversion extends t.Static<typeof CustomResourceConversion> {}

export const CustomResourceDefinitionNames = t.struct('apiextensions/v1beta1.CustomResourceDefinitionNames', {
  plural: t.always(1, t.string),
  singular: t.optional(2, t.string),
  shortNames: t.optional(3, t.atomicList(t.string)),
  kind: t.always(4, t.string),
  listKind: t.optional(5, t.string),
  categories: t.optional(6, t.atomicList(t.string)),
});
export interface CustomResourceDefinitionNames extends t.Static<typeof CustomResourceDefinitionNames> {}

export const CustomResourceValidation = t.struct('apiextensions/v1beta1.CustomResourceValidation', {
  openAPIV3Schema: t.pointer(1, JSONSchemaProps),
});
export interface CustomResourceValidation extends t.Static<typeof CustomResourceValidation> {}

export const CustomResourceSubresourceStatus = t.struct(
  'apiextensions/v1beta1.CustomResourceSubresourceStatus',
  {},
);
export interface CustomResourceSubresourceStatus extends t.Static<typeof CustomResourceSubresourceStatus> {}

export const CustomResourceSubresourceScale = t.struct(
  'apiextensions/v1beta1.CustomResourceSubresourceScale',
  {
    specReplicasPath: t.always(1, t.string),
    statusReplicasPath: t.always(2, t.string),
    labelSelectorPath: t.pointer(3, t.string),
  },
);
export interface CustomResourceSubresourceScale extends t.Static<typeof CustomResourceSubresourceScale> {}

export const CustomResourceSubresources = t.struct('apiextensions/v1beta1.CustomResourceSubresources', {
  status: t.pointer(1, CustomResourceSubresourceStatus),
  scale: t.pointer(2, CustomResourceSubresourceScale),
});
export interface CustomResourceSubresources extends t.Static<typeof CustomResourceSubresources> {}

export const SelectableField = t.struct('apiextensions/v1beta1.SelectableField', {
  jsonPath: t.always(1, t.string, { go: 'JSONPath' }),
});
export interface SelectableField extends t.Static<typeof SelectableField> {}

export const CustomResourceDefinitionVersion = t.struct(
  'apiextensions/v1beta1.CustomResourceDefinitionVersion',
  {
    name: t.always(1, t.string),
    served: t.always(2, t.bool),
    storage: t.always(3, t.bool),
    deprecated: t.optional(7, t.bool),
    deprecationWarning: t.pointer(8, t.string),
    schema: t.pointer(4, CustomResourceValidation),
    subresources: t.pointer(5, CustomResourceSubresources),
    additionalPrinterColumns: t.optional(6, t.atomicList(CustomResourceColumnDefinition)),
    selectableFields: t.optional(9, t.atomicList(SelectableField), { gate: 'CustomResourceFieldSelectors' }),
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

export const CustomResourceDefinitionCondition = t.struct(
  'apiextensions/v1beta1.CustomResourceDefinitionCondition',
  {
    type: t.always(1, t.named('v1beta1.CustomResourceDefinitionConditionType', t.string)),
    status: t.always(2, t.named('v1beta1.ConditionStatus', t.string)),
    lastTransitionTime: t.optional(3, t.time),
    reason: t.optional(4, t.string),
    message: t.optional(5, t.string),
    observedGeneration: t.optional(6, t.int64, { gate: 'CRDObservedGenerationTracking' }),
  },
);
export interface CustomResourceDefinitionCondition extends t.Static<
  typeof CustomResourceDefinitionCondition
> {}

export const CustomResourceDefinitionStatus = t.struct(
  'apiextensions/v1beta1.CustomResourceDefinitionStatus',
  {
    conditions: t.always(1, t.listMap(CustomResourceDefinitionCondition, ['type'])),
    acceptedNames: t.always(2, CustomResourceDefinitionNames),
    storedVersions: t.always(3, t.atomicList(t.string)),
    observedGeneration: t.optional(4, t.int64, { gate: 'CRDObservedGenerationTracking' }),
  },
);
export interface CustomResourceDefinitionStatus extends t.Static<typeof CustomResourceDefinitionStatus> {}

export const CustomResourceDefinition = t.kind(
  'apiextensions/v1beta1.CustomResourceDefinition',
  'apiextensions.k8s.io/v1beta1',
  {
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
  },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, CustomResourceDefinitionSpec),
    status: t.optional(3, CustomResourceDefinitionStatus),
  },
  {
    defaults: [agreeOnVersions, defaultDefinition],
    columns: defaultColumns,
  },
);
export interface CustomResourceDefinition extends t.Static<typeof CustomResourceDefinition> {}
