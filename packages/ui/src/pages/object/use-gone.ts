import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { readHistory } from '@coxswain/client/history/object-history.ts';
import { useEffect, useState } from 'preact/hooks';
import { resourceIn } from '../../cluster/cluster.ts';

/**
 * The last known state of a deleted object, as far as the server's history goes; undefined for one that never existed.
 */
export function useGone(
  kind: ApiResource,
  namespace: string | undefined,
  name: string,
  isSought: boolean,
): KubeObject | undefined | 'sought' {
  const [found, setFound] = useState<KubeObject | undefined | 'sought'>('sought');
  useEffect(() => {
    if (!isSought) return undefined;
    let hasLeft = false;
    const resource = resourceIn(kind, namespace);
    readHistory(resource, name, 1).then(
      (history) => hasLeft || setFound(history?.changes[0]?.before),
      () => hasLeft || setFound(undefined),
    );
    return () => {
      hasLeft = true;
    };
  }, [isSought]);
  return found;
}
