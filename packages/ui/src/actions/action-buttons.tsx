/** The actions for one or many objects of a kind, as far as the user may perform them. */

import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { useState } from 'preact/hooks';
import { useMay } from '../cluster/permissions.ts';
import { Button } from '../controls/button.tsx';
import { inLanguages } from '../language/language.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { DrainDialog } from './drain-dialog.tsx';
import { LabelDialog } from './label-dialog.tsx';
import { restart } from './many-objects.ts';
import { cordonAll } from './node-actions.ts';
import { ScaleDialog } from './scale-dialog.tsx';
import type { ChosenObjects } from './chosen-objects.ts';

const text = inLanguages(
  {
    delete: 'Delete',
    scale: 'Scale',
    restart: 'Restart',
    label: 'Label',
    cordon: 'Cordon',
    uncordon: 'Uncordon',
    drain: 'Drain',
  },
  {
    delete: '删除',
    scale: '伸缩',
    restart: '重启',
    label: '标签',
    cordon: '封锁',
    uncordon: '解除封锁',
    drain: '排空',
  },
);

const restartable: ReadonlySet<string> = new Set(['deployments', 'statefulsets', 'daemonsets']);

/** @param onDone called after an action has been performed */
export function ActionButtons({ kind, rows, onDone }: Omit<ChosenObjects, 'onClose'>) {
  const [open, setOpen] = useState<'delete' | 'scale' | 'label' | 'drain' | undefined>(undefined);
  const namespaces = new Set(rows.map(({ metadata }) => metadata.namespace));
  const asked = { resource: kind, namespace: namespaces.size === 1 ? [...namespaces][0] : undefined };
  const hasScale = kind.subresources.some(({ name }) => name === 'scale');
  const mayDelete = useMay({ ...asked, verb: 'delete' });
  const mayPatch = useMay({ ...asked, verb: 'patch' });
  const mayScale = useMay(hasScale ? { ...asked, verb: 'patch', subresource: 'scale' } : undefined);
  const close = (): void => setOpen(undefined);
  const done = (): void => {
    close();
    onDone();
  };
  const props: ChosenObjects = { kind, rows, onClose: close, onDone: done };
  return (
    <>
      {hasScale && (
        <Button icon="scale" may={mayScale} onPress={() => setOpen('scale')}>
          {text().scale}
        </Button>
      )}
      {kind.group === 'apps' && restartable.has(kind.resource) && (
        <Button icon="restart" may={mayPatch} onPress={() => whenFulfilled(restart(props), done)}>
          {text().restart}
        </Button>
      )}
      {kind.group === '' && kind.resource === 'nodes' && (
        <>
          {cordonings(rows).map((isCordoned) => (
            <Button
              key={String(isCordoned)}
              may={mayPatch}
              onPress={() => whenFulfilled(cordonAll(props, isCordoned), done)}
            >
              {isCordoned ? text().cordon : text().uncordon}
            </Button>
          ))}
          <Button may={mayPatch} onPress={() => setOpen('drain')}>
            {text().drain}
          </Button>
        </>
      )}
      <Button icon="label" may={mayPatch} onPress={() => setOpen('label')}>
        {text().label}
      </Button>
      <Button icon="trash" kind="danger" may={mayDelete} onPress={() => setOpen('delete')}>
        {text().delete}
      </Button>
      {open === 'delete' && <DeleteDialog {...props} />}
      {open === 'scale' && <ScaleDialog {...props} />}
      {open === 'label' && <LabelDialog {...props} />}
      {open === 'drain' && <DrainDialog {...props} />}
    </>
  );
}

/** What may be done to nodes: both, unless they say which they are, as rows of a table do not. */
function cordonings(nodes: ChosenObjects['rows']): readonly boolean[] {
  const specs = nodes.map((node) => (node as { readonly spec?: { readonly unschedulable?: boolean } }).spec);
  if (specs.includes(undefined)) return [true, false];
  return [true, false].filter((isCordoned) =>
    specs.some((spec) => (spec?.unschedulable === true) !== isCordoned),
  );
}
