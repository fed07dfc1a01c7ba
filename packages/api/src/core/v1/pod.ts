import * as t from '@coxswain/schema';
import { PodSpec } from './pod-spec.ts';
import { PodStatus } from './pod-status.ts';
import { defaultPod } from './pod-defaults.ts';
import { podColumns, podRowConditions } from './pod-columns.ts';
import { podSelectableFields } from './pod-selectable-fields.ts';
import { validateEphemeralUpdate, validatePod } from './pod-validation.ts';
import { validatePodStatus } from './pod-status-validation.ts';
import { podStatusWarnings } from './pod-status-warnings.ts';
import { podWarnings } from './pod-warnings.ts';
import { validateResize } from './pod-resize-validation.ts';

export const Pod = t.kind(
  'core/v1.Pod',
  'v1',
  { plural: 'pods', shortNames: ['po'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, PodSpec),
    status: t.optional(3, PodStatus),
  },
  {
    defaults: [defaultPod],
    validate: validatePod,
    validateStatus: validatePodStatus,
    validateSubresource: { ephemeralcontainers: validateEphemeralUpdate, resize: validateResize },
    warnings: podWarnings,
    statusWarnings: podStatusWarnings,
    columns: podColumns,
    rowConditions: podRowConditions,
    selectableFields: podSelectableFields,
    metadataSelectors: 'listed',
  },
);
export interface Pod extends t.Static<typeof Pod> {}
