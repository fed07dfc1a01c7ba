/** Generates the resource claims of pods from templates, and releases unused claims. */

import { resourceClaimName } from '@coxswain/api/core/v1/pod/claim-names.ts';
import { objectKey } from '@coxswain/client';
import type { Controller } from '../controller.ts';
import { onWrite } from '../event-handlers.ts';
import { resources, type Pod, type ResourceClaim, type ResourceClaimTemplate } from '../objects.ts';
import { controllerIndex, controllerIndexValues } from '../owners.ts';
import { startReconciler } from '../reconciler.ts';
import {
  isDone,
  isMadeFor,
  isReservedFor,
  podsByResourceClaim,
  podsByTemplate,
  resourceClaimIndex,
  templateIndex,
} from './claims-of-pods.ts';
import { ClaimRelease } from './claim-release.ts';
import { PodClaims } from './pod-claims.ts';

export const resourceClaimController: Controller = {
  name: 'resourceclaim-controller',
  aliases: [],
  featureGates: ['DynamicResourceAllocation'],
  serviceAccount: 'resource-claim-controller',
  start(context) {
    const { informers } = context;
    const pods = informers.informer<Pod>(resources.pods, {
      [resourceClaimIndex]: podsByResourceClaim,
      [templateIndex]: podsByTemplate,
    });
    const claims = informers.informer<ResourceClaim>(resources.resourceClaims, {
      [controllerIndex]: controllerIndexValues,
    });
    const templates = informers.informer<ResourceClaimTemplate>(resources.resourceClaimTemplates);
    const podClaims = new PodClaims(context, claims.lister, templates.lister);
    const release = new ClaimRelease(context, pods.lister);
    const ready = () => Promise.all([pods.synced, claims.synced, templates.synced]);
    const podQueue = startReconciler(context, {
      queueName: 'resource_claim',
      ready,
      reconcile: async function syncPodClaims(key) {
        const pod = pods.lister.byKey(key);
        if (pod !== undefined && pod.metadata.deletionTimestamp === undefined) await podClaims.sync(pod);
      },
    });
    const claimQueue = startReconciler(context, {
      queueName: 'resource_claim',
      ready,
      reconcile: async function syncResourceClaim(key) {
        const claim = claims.lister.byKey(key);
        if (claim !== undefined) await release.sync(claim);
      },
    });
    const needsWork = (pod: Pod): boolean => {
      if (pod.metadata.deletionTimestamp !== undefined) return false;
      return (pod.spec?.resourceClaims ?? []).some((podClaim) => {
        const named = resourceClaimName(pod, podClaim);
        if (named.kind !== 'named') return named.kind === 'missing';
        const claim = claims.lister.get(named.name, pod.metadata.namespace);
        if (claim === undefined) return Boolean(podClaim.resourceClaimTemplateName);
        if (named.isGenerated && !isMadeFor(pod, claim)) return false;
        return Boolean(pod.spec?.nodeName && claim.status?.allocation) && !isReservedFor(pod, claim);
      });
    };
    const look = (pod: Pod, isGone = false) => {
      if (!pod.spec?.resourceClaims?.length && !pod.status?.extendedResourceClaimStatus) return;
      if (isGone || isDone(pod)) podsByResourceClaim(pod).forEach((key) => claimQueue.add(key));
      if (!isGone && needsWork(pod)) podQueue.addObject(pod);
    };
    pods.addHandler({
      added: (pod) => look(pod),
      updated: (_before, after) => look(after),
      deleted(pod) {
        if (podsByResourceClaim(pod).length > 0) release.podGone(pod.metadata.uid ?? '');
        look(pod, true);
      },
    });
    const lookAtPods = (claim: ResourceClaim) =>
      pods.lister.byIndex(resourceClaimIndex, objectKey(claim)).forEach((pod) => look(pod));
    const lookAtClaim = (claim: ResourceClaim) => {
      claimQueue.addObject(claim);
      lookAtPods(claim);
    };
    claims.addHandler({
      ...onWrite(lookAtClaim),
      deleted: lookAtPods,
    });
    const lookAtTemplate = (template: ResourceClaimTemplate) =>
      pods.lister.byIndex(templateIndex, objectKey(template)).forEach((pod) => look(pod));
    templates.addHandler(onWrite(lookAtTemplate));
  },
};
