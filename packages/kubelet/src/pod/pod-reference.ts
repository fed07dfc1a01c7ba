import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** The object reference of an event about a pod or one of its containers. */
export function podReference({ metadata, spec }: Pod, container: string | undefined) {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata ?? {};
  const reference = { kind: 'Pod', apiVersion: 'v1', namespace, name, uid, resourceVersion };
  if (container === undefined) return reference;
  const lists = ['initContainers', 'ephemeralContainers'] as const;
  const list = lists.find((each) => spec?.[each]?.some((one) => one.name === container)) ?? 'containers';
  return { ...reference, fieldPath: `spec.${list}{${container}}` };
}
