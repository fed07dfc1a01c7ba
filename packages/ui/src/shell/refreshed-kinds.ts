/** Updates the navigation when custom resource definitions come and go, and when it could not be read and is tried again. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { useEffect, useRef } from 'preact/hooks';
import { attempt } from '../cluster/attempt.ts';
import { client } from '../cluster/cluster.ts';
import { kinds, readKinds } from '../cluster/kinds.ts';
import { objectSource } from '../cluster/object-source.ts';
import { useLive } from '../cluster/use-live.ts';

const definitions = client
  .resource({ group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' })
  .metadataOnly();

/** The server serves a kind shortly after its definition is created. */
const servedAfterMs = 1200;

export function useRefreshedKinds(): void {
  const { phase, objects } = useLive({
    key: 'custom resource definitions',
    source: objectSource(definitions, {}, ({ metadata: { uid, name } }) => ({
      metadata: { ...(uid !== undefined && { uid }), ...(name !== undefined && { name }) },
    })),
  });
  const isKnown = phase === 'live' && !kinds.value.isLoading;
  const names = [...objects.values()].map(({ metadata: { name = '' } }) => name).toSorted();
  const all = names.join();
  const read = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (kinds.peek().failure !== undefined) detach(readKinds());
  }, [attempt.value]);
  useEffect(() => {
    if (!isKnown || read.current === all) return undefined;
    // The initial discovery already includes the definitions that existed then.
    if (read.current === undefined && names.every(isServed)) return void (read.current = all);
    const reading = setTimeout(() => {
      read.current = all;
      detach(readKinds());
    }, servedAfterMs);
    return () => clearTimeout(reading);
  }, [all, isKnown]);
}

/** @param name `crontabs.stable.example.com` */
const isServed = (name: string): boolean =>
  kinds.peek().resources.some(({ group, resource }) => `${resource}.${group}` === name);
