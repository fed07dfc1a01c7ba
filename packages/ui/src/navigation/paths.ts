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

/** The query parameter for further pods, `namespace/name`, whose logs are shown beside those of a pod. */
export const besideMember = 'beside';

/** The logs of one or several pods. */
export function logsPath(pods: readonly { readonly namespace?: string; readonly name?: string }[]): string {
  const [first, ...others] = pods;
  const query = new URLSearchParams(
    others.map(({ namespace, name }) => [besideMember, `${namespace}/${name}`]),
  );
  const path = objectPath(
    { group: '', version: 'v1', resource: 'pods' },
    first?.namespace,
    first?.name ?? '',
    'logs',
  );
  return others.length === 0 ? path : `${path}?${query.toString()}`;
}

export const placementPath = (namespace: string | undefined, name: string): string =>
  `/scheduler/${segment(namespace)}/${segment(name)}`;

/** What is not given is asked on the page. */
interface AccessQuestion {
  readonly as: string;
  readonly verb?: string;
  readonly resource?: string;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/** The page that explains who may do something, and why somebody may not. */
export const accessPath = (question: AccessQuestion): string => {
  const asked = Object.entries(question).filter(
    (member): member is [string, string] => member[1] !== undefined,
  );
  return `/access?${new URLSearchParams(asked).toString()}`;
};

export const chapterPath = (id: string): string => `/tour/${segment(id)}`;

/** The inverse, for the segments after the first. */
export const segmentsOf = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(2)
    .map((part) => decodeURIComponent(part))
    .map((part) => (part === none ? '' : part));
