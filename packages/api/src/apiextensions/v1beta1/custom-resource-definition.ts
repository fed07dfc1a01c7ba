import {
  always,
  atomicList,
  bool,
  bytes,
  int32,
  int64,
  kind,
  listMap,
  ObjectMeta,
  optional,
  pointer,
  string,
  struct,
  time,
  named,
} from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { JSONSchemaProps } from './json-schema-props.ts';
import { defaultDefinition, agreeOnVersions } from '../v1/custom-resource-definition-defaults.ts';
import { defaultColumns } from '../../meta/columns.ts';

export const CustomResourceColumnDefinition = struct('apiextensions/v1beta1.CustomResourceColumnDefinition', {
  name: always(1, string),
  type: always(2, string),
  format: optional(3, string),
  description: optional(4, string),
  priority: optional(5, int32),
  JSONPath: always(6, string),
});
export interface CustomResourceColumnDefinition extends Static<typeof CustomResourceColumnDefinition> {}

export const ServiceReference = struct('apiextensions/v1beta1.ServiceReference', {
  namespace: always(1, string),
  name: always(2, string),
  path: pointer(3, string),
  port: pointer(4, int32, { default: 443 }),
});
export interface ServiceReference extends Static<typeof ServiceReference> {}

export const WebhookClientConfig = struct('apiextensions/v1beta1.WebhookClientConfig', {
  url: pointer(3, string, { go: 'URL' }),
  service: pointer(1, ServiceReference),
  caBundle: optional(2, bytes, { go: 'CABundle' }),
});
export interface WebhookClientConfig extends Static<typeof WebhookClientConfig> {}

export const CustomResourceConversion = struct('apiextensions/v1beta1.CustomResourceConversion', {
  strategy: always(1, named('v1beta1.ConversionStrategyType', string)),
  webhookClientConfig: pointer(2, WebhookClientConfig),
  conversionReviewVersions: optional(3, atomicList(string)),
});
export interface CustomResourceConversion extends Static<typeof CustomResourceConversion> {}

export const CustomResourceDefinitionNames = struct('apiextensions/v1beta1.CustomResourceDefinitionNames', {
  plural: always(1, string),
  singular: optional(2, string),
  shortNames: optional(3, atomicList(string)),
  kind: always(4, string),
  listKind: optional(5, string),
  categories: optional(6, atomicList(string)),
});
export interface CustomResourceDefinitionNames extends Static<typeof CustomResourceDefinitionNames> {}

export const CustomResourceValidation = struct('apiextensions/v1beta1.CustomResourceValidation', {
  openAPIV3Schema: pointer(1, JSONSchemaProps),
});
export interface CustomResourceValidation extends Static<typeof CustomResourceValidation> {}

export const CustomResourceSubresourceStatus = struct(
  'apiextensions/v1beta1.CustomResourceSubresourceStatus',
  {},
);
export interface CustomResourceSubresourceStatus extends Static<typeof CustomResourceSubresourceStatus> {}

export const CustomResourceSubresourceScale = struct('apiextensions/v1beta1.CustomResourceSubresourceScale', {
  specReplicasPath: always(1, string),
  statusReplicasPath: always(2, string),
  labelSelectorPath: pointer(3, string),
});
export interface CustomResourceSubresourceScale extends Static<typeof CustomResourceSubresourceScale> {}

export const CustomResourceSubresources = struct('apiextensions/v1beta1.CustomResourceSubresources', {
  status: pointer(1, CustomResourceSubresourceStatus),
  scale: pointer(2, CustomResourceSubresourceScale),
});
export interface CustomResourceSubresources extends Static<typeof CustomResourceSubresources> {}

export const SelectableField = struct('apiextensions/v1beta1.SelectableField', {
  jsonPath: always(1, string, { go: 'JSONPath' }),
});
export interface SelectableField extends Static<typeof SelectableField> {}

export const CustomResourceDefinitionVersion = struct(
  'apiextensions/v1beta1.CustomResourceDefinitionVersion',
  {
    name: always(1, string),
    served: always(2, bool),
    storage: always(3, bool),
    deprecated: optional(7, bool),
    deprecationWarning: pointer(8, string),
    schema: pointer(4, CustomResourceValidation),
    subresources: pointer(5, CustomResourceSubresources),
    additionalPrinterColumns: optional(6, atomicList(CustomResourceColumnDefinition)),
    selectableFields: optional(9, atomicList(SelectableField), { gate: 'CustomResourceFieldSelectors' }),
  },
);
export interface CustomResourceDefinitionVersion extends Static<typeof CustomResourceDefinitionVersion> {}

export const CustomResourceDefinitionSpec = struct('apiextensions/v1beta1.CustomResourceDefinitionSpec', {
  group: always(1, string),
  version: optional(2, string),
  names: always(3, CustomResourceDefinitionNames),
  scope: always(4, named('v1beta1.ResourceScope', string), { default: 'Namespaced' }),
  validation: pointer(5, CustomResourceValidation),
  subresources: pointer(6, CustomResourceSubresources),
  versions: optional(7, atomicList(CustomResourceDefinitionVersion)),
  additionalPrinterColumns: optional(8, atomicList(CustomResourceColumnDefinition)),
  selectableFields: optional(11, atomicList(SelectableField), { gate: 'CustomResourceFieldSelectors' }),
  conversion: pointer(9, CustomResourceConversion),
  preserveUnknownFields: pointer(10, bool, { default: true }),
});
export interface CustomResourceDefinitionSpec extends Static<typeof CustomResourceDefinitionSpec> {}

export const CustomResourceDefinitionCondition = struct(
  'apiextensions/v1beta1.CustomResourceDefinitionCondition',
  {
    type: always(1, named('v1beta1.CustomResourceDefinitionConditionType', string)),
    status: always(2, named('v1beta1.ConditionStatus', string)),
    lastTransitionTime: optional(3, time),
    reason: optional(4, string),
    message: optional(5, string),
    observedGeneration: optional(6, int64, { gate: 'CRDObservedGenerationTracking' }),
  },
);
export interface CustomResourceDefinitionCondition extends Static<typeof CustomResourceDefinitionCondition> {}

export const CustomResourceDefinitionStatus = struct('apiextensions/v1beta1.CustomResourceDefinitionStatus', {
  conditions: always(1, listMap(CustomResourceDefinitionCondition, ['type'])),
  acceptedNames: always(2, CustomResourceDefinitionNames),
  storedVersions: always(3, atomicList(string)),
  observedGeneration: optional(4, int64, { gate: 'CRDObservedGenerationTracking' }),
});
export interface CustomResourceDefinitionStatus extends Static<typeof CustomResourceDefinitionStatus> {}

export const CustomResourceDefinition = kind(
  'apiextensions/v1beta1.CustomResourceDefinition',
  'apiextensions.k8s.io/v1beta1',
  {
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
  },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, CustomResourceDefinitionSpec),
    status: optional(3, CustomResourceDefinitionStatus),
  },
  {
    defaults: [agreeOnVersions, defaultDefinition],
    columns: defaultColumns,
  },
);
export interface CustomResourceDefinition extends Static<typeof CustomResourceDefinition> {}
