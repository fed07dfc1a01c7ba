/** Before apps/v1beta2 a DaemonSet's templateGeneration was a field; now it is an annotation. */
import { DaemonSet } from '@coxswain/api/apps/v1/daemon-set.ts';
import { setTemplateGeneration, templateGenerationOf } from '@coxswain/api/apps/template-generation.ts';
import { DaemonSet as OldDaemonSet } from '@coxswain/api/extensions/v1beta1.ts';
import { annotate, changing } from '../conversion.ts';

const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

export const templateGenerationConversion = changing(DaemonSet, OldDaemonSet, {
  toStorage(object) {
    const { templateGeneration, ...spec } = object.spec as { readonly templateGeneration?: number };
    object.spec = spec;
    object.metadata = { ...object.metadata, annotations: { ...object.metadata.annotations } };
    setTemplateGeneration(object, templateGeneration ?? 0);
  },
  fromStorage(object) {
    const templateGeneration = templateGenerationOf(object);
    annotate(object, templateGenerationAnnotation, undefined);
    if (templateGeneration !== 0) object.spec = { ...(object.spec as object), templateGeneration };
  },
});
