/** What the server prints of an object: the columns of its kind, in words. */

import type { KubeObject } from '@coxswain/apimachinery';
import type { ApiResource } from '@coxswain/client';
import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { printedColumns, type PrintedColumn } from '../../../cluster/table-source.ts';
import { Dot } from '../../../controls/tone.tsx';
import { toneOfCell } from '../../explorer/cell-tone.ts';
import { isStateColumn } from '../../explorer/columns.ts';

interface PrintedProps {
  readonly kind: ApiResource;
  readonly object: KubeObject;
}

export function Printed({ kind, object }: PrintedProps) {
  const columns = usePrintedColumns(kind, object);
  if (columns.length === 0) return null;
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{kind.kind}</h2>
      </div>
      <dl class="facts">
        {columns.map(({ name, description, content }) => {
          const tone = isStateColumn(name) ? toneOfCell(content) : undefined;
          return (
            <Fragment key={name}>
              <dt title={description}>{name}</dt>
              <dd>
                {tone !== undefined && <Dot tone={tone} />} {spaced(content)}
              </dd>
            </Fragment>
          );
        })}
      </dl>
    </section>
  );
}

/** A list may break after each of its items. */
const spaced = (content: string): string => content.replaceAll(/,(?=\S)/gv, ', ');

/** Kinds with panels that say more. */
const withOwnPanel: ReadonlySet<string> = new Set([
  '/pods',
  '/services',
  '/resourcequotas',
  '/configmaps',
  '/secrets',
  '/events',
  'events.k8s.io/events',
]);

/** Words of the server for a cell without content. */
const nothing: ReadonlySet<string> = new Set(['<none>', '<unset>']);

function usePrintedColumns(kind: ApiResource, object: KubeObject): readonly PrintedColumn[] {
  const [columns, setColumns] = useState<readonly PrintedColumn[]>([]);
  const { namespace, name = '', resourceVersion } = object.metadata;
  useEffect(() => {
    if (withOwnPanel.has(`${kind.group}/${kind.resource}`)) return undefined;
    const leaving = new AbortController();
    // The rest of the page says when an object cannot be read.
    printedColumns(kind, { namespace, name, signal: leaving.signal }).then(
      (printed) => setColumns(printed.filter(({ content }) => !nothing.has(content))),
      () => undefined,
    );
    return () => leaving.abort();
  }, [resourceVersion]);
  return columns;
}
