/** Definitions of custom kinds come and go; the navigation follows. */

import { useEffect } from 'preact/hooks';
import { client } from '../cluster/cluster.ts';
import { readKinds } from '../cluster/kinds.ts';
import { objectSource } from '../cluster/object-source.ts';
import { useLive } from '../cluster/use-live.ts';

const definitions = client
  .resource({ group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' })
  .metadataOnly();

/** The server serves a kind a moment after it has its definition. */
const servedAfterMs = 1200;

export function useRefreshedKinds(): void {
  const { objects } = useLive({
    key: 'custom resource definitions',
    source: objectSource(definitions, {}, ({ metadata: { uid, name } }) => ({
      metadata: { ...(uid !== undefined && { uid }), ...(name !== undefined && { name }) },
    })),
  });
  const names = [...objects.keys()].toSorted().join();
  useEffect(() => {
    if (names === '') return undefined;
    const reading = setTimeout(() => void readKinds(), servedAfterMs);
    return () => clearTimeout(reading);
  }, [names]);
}
