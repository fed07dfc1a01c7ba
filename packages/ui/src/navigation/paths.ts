/** The addresses of pages that other pages link to. */

import type { GroupVersionResource } from '@coxswain/apimachinery';

/** Stands for the core group, which has no name, and for no namespace. */
const none = '-';

const segment = (text: string | undefined): string => encodeURIComponent(text || none);

export const explorerPath = ({ group, version, resource }: GroupVersionResource): string =>
  `/explore/${segment(group)}/${segment(version)}/${segment(resource)}`;

export const objectPath = (
  { group, version, resource }: GroupVersionResource,
  namespace: string | undefined,
  name: string,
  tab = '',
): string =>
  `/object/${segment(group)}/${segment(version)}/${segment(resource)}/${segment(namespace)}/${segment(name)}${tab === '' ? '' : `/${tab}`}`;

export const placementPath = (namespace: string | undefined, name: string): string =>
  `/scheduler/${segment(namespace)}/${segment(name)}`;

export const chapterPath = (id: string): string => `/tour/${segment(id)}`;

/** The inverse, for the segments after the first. */
export const segmentsOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(2)
    .map((part) => decodeURIComponent(part))
    .map((part) => (part === none ? '' : part));
