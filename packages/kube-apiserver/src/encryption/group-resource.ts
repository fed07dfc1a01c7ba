import type { GroupResource } from '@coxswain/apimachinery';

/** `secrets`, `deployments.apps`, `*.apps`, `*.`, `*.*` */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  if (dot < 0) return { group: '', resource: text };
  return { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

export const isSameResource = (one: GroupResource, other: GroupResource): boolean =>
  one.group === other.group && one.resource === other.resource;

/** The core group has no name, so `*.` matches all of it. */
export const resourceText = ({ group, resource }: GroupResource): string =>
  group === '' && resource === '*' ? '*.' : group === '' ? resource : `${resource}.${group}`;
