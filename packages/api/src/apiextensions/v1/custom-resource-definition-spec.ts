import * as t from '@coxswain/schema';
import { JSONSchemaProps } from './json-schema-props.ts';

export const CustomResourceColumnDefinition = t.struct('apiextensions/v1.CustomResourceColumnDefinition', {
  name: t.always(1, t.string, { required: true }),
  type: t.always(2, t.string, { required: true }),
  format: t.optional(3, t.string),
  description: t.optional(4, t.string),
  priority: t.optional(5, t.int32),
  jsonPath: t.always(6, t.string, { required: true, go: 'JSONPath' }),
});
export interface CustomResourceColumnDefinition extends t.Static<typeof CustomResourceColumnDefinition> {}

export const ServiceReference = t.struct('apiextensions/v1.ServiceReference', {
  namespace: t.always(1, t.string, { required: true }),
  name: t.always(2, t.string, { required: true }),
  path: t.pointer(3, t.string),
  port: t.pointer(4, t.int32, { default: 443 }),
});
export interface ServiceReference extends t.Static<typeof ServiceReference> {}

export const WebhookClientConfig = t.struct('apiextensions/v1.WebhookClientConfig', {
  url: t.pointer(3, t.string, { go: 'URL' }),
  service: t.pointer(1, ServiceReference),
  caBundle: t.optional(2, t.bytes, { go: 'CABundle' }),
});
export interface WebhookClientConfig extends t.Static<typeof WebhookClientConfig> {}

export const WebhookConversion = t.struct('apiextensions/v1.WebhookConversion', {
  clientConfig: t.pointer(2, WebhookClientConfig),
  conversionReviewVersions: t.always(3, t.atomicList(t.string), { required: true }),
});
export interface WebhookConversion extends t.Static<typeof WebhookConversion> {}

export const CustomResourceConversion = t.struct('apiextensions/v1.CustomResourceConversion', {
  strategy: t.always(1, t.named('v1.ConversionStrategyType', t.string), { required: true }),
  webhook: t.pointer(2, WebhookConversion),
});
export interface CustomResourceConversion extends t.Static<typeof CustomResourceConversion> {}

export const CustomResourceDefinitionNames = t.struct('apiextensions/v1.CustomResourceDefinitionNames', {
  plural: t.always(1, t.string, { required: true }),
  singular: t.optional(2, t.string),
  shortNames: t.optional(3, t.atomicList(t.string)),
  kind: t.always(4, t.string, { required: true }),
  listKind: t.optional(5, t.string),
  categories: t.optional(6, t.atomicList(t.string)),
});
export interface CustomResourceDefinitionNames extends t.Static<typeof CustomResourceDefinitionNames> {}

export const CustomResourceValidation = t.struct('apiextensions/v1.CustomResourceValidation', {
  openAPIV3Schema: t.pointer(1, JSONSchemaProps),
});
export interface CustomResourceValidation extends t.Static<typeof CustomResourceValidation> {}

export const CustomResourceSubresourceStatus = t.struct(
  'apiextensions/v1.CustomResourceSubresourceStatus',
  {},
);
export interface CustomResourceSubresourceStatus extends t.Static<typeof CustomResourceSubresourceStatus> {}

export const CustomResourceSubresourceScale = t.struct('apiextensions/v1.CustomResourceSubresourceScale', {
  specReplicasPath: t.always(1, t.string, { required: true }),
  statusReplicasPath: t.always(2, t.string, { required: true }),
  labelSelectorPath: t.pointer(3, t.string),
});
export interface CustomResourceSubresourceScale extends t.Static<typeof CustomResourceSubresourceScale> {}

export const CustomResourceSubresources = t.struct('apiextensions/v1.CustomResourceSubresources', {
  status: t.pointer(1, CustomResourceSubresourceStatus),
  scale: t.pointer(2, CustomResourceSubresourceScale),
});
export interface CustomResourceSubresources extends t.Static<typeof CustomResourceSubresources> {}

export const SelectableField = t.struct('apiextensions/v1.SelectableField', {
  jsonPath: t.always(1, t.string, { required: true, go: 'JSONPath' }),
});
export interface SelectableField extends t.Static<typeof SelectableField> {}

export const CustomResourceDefinitionVersion = t.struct('apiextensions/v1.CustomResourceDefinitionVersion', {
  name: t.always(1, t.string, { required: true }),
  served: t.always(2, t.bool, { required: true }),
  storage: t.always(3, t.bool, { required: true }),
  deprecated: t.optional(7, t.bool),
  deprecationWarning: t.pointer(8, t.string),
  schema: t.pointer(4, CustomResourceValidation),
  subresources: t.pointer(5, CustomResourceSubresources),
  additionalPrinterColumns: t.optional(6, t.atomicList(CustomResourceColumnDefinition)),
  selectableFields: t.optional(9, t.atomicList(SelectableField), { gate: 'CustomResourceFieldSelectors' }),
});
export interface CustomResourceDefinitionVersion extends t.Static<typeof CustomResourceDefinitionVersion> {}

export const CustomResourceDefinitionSpec = t.struct('apiextensions/v1.CustomResourceDefinitionSpec', {
  group: t.always(1, t.string, { required: true }),
  names: t.always(3, CustomResourceDefinitionNames, { required: true }),
  scope: t.always(4, t.named('v1.ResourceScope', t.string), { required: true }),
  versions: t.always(7, t.atomicList(CustomResourceDefinitionVersion), { required: true }),
  conversion: t.pointer(9, CustomResourceConversion),
  preserveUnknownFields: t.optional(10, t.bool),
});
export interface CustomResourceDefinitionSpec extends t.Static<typeof CustomResourceDefinitionSpec> {}
