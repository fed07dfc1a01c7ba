import { useMemo } from 'preact/hooks';
import { useLoggedRequests } from '../../../work/logged-requests.ts';
import { recorded } from '../../../work/recorder.ts';
import { workOn, type Work } from '../../../work/work.ts';
import type { ObjectTabProps } from '../object-tab.ts';

/** The known work on the object, from a test cluster's log or a recording. */
export function useWorkOn({ kind, namespace, name, object }: ObjectTabProps): readonly Work[] {
  const target = useMemo(
    () => ({ group: kind.group, version: kind.version, resource: kind.resource, namespace, name }),
    [kind, namespace, name],
  );
  const logged = useLoggedRequests(target, object.metadata.resourceVersion);
  const all = recorded.value;
  return useMemo(() => [...logged, ...workOn(target, all)], [logged, all, target]);
}
