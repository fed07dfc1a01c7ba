import { client } from './cluster.ts';
import { objectSource } from './object-source.ts';
import { useLive } from './use-live.ts';

const namespaces = {
  key: 'namespace names',
  source: objectSource(
    client.resource('v1', 'namespaces').metadataOnly(),
    {},
    ({ metadata: { uid, name } }) => ({
      metadata: { uid, name } as { uid: string; name: string },
    }),
  ),
};

/** Sorted; undefined if the user may not list namespaces. */
export function useNamespaceNames(): readonly string[] | undefined {
  const { objects, phase } = useLive(namespaces);
  return phase === 'failed'
    ? undefined
    : [...objects.values()].map(({ metadata }) => metadata.name ?? '').toSorted();
}
