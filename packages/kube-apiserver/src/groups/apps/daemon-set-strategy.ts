import { goEqual } from '@coxswain/schema';
import { PodTemplateSpec } from '@coxswain/api/core/v1/pod-template-spec.ts';
import { setTemplateGeneration, templateGenerationOf } from '@coxswain/api/apps/template-generation.ts';
import type { Strategy } from '@coxswain/apiserver';
import type { StatusEndpoint } from '../resource.ts';
import type { AnyObject } from '../any-object.ts';

/** The template has a generation of its own, which old clients still read. */
export const daemonSetStrategy: Partial<Strategy<AnyObject>> = {
  prepareForCreate(object) {
    if (templateGenerationOf(object) < 1) setTemplateGeneration(object, 1);
  },
  prepareForUpdate(object, old) {
    const changed = !goEqual(PodTemplateSpec, templateOf(object), templateOf(old), 'semantic');
    setTemplateGeneration(object, templateGenerationOf(old) + (changed ? 1 : 0));
  },
};

/** In upstream's internal type templateGeneration belongs to the spec. */
export const daemonSetStatusEndpoint: StatusEndpoint = {
  prepareForUpdate: (object, old) => setTemplateGeneration(object, templateGenerationOf(old)),
};

const templateOf = (object: AnyObject): unknown =>
  (object.spec as { template?: unknown } | undefined)?.template;
