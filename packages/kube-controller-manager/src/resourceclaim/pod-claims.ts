/**
 * The claims that a pod needs: generated from templates, recorded in the pod's status, and reserved once the pod has a
 * node.
 */

import { resourceClaimName, type PodResourceClaim } from '@coxswain/api/core/v1/pod/claim-names.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Lister, ResourceClient } from '@coxswain/client';
import type { ControllerContext } from '../controller.ts';
import { resources, type Pod, type ResourceClaim, type ResourceClaimTemplate } from '../objects.ts';
import { controllerIndex } from '../owners.ts';
import { isMadeFor, isReservedFor, podClaimAnnotation } from './claims-of-pods.ts';

const fieldManager = 'ResourceClaimController';
/** Leaves room for a hyphen and five random characters in a name of 63. */
const generatedPrefixLengthMax = 57;
/** The maximum number of generated claims that the informer has not seen yet; the oldest are forgotten first. */
const madeMax = 1000;

export class PodClaims {
  readonly #context: ControllerContext;
  readonly #claims: Lister<ResourceClaim>;
  readonly #templates: Lister<ResourceClaimTemplate>;
  /** By the pod's uid and the name of the claim within the pod. */
  readonly #made = new Map<string, ResourceClaim>();

  constructor(
    context: ControllerContext,
    claims: Lister<ResourceClaim>,
    templates: Lister<ResourceClaimTemplate>,
  ) {
    this.#context = context;
    this.#claims = claims;
    this.#templates = templates;
  }

  async sync(pod: Pod): Promise<void> {
    const made: { name: string; resourceClaimName: string }[] = [];
    for (const podClaim of pod.spec?.resourceClaims ?? []) {
      const claim = await this.#find(pod, podClaim).catch((error: unknown) =>
        this.#fail(pod, podClaim, error as Error),
      );
      if (claim !== undefined)
        made.push({ name: podClaim.name, resourceClaimName: claim.metadata.name ?? '' });
    }
    if (made.length > 0) await this.#note(pod, made);
    if (pod.spec?.nodeName) await this.#reserve(pod);
  }

  /** Returns a claim that the pod's status does not mention yet; undefined if there is nothing to record. */
  async #find(pod: Pod, podClaim: PodResourceClaim): Promise<ResourceClaim | undefined> {
    const named = resourceClaimName(pod, podClaim);
    if (named.kind === 'needless') return undefined;
    if (named.kind === 'named') {
      const claim = this.#claims.get(named.name, pod.metadata.namespace);
      if (claim !== undefined && (!named.isGenerated || isMadeFor(pod, claim))) return undefined;
    }
    const templateName = podClaim.resourceClaimTemplateName;
    if (!templateName) return undefined;
    return this.#madeFor(pod, podClaim) ?? (await this.#make(pod, podClaim, templateName));
  }

  #madeFor({ metadata }: Pod, { name }: PodResourceClaim): ResourceClaim | undefined {
    const key = `${metadata.uid}/${name}`;
    const seen = this.#claims
      .byIndex(controllerIndex, metadata.uid ?? '')
      .find((claim) => claim.metadata.annotations?.[podClaimAnnotation] === name);
    if (seen !== undefined) this.#made.delete(key);
    return seen ?? this.#made.get(key);
  }

  async #make(pod: Pod, { name }: PodResourceClaim, templateName: string): Promise<ResourceClaim> {
    const { namespace = '' } = pod.metadata;
    const template = this.#templates.get(templateName, namespace);
    if (template === undefined) {
      const missing = `resourceclaimtemplate.resource.k8s.io "${templateName}" not found`;
      throw new Error(`resource claim template "${templateName}": ${missing}`);
    }
    const { metadata, spec } = template.spec;
    const claim = {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: {
        namespace,
        generateName: generatedPrefix(pod.metadata.name ?? '', name),
        annotations: { ...metadata?.annotations, [podClaimAnnotation]: name },
        ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
        ownerReferences: [
          {
            apiVersion: 'v1',
            kind: 'Pod',
            name: pod.metadata.name ?? '',
            uid: pod.metadata.uid ?? '',
            controller: true,
          },
        ],
      },
      spec,
    } as unknown as ResourceClaim;
    const created = await this.#client(namespace)
      .create(claim)
      .catch((error: unknown) => {
        throw new Error(`create ResourceClaim : ${messageOf(error)}`, { cause: error });
      });
    if (this.#made.size >= madeMax) this.#made.delete(this.#made.keys().next().value ?? '');
    this.#made.set(`${pod.metadata.uid}/${name}`, created);
    return created;
  }

  #fail(pod: Pod, { name }: PodResourceClaim, error: Error): never {
    const { namespace = '', name: podName = '' } = pod.metadata;
    const text = `PodResourceClaim ${name}: ${error.message}`;
    const about = { ...pod, apiVersion: 'v1', kind: 'Pod' };
    this.#context.events('resource_claim').event(about, 'Warning', 'FailedResourceClaimCreation', text);
    throw new Error(`pod ${namespace}/${podName}, ${text}`, { cause: error });
  }

  async #note({ metadata }: Pod, resourceClaimStatuses: readonly object[]): Promise<void> {
    const { namespace = '', name = '' } = metadata;
    const applied = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace },
      status: { resourceClaimStatuses },
    } as unknown as Pod;
    await this.#context.client
      .resource<Pod>(resources.pods)
      .namespace(namespace)
      .apply(applied, { fieldManager, force: true, subresource: 'status' });
  }

  /** For pods that were not bound by the scheduler. */
  async #reserve(pod: Pod): Promise<void> {
    const { namespace = '', name = '', uid = '' } = pod.metadata;
    for (const podClaim of pod.spec?.resourceClaims ?? []) {
      const named = resourceClaimName(pod, podClaim);
      if (named.kind === 'missing') return;
      if (named.kind === 'needless') continue;
      const claim = this.#claims.get(named.name, namespace);
      if (claim === undefined) return;
      if (!claim.status?.allocation || isReservedFor(pod, claim)) continue;
      const reservedFor = [...(claim.status.reservedFor ?? []), { resource: 'pods', name, uid }];
      await this.#client(namespace).updateStatus({ ...claim, status: { ...claim.status, reservedFor } });
    }
  }

  #client(namespace: string): ResourceClient<ResourceClaim> {
    return this.#context.client.resource<ResourceClaim>(resources.resourceClaims).namespace(namespace);
  }
}

/** Combines both names, truncated if necessary. */
export function generatedPrefix(podName: string, claimName: string): string {
  const full = `${podName}-${claimName}-`;
  if (full.length <= generatedPrefixLengthMax) return full;
  const share = (name: string) =>
    name.slice(0, Math.floor((name.length * generatedPrefixLengthMax) / full.length));
  return `${share(podName)}-${share(claimName)}`;
}
