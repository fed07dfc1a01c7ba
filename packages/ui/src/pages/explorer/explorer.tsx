/** All objects of a kind, as printed by the server, kept current. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ApiResource } from '@coxswain/client';
import { kindOf, pluralOf } from '../../cluster/kinds.ts';
import { scope } from '../../cluster/scope.ts';
import { tableKey, tableSource, type TableColumn, type TableSelection } from '../../cluster/table-source.ts';
import { useLive } from '../../cluster/use-live.ts';
import { Empty, Failed, Loading } from '../../controls/notice.tsx';
import { UnknownKind } from '../../controls/unknown-kind.tsx';
import { isNarrow } from '../../design/narrow.ts';
import { inLanguages, language } from '../../language/language.ts';
import { segmentsOf } from '../../navigation/paths.ts';
import { currentPath, currentQuery } from '../../navigation/route.ts';
import { ActionBar } from './action-bar.tsx';
import { columnsOf } from './columns.ts';
import { Filters } from './filters/filters.tsx';
import { ObjectTable } from './object-table.tsx';
import { shownRows } from './shown-rows.ts';
import { useSelection } from './selection.ts';
import './explorer.css';

const text = inLanguages(
  {
    none: (kind: string) => `No ${kind}`,
    noneHere: (namespace: string) => `The namespace ${namespace} contains none.`,
    noneSelected: 'None matches the selectors.',
    noneAtAll: 'The cluster contains none yet.',
    noneMatch: (filter: string, all: number) => `None of the ${all.toLocaleString()} contains “${filter}”.`,
    reading: 'loading …',
    stale: 'not up to date: ',
  },
  {
    none: (kind: string) => `没有 ${kind}`,
    noneHere: (namespace: string) => `命名空间 ${namespace} 中没有。`,
    noneSelected: '没有符合选择器的对象。',
    noneAtAll: '集群中尚无此类对象。',
    noneMatch: (filter: string, all: number) => `${all.toLocaleString()} 个对象中没有包含“${filter}”的。`,
    reading: '正在读取…',
    stale: '不是最新状态：',
  },
);

export default function Explorer() {
  const [group = '', version = '', resource = ''] = segmentsOf(currentPath.value);
  const kind = kindOf(group, version, resource);
  if (kind === undefined) return <UnknownKind />;
  return <KindOfObjects key={`${group}/${version}/${resource}`} kind={kind} />;
}

function KindOfObjects({ kind }: { readonly kind: ApiResource }) {
  const query = currentQuery.value;
  const selection = {
    namespace: kind.namespaced ? (query.get('namespace') ?? scope.value) : undefined,
    labelSelector: query.get('labels') ?? undefined,
    fieldSelector: query.get('fields') ?? undefined,
  };
  const key = tableKey(kind, selection);
  const [definitions, setDefinitions] = useColumnDefinitions(key);
  const state = useLive(
    useMemo(() => ({ key, source: tableSource(kind, selection, setDefinitions) }), [key]),
  );
  const columns = useMemo(
    () =>
      columnsOf(definitions, {
        withNamespace: kind.namespaced && selection.namespace === undefined,
        isWide: query.get('wide') === '1',
        isNarrow: isNarrow.value,
      }),
    [definitions, kind, selection.namespace, query.get('wide'), isNarrow.value, language.value],
  );
  const filter = query.get('filter') ?? '';
  const sort = query.get('sort') ?? '';
  const rows = useMemo(
    () => shownRows(state.objects, columns, filter, sort),
    [state.objects, columns, filter, sort],
  );
  const selected = useSelection(state.objects);
  return (
    <div class="explorer">
      <header class="page-head explorer-head">
        <h1>{pluralOf(kind)}</h1>
        <span class="panel-note" role="status">
          {(state.phase === 'live' || state.objects.size > 0) && counted(rows.length, state.objects.size)}{' '}
          {state.phase === 'loading' && text().reading}
        </span>
        <Filters kind={kind} rows={state.objects} />
      </header>
      {state.phase === 'stale' && (
        <p class="explorer-stale" role="alert">
          {text().stale}
          {String((state.failure as Error)?.message ?? '')}
        </p>
      )}
      {state.phase === 'failed' ? (
        <Failed failure={state.failure} />
      ) : state.phase === 'loading' && rows.length === 0 ? (
        <Loading lines={14} />
      ) : rows.length === 0 ? (
        <Empty title={text().none(pluralOf(kind))}>
          {state.objects.size > 0 ? text().noneMatch(filter, state.objects.size) : noneThere(selection)}
        </Empty>
      ) : (
        <ObjectTable kind={kind} columns={columns} rows={rows} sort={sort} selected={selected} />
      )}
      <ActionBar kind={kind} rows={state.objects} selected={selected} />
    </div>
  );
}

/** Why the table is empty: what was selected, as far as there is a selection. */
function noneThere({ namespace, labelSelector, fieldSelector }: TableSelection): string {
  if (labelSelector !== undefined || fieldSelector !== undefined) return text().noneSelected;
  return namespace === undefined ? text().noneAtAll : text().noneHere(namespace);
}

const counted = (shown: number, all: number): string =>
  shown === all ? all.toLocaleString() : `${shown.toLocaleString()} / ${all.toLocaleString()}`;

/** The columns of tables that have been open before are available immediately. */
const known = new Map<string, readonly TableColumn[]>();
const knownMax = 50;

function useColumnDefinitions(key: string) {
  const [definitions, setDefinitions] = useState<readonly TableColumn[]>(known.get(key) ?? []);
  useEffect(() => setDefinitions(known.get(key) ?? []), [key]);
  const set = (found: readonly TableColumn[]): void => {
    if (known.size >= knownMax) known.clear();
    known.set(key, found);
    setDefinitions(found);
  };
  return [definitions, set] as const;
}
