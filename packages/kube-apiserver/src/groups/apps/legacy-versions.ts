/** Workloads in the versions before apps/v1. */
import * as appsV1beta1 from '@coxswain/api/apps/v1beta1.ts';
import * as appsV1beta2 from '@coxswain/api/apps/v1beta2.ts';
import * as extensions from '@coxswain/api/extensions/v1beta1.ts';
import type { FieldError } from '@coxswain/apimachinery';
import { legacy, type OtherVersion } from '../resource.ts';
import { oldScale } from '../scale/convert-scale.ts';
import { templateGenerationConversion } from './convert-daemon-set.ts';
import { rollbackConversion } from './convert-deployment.ts';
import { rollbackSubresource } from './rollback.ts';

/** The default was to orphan dependents. */
const orphaning: Pick<OtherVersion, 'strategy'> = {
  strategy: () => ({ defaultGarbageCollection: 'orphan' }),
};

/** Selectors were mutable before apps/v1beta2. */
const mutableSelector = (errors: readonly FieldError[]): readonly FieldError[] =>
  errors.filter(({ field, detail }) => field !== 'spec.selector' || detail !== 'field is immutable');

const oldest = { ...orphaning, errors: mutableSelector };

export const deploymentVersions: readonly OtherVersion[] = [
  legacy(appsV1beta2.Deployment, { ...orphaning, scale: oldScale(appsV1beta2.Scale) }),
  legacy(appsV1beta1.Deployment, {
    ...oldest,
    conversion: rollbackConversion(appsV1beta1.Deployment),
    scale: oldScale(appsV1beta1.Scale),
    subresources: rollbackSubresource(appsV1beta1.DeploymentRollback),
  }),
  legacy(extensions.Deployment, {
    ...oldest,
    conversion: rollbackConversion(extensions.Deployment),
    scale: oldScale(extensions.Scale),
    subresources: rollbackSubresource(extensions.DeploymentRollback),
  }),
];

export const daemonSetVersions: readonly OtherVersion[] = [
  legacy(appsV1beta2.DaemonSet, orphaning),
  legacy(extensions.DaemonSet, { ...oldest, conversion: templateGenerationConversion }),
];

export const replicaSetVersions: readonly OtherVersion[] = [
  legacy(appsV1beta2.ReplicaSet, { ...orphaning, scale: oldScale(appsV1beta2.Scale) }),
  legacy(extensions.ReplicaSet, { ...oldest, scale: oldScale(extensions.Scale) }),
];

export const statefulSetVersions: readonly OtherVersion[] = [
  legacy(appsV1beta2.StatefulSet, { ...orphaning, scale: oldScale(appsV1beta2.Scale) }),
  legacy(appsV1beta1.StatefulSet, { ...orphaning, scale: oldScale(appsV1beta1.Scale) }),
];

export const controllerRevisionVersions: readonly OtherVersion[] = [
  legacy(appsV1beta2.ControllerRevision),
  legacy(appsV1beta1.ControllerRevision),
];
