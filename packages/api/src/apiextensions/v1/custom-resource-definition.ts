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
import { defaultDefinition } from './custom-resource-definition-defaults.ts';
import { defaultColumns } from '../../meta/columns.ts';
import { validateDefinition, validateDefinitionStatus } from '../definition-validation.ts';
import { formatWarnings } from '../format-warnings.ts';

export const CustomResourceColumnDefinition = struct('apiextensions/v1.CustomResourceColumnDefinition', {
  name: always(1, string, { required: true }),
  type: always(2, string, { required: true }),
  format: optional(3, string),
  description: optional(4, string),
  priority: optional(5, int32),
  jsonPath: always(6, string, { required: true, go: 'JSONPath' }),
});
export interface CustomResourceColumnDefinition extends Static<typeof CustomResourceColumnDefinition> {}

export const ServiceReference = struct('apiextensions/v1.ServiceReference', {
  namespace: always(1, string, { required: true }),
  name: always(2, string, { required: true }),
  path: pointer(3, string),
  port: pointer(4, int32, { default: 443 }),
});
export interface ServiceReference extends Static<typeof ServiceReference> {}

export const WebhookClientConfig = struct('apiextensions/v1.WebhookClientConfig', {
  url: pointer(3, string, { go: 'URL' }),
  service: pointer(1, ServiceReference),
  caBundle: optional(2, bytes, { go: 'CABundle' }),
});
export interface WebhookClientConfig extends Static<typeof WebhookClientConfig> {}

export const WebhookConversion = struct('apiextensions/v1.WebhookConversion', {
  clientConfig: pointer(2, WebhookClientConfig),
  conversionReviewVersions: always(3, atomicList(string), { required: true }),
});
export interface WebhookConversion extends Static<typeof WebhookConversion> {}

export const CustomResourceConversion = struct('apiextensions/v1.CustomResourceConversion', {
  strategy: always(1, named('v1.ConversionStrategyType', string), { required: true }),
  webhook: pointer(2, WebhookConversion),
});
export interface CustomResourceConversion extends Static<typeof CustomResourceConversion> {}

export const CustomResourceDefinitionNames = struct('apiextensions/v1.CustomResourceDefinitionNames', {
  plural: always(1, string, { required: true }),
  singular: optional(2, string),
  shortNames: optional(3, atomicList(string)),
  kind: always(4, string, { required: true }),
  listKind: optional(5, string),
  categories: optional(6, atomicList(string)),
});
export interface CustomResourceDefinitionNames extends Static<typeof CustomResourceDefinitionNames> {}

export const CustomResourceValidation = struct('apiextensions/v1.CustomResourceValidation', {
  openAPIV3Schema: pointer(1, JSONSchemaProps),
});
export interface CustomResourceValidation extends Static<typeof CustomResourceValidation> {}

export const CustomResourceSubresourceStatus = struct('apiextensions/v1.CustomResourceSubresourceStatus', {});
export interface CustomResourceSubresourceStatus extends Static<typeof CustomResourceSubresourceStatus> {}

export const CustomResourceSubresourceScale = struct('apiextensions/v1.CustomResourceSubresourceScale', {
  specReplicasPath: always(1, string, { required: true }),
  statusReplicasPath: always(2, string, { required: true }),
  labelSelectorPath: pointer(3, string),
});
export interface CustomResourceSubresourceScale extends Static<typeof CustomResourceSubresourceScale> {}

export const CustomResourceSubresources = struct('apiextensions/v1.CustomResourceSubresources', {
  status: pointer(1, CustomResourceSubresourceStatus),
  scale: pointer(2, CustomResourceSubresourceScale),
});
export interface CustomResourceSubresources extends Static<typeof CustomResourceSubresources> {}

export const SelectableField = struct('apiextensions/v1.SelectableField', {
  jsonPath: always(1, string, { required: true, go: 'JSONPath' }),
});
export interface SelectableField extends Static<typeof SelectableField> {}

export const CustomResourceDefinitionVersion = struct('apiextensions/v1.CustomResourceDefinitionVersion', {
  name: always(1, string, { required: true }),
  served: always(2, bool, { required: true }),
  storage: always(3, bool, { required: true }),
  deprecated: optional(7, bool),
  deprecationWarning: pointer(8, string),
  schema: pointer(4, CustomResourceValidation),
  subresources: pointer(5, CustomResourceSubresources),
  additionalPrinterColumns: optional(6, atomicList(CustomResourceColumnDefinition)),
  selectableFields: optional(9, atomicList(SelectableField), { gate: 'CustomResourceFieldSelectors' }),
});
export interface CustomResourceDefinitionVersion extends Static<typeof CustomResourceDefinitionVersion> {}

export const CustomResourceDefinitionSpec = struct('apiextensions/v1.CustomResourceDefinitionSpec', {
  group: always(1, string, { required: true }),
  names: always(3, CustomResourceDefinitionNames, { required: true }),
  scope: always(4, named('v1.ResourceScope', string), { required: true }),
  versions: always(7, atomicList(CustomResourceDefinitionVersion), { required: true }),
  conversion: pointer(9, CustomResourceConversion),
  preserveUnknownFields: optional(10, bool),
});
export interface CustomResourceDefinitionSpec extends Static<typeof CustomResourceDefinitionSpec> {}

export const CustomResourceDefinitionCondition = struct(
  'apiextensions/v1.CustomResourceDefinitionCondition',
  {
    type: always(1, named('v1.CustomResourceDefinitionConditionType', string), { required: true }),
    status: always(2, named('v1.ConditionStatus', string), { required: true }),
    lastTransitionTime: optional(3, time),
    reason: optional(4, string),
    message: optional(5, string),
    observedGeneration: optional(6, int64, { gate: 'CRDObservedGenerationTracking' }),
  },
);
export interface CustomResourceDefinitionCondition extends Static<typeof CustomResourceDefinitionCondition> {}

export const CustomResourceDefinitionStatus = struct('apiextensions/v1.CustomResourceDefinitionStatus', {
  conditions: always(1, listMap(CustomResourceDefinitionCondition, ['type'])),
  acceptedNames: always(2, CustomResourceDefinitionNames),
  storedVersions: always(3, atomicList(string)),
  observedGeneration: optional(4, int64, { gate: 'CRDObservedGenerationTracking' }),
});
export interface CustomResourceDefinitionStatus extends Static<typeof CustomResourceDefinitionStatus> {}

export const CustomResourceDefinition = kind(
  'apiextensions/v1.CustomResourceDefinition',
  'apiextensions.k8s.io/v1',
  {
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
  },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    spec: always(2, CustomResourceDefinitionSpec, { required: true }),
    status: optional(3, CustomResourceDefinitionStatus),
  },
  {
    defaults: [defaultDefinition],
    validate: validateDefinition,
    validateStatus: validateDefinitionStatus,
    warnings: formatWarnings,
    columns: defaultColumns,
  },
);
export interface CustomResourceDefinition extends Static<typeof CustomResourceDefinition> {}
