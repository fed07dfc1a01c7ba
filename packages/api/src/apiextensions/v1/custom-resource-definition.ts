import * as t from '@coxswain/schema';
import { defaultDefinition } from './custom-resource-definition-defaults.ts';
import { defaultColumns } from '../../meta/columns.ts';
import { validateDefinition, validateDefinitionStatus } from '../definition-validation.ts';
import { formatWarnings } from '../format-warnings.ts';
import {
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
} from './custom-resource-definition-spec.ts';

export const CustomResourceDefinitionCondition = t.struct(
  'apiextensions/v1.CustomResourceDefinitionCondition',
  {
    type: t.always(1, t.named('v1.CustomResourceDefinitionConditionType', t.string), { required: true }),
    status: t.always(2, t.named('v1.ConditionStatus', t.string), { required: true }),
    lastTransitionTime: t.optional(3, t.time),
    reason: t.optional(4, t.string),
    message: t.optional(5, t.string),
    observedGeneration: t.optional(6, t.int64, { gate: 'CRDObservedGenerationTracking' }),
  },
);
export interface CustomResourceDefinitionCondition extends t.Static<
  typeof CustomResourceDefinitionCondition
> {}

export const CustomResourceDefinitionStatus = t.struct('apiextensions/v1.CustomResourceDefinitionStatus', {
  conditions: t.always(1, t.listMap(CustomResourceDefinitionCondition, ['type'])),
  acceptedNames: t.always(2, CustomResourceDefinitionNames),
  storedVersions: t.always(3, t.atomicList(t.string)),
  observedGeneration: t.optional(4, t.int64, { gate: 'CRDObservedGenerationTracking' }),
});
export interface CustomResourceDefinitionStatus extends t.Static<typeof CustomResourceDefinitionStatus> {}

export const CustomResourceDefinition = t.kind(
  'apiextensions/v1.CustomResourceDefinition',
  'apiextensions.k8s.io/v1',
  {
    plural: 'customresourcedefinitions',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
  },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.always(2, CustomResourceDefinitionSpec, { required: true }),
    status: t.optional(3, CustomResourceDefinitionStatus),
  },
  {
    defaults: [defaultDefinition],
    validate: validateDefinition,
    validateStatus: validateDefinitionStatus,
    warnings: formatWarnings,
    columns: defaultColumns,
  },
);
export interface CustomResourceDefinition extends t.Static<typeof CustomResourceDefinition> {}
