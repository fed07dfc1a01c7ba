import { detach } from '@coxswain/apimachinery/detach.ts';
import { readHistory, type ObjectHistory } from '@coxswain/client/history/object-history.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { resourceIn } from '../../../cluster/cluster.ts';
import type { ObjectTabProps } from '../object-tab.ts';

/** Each change costs a request. */
const changesMax = 100;

export interface HistoryState {
  readonly history?: ObjectHistory;
  readonly failure?: unknown;
}

/** Reads the history once and extends it when the object changes, one read at a time, since changes may come fast. */
export function useHistory({ kind, namespace, name, object, isDeleted }: ObjectTabProps): HistoryState {
  const [state, setState] = useState<HistoryState>({});
  const reading = useRef({ isBusy: false, isStale: false, hasLeft: false, known: state.history });
  useEffect(() => {
    const now = reading.current;
    const resource = resourceIn(kind, namespace);
    const read = async (): Promise<void> => {
      now.isStale = true;
      if (now.isBusy) return;
      now.isBusy = true;
      while (now.isStale && !now.hasLeft) {
        now.isStale = false;
        try {
          now.known = (await readHistory(resource, name, changesMax, now.known)) ?? now.known;
          setState({ history: now.known ?? { changes: [], begins: 'compacted' } });
        } catch (failure) {
          setState({ history: now.known, failure });
        }
      }
      now.isBusy = false;
    };
    detach(read());
  }, [object.metadata.resourceVersion, isDeleted]);
  useEffect(() => () => void (reading.current.hasLeft = true), []);
  return state;
}
