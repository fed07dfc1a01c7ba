import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** What an event of a pod, or of one of its containers, is about. */
export function podReference({ metadata, spec }: Pod, container: string | undefined) {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata ?? {};
  const reference = { kind: 'Pod', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  if (container === undefined) return reference;
  const lists = ['initContainers', 'ephemeralContainers'] as const;
  const list = lists.find((each) => spec?.[each]?.some((one) => one.name === container)) ?? 'containers';
  return { ...reference, fieldPath: `spec.${list}{${container}}` };
}
