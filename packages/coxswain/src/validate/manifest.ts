/** An object as somebody wrote it, and where. */
import type { KubeObject } from '@coxswain/apimachinery';

export interface Manifest {
  readonly source: ManifestSource;
  /** Where its document begins in the source, counted from 1. */
  readonly line: number;
  /** The document; of a kustomization, which has none, empty. */
  readonly text: string;
  /** Its place in the document: `['items', 2]` in a list. */
  readonly path: readonly (string | number)[];
  /** With `apiVersion` and `kind`; nothing else is known of it. */
  readonly object: KubeObject;
}

export interface ManifestSource {
  /** A file, a directory of a kustomization, or `stdin`. */
  readonly name: string;
  /** What rendered it, as helm says in a comment: `shop/templates/web.yaml`. */
  readonly template?: string;
}

/** `Deployment shop/web`, as far as it says who it is. */
export function manifestTitle({ object }: Manifest): string {
  const { name, generateName, namespace } = (object.metadata ?? {}) as Partial<KubeObject['metadata']>;
  const called = name ?? (generateName === undefined ? '' : `${generateName}*`);
  return [object.kind, [namespace, called].filter(Boolean).join('/')].filter(Boolean).join(' ');
}

export const groupOf = ({ apiVersion = '' }: KubeObject): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
