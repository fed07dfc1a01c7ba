import type { ObjectMeta } from '@coxswain/schema';
import { defaultPodTemplate } from './pod/pod-defaults.ts';
import type { PodTemplateSpec } from './pod-template-spec.ts';

/** Labels and selector default to the template's labels. */
export function defaultReplicationController(controller: {
  metadata: ObjectMeta;
  spec: { selector?: Record<string, string>; template?: PodTemplateSpec };
}): void {
  const { spec } = controller;
  defaultPodTemplate(spec.template);
  const labels = spec.template?.metadata?.labels;
  if (labels == null) return;
  if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
  controller.metadata ??= {} as ObjectMeta;
  if (Object.keys(controller.metadata.labels ?? {}).length === 0) controller.metadata.labels = { ...labels };
}
