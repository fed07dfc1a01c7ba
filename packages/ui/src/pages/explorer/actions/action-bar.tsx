/** What can be done with the selected rows, and what the user may do of it. */

import type { ApiResource } from '@coxswain/client';
import { useState } from 'preact/hooks';
import type { TableRow } from '../../../cluster/table-source.ts';
import { useMay } from '../../../cluster/permissions.ts';
import { Button } from '../../../controls/button.tsx';
import { inLanguages } from '../../../language/language.ts';
import type { Selection } from '../selection.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { LabelDialog } from './label-dialog.tsx';
import { restart } from './many-objects.ts';
import { ScaleDialog } from './scale-dialog.tsx';

const text = inLanguages(
  {
    selected: (count: number) => `${count} selected`,
    delete: 'Delete',
    scale: 'Scale',
    restart: 'Restart',
    label: 'Label',
    clear: 'Clear',
    actions: 'Actions',
  },
  {
    selected: (count: number) => `已选 ${count} 个`,
    delete: '删除',
    scale: '伸缩',
    restart: '重启',
    label: '标签',
    clear: '清除',
    actions: '操作',
  },
);

export interface ChosenObjects {
  readonly kind: ApiResource;
  readonly rows: readonly TableRow[];
  readonly onClose: () => void;
  /** When it is done; the rows are not selected any more. */
  readonly onDone: () => void;
}

interface ActionBarProps {
  readonly kind: ApiResource;
  readonly rows: ReadonlyMap<string, TableRow>;
  readonly selected: Selection;
}

const restartable: ReadonlySet<string> = new Set(['deployments', 'statefulsets', 'daemonsets']);

export function ActionBar({ kind, rows, selected }: ActionBarProps) {
  const [open, setOpen] = useState<'delete' | 'scale' | 'label' | undefined>(undefined);
  const chosen = [...selected.uids].flatMap((uid) => rows.get(uid) ?? []);
  const namespaces = new Set(chosen.map(({ metadata }) => metadata.namespace));
  const namespace = namespaces.size === 1 ? [...namespaces][0] : undefined;
  const ask = (verb: string, subresource?: string) =>
    chosen.length === 0
      ? undefined
      : { verb, resource: kind, namespace, ...(subresource !== undefined && { subresource }) };
  const mayDelete = useMay(ask('delete'));
  const mayPatch = useMay(ask('patch'));
  const mayScale = useMay(ask('patch', 'scale'));
  if (chosen.length === 0) return null;
  const close = (): void => setOpen(undefined);
  const done = (): void => {
    close();
    selected.clear();
  };
  const props: ChosenObjects = { kind, rows: chosen, onClose: close, onDone: done };
  return (
    <div class="action-bar" role="toolbar" aria-label={text().actions}>
      <span>{text().selected(chosen.length)}</span>
      {kind.subresources.some(({ name }) => name === 'scale') && (
        <Button icon="scale" may={mayScale} onPress={() => setOpen('scale')}>
          {text().scale}
        </Button>
      )}
      {kind.group === 'apps' && restartable.has(kind.resource) && (
        <Button icon="restart" may={mayPatch} onPress={() => void restart(props).then(done)}>
          {text().restart}
        </Button>
      )}
      <Button icon="label" may={mayPatch} onPress={() => setOpen('label')}>
        {text().label}
      </Button>
      <Button icon="trash" kind="danger" may={mayDelete} onPress={() => setOpen('delete')}>
        {text().delete}
      </Button>
      <Button kind="quiet" onPress={selected.clear}>
        {text().clear}
      </Button>
      {open === 'delete' && <DeleteDialog {...props} />}
      {open === 'scale' && <ScaleDialog {...props} />}
      {open === 'label' && <LabelDialog {...props} />}
    </div>
  );
}
