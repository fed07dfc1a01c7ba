import * as t from '@coxswain/schema';
import { PodSpec } from './pod-spec.ts';
import { PodStatus } from './pod-status.ts';
import { defaultPod } from './pod/pod-defaults.ts';
import { podColumns, podRowConditions } from './pod/pod-columns.ts';
import { podSelectableFields } from './pod/pod-selectable-fields.ts';
import { validateEphemeralUpdate, validatePod } from './pod/pod-validation.ts';
import { validatePodStatus } from './pod/pod-status-validation.ts';
import { podStatusWarnings } from './pod/pod-status-warnings.ts';
import { podWarnings } from './pod/pod-warnings.ts';
import { validateResize } from './pod/pod-resize-validation.ts';

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
