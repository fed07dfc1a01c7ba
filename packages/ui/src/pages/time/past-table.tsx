/** The objects of a kind at an earlier resource version, as printed by the server, with their ages at that time. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import type { ApiResource } from '@coxswain/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pluralOf } from '../../cluster/kinds.ts';
import { scope } from '../../cluster/scope.ts';
import { tableAt, type ListedRow } from '../../cluster/table-source.ts';
import { Empty, Failed, Loading } from '../../controls/notice.tsx';
import { isNarrow } from '../../design/narrow.ts';
import { inLanguages } from '../../language/language.ts';
import { objectPath } from '../../navigation/paths.ts';
import { columnsOf, type ShownColumn } from '../explorer/columns.ts';

const text = inLanguages(
  {
    none: (kind: string) => `There were no ${kind}`,
    more: (count: number) => `Only the first ${count} are shown.`,
  },
  {
    none: (kind: string) => `当时没有 ${kind}`,
    more: (count: number) => `仅显示前 ${count} 个。`,
  },
);

const rowsMax = 500;

interface PastTableProps {
  readonly kind: ApiResource;
  readonly revision: number;
  readonly timeMs: number;
}

interface Seen extends Awaited<ReturnType<typeof tableAt>> {
  readonly timeMs: number;
}

export function PastTable({ kind, revision, timeMs }: PastTableProps) {
  const { seen, failure } = useTableAt(kind, revision, timeMs);
  const columns = columnsOf(seen?.columns ?? [], {
    withNamespace: kind.namespaced && scope.value === undefined,
    isWide: false,
    isNarrow: isNarrow.value,
  });
  return (
    <section class="panel" aria-labelledby="past-table-title">
      <div class="panel-head">
        <h2 id="past-table-title">{pluralOf(kind)}</h2>
        {seen !== undefined && <span class="panel-note">{seen.rows.length}</span>}
      </div>
      {failure !== undefined ? (
        <Failed failure={failure} />
      ) : seen === undefined ? (
        <Loading />
      ) : seen.rows.length === 0 ? (
        <Empty title={text().none(pluralOf(kind))} />
      ) : (
        <div class="matrix-frame">
          <table class="matrix">
            <thead>
              <tr>
                {columns.map(({ id, title }) => (
                  <th key={id}>{title}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {seen.rows.map((row) => (
                <tr key={row.metadata.uid}>
                  {columns.map((column) => (
                    <td key={column.id}>
                      <Cell kind={kind} row={row} column={column} timeMs={seen.timeMs} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {seen?.isWhole === false && <p class="entries-more">{text().more(rowsMax)}</p>}
    </section>
  );
}

interface CellProps {
  readonly kind: ApiResource;
  readonly row: ListedRow;
  readonly column: ShownColumn;
  readonly timeMs: number;
}

function Cell({ kind, row, column, timeMs }: CellProps) {
  const { namespace, name = '', creationTimestamp } = row.metadata;
  if (column.kind === 'name')
    return (
      <a class="link" href={objectPath(kind, namespace, name, 'history')}>
        {name}
      </a>
    );
  if (column.kind === 'age' && creationTimestamp !== undefined)
    return <>{humanDuration(Math.max(0, timeMs - Date.parse(creationTimestamp)))}</>;
  return <>{column.textOf(row)}</>;
}

/** During playback, moments that come faster than responses are skipped. */
function useTableAt(kind: ApiResource, revision: number, timeMs: number) {
  const [state, setState] = useState<{ readonly seen?: Seen; readonly failure?: unknown }>({});
  const wanted = useRef({ revision, timeMs });
  const isBusy = useRef(false);
  const leaving = useRef(new AbortController());
  wanted.current = { revision, timeMs };
  useEffect(() => {
    const { signal } = leaving.current;
    const read = async (): Promise<void> => {
      isBusy.current = true;
      for (let shown = 0; shown !== wanted.current.revision && !signal.aborted;) {
        const { revision, timeMs } = wanted.current;
        shown = revision;
        try {
          const table = await tableAt(kind, {
            namespace: kind.namespaced ? scope.value : undefined,
            revision,
            limit: rowsMax,
            signal,
          });
          setState({ seen: { ...table, timeMs } });
        } catch (failure) {
          if (!signal.aborted) setState({ failure });
        }
      }
      isBusy.current = false;
    };
    if (!isBusy.current) detach(read());
  }, [revision]);
  useEffect(() => () => leaving.current.abort(new Error('the page was left')), []);
  return state;
}
