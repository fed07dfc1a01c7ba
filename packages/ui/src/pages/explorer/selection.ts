/** The selected rows, by UID. Objects that are deleted are deselected. */

import { useMemo, useState } from 'preact/hooks';
import type { ListedRow } from '../../cluster/table-source.ts';

export interface Selection {
  readonly uids: ReadonlySet<string>;
  toggle(uid: string): void;
  set(uids: Iterable<string>): void;
  clear(): void;
}

export function useSelection(rows: ReadonlyMap<string, ListedRow>): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const uids = useMemo(() => {
    const present = [...chosen].filter((uid) => rows.has(uid));
    return present.length === chosen.size ? chosen : new Set(present);
  }, [chosen, rows]);
  return {
    uids,
    toggle: (uid) =>
      setChosen((before) => {
        const next = new Set(before);
        if (!next.delete(uid)) next.add(uid);
        return next;
      }),
    set: (uids) => setChosen(new Set(uids)),
    clear: () => setChosen(new Set()),
  };
}
