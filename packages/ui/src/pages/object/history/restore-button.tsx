/** Restores an object to an earlier state, after showing the changes. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ApiResource } from '@coxswain/client';
import { useState } from 'preact/hooks';
import { fieldManager, resourceIn } from '../../../cluster/cluster.ts';
import { useMay } from '../../../cluster/permissions.ts';
import { Button } from '../../../controls/button.tsx';
import { Dialog } from '../../../controls/dialog.tsx';
import { TextView } from '../../../editor/text-view.tsx';
import { inLanguages } from '../../../language/language.ts';
import { announce } from '../../../controls/announcements.tsx';
import { yamlOfState } from '../yaml/editable-yaml.ts';
import { restoreObject } from './restore-object.ts';
import { restored } from './restored.ts';
import './restore.css';

const text = inLanguages(
  {
    restore: 'Restore this',
    again: 'Create it again',
    title: (name: string) => `Restore an earlier state of ${name}`,
    changes: 'What changes',
    cancel: 'Cancel',
    act: 'Restore',
    done: 'Restored',
    same: 'The object is already in this state',
  },
  {
    restore: '恢复到此状态',
    again: '重新创建',
    title: (name: string) => `将 ${name} 恢复到当时的状态`,
    changes: '将要变更的内容',
    cancel: '取消',
    act: '恢复',
    done: '已恢复',
    same: '对象当前就是如此',
  },
);

interface RestoreProps {
  readonly kind: ApiResource;
  readonly then: KubeObject;
  /** Undefined if the object no longer exists. */
  readonly now: KubeObject | undefined;
}

/** @param title the button's title, if it differs from that of the history */
export function RestoreButton({ title, ...props }: RestoreProps & { readonly title?: string }) {
  const { kind, then, now } = props;
  const [isOpen, setOpen] = useState(false);
  const { namespace, name = '' } = then.metadata;
  const may = useMay({ verb: now === undefined ? 'create' : 'update', resource: kind, namespace, name });
  const isSame = now !== undefined && yamlOfState(kind, restored(then, now)) === yamlOfState(kind, now);
  return (
    <>
      <Button icon="undo" may={may} unless={isSame ? text().same : undefined} onPress={() => setOpen(true)}>
        {title ?? (now === undefined ? text().again : text().restore)}
      </Button>
      {isOpen && <RestoreDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Shows the changes before it makes them. */
export function RestoreDialog({ kind, then, now, onClose }: RestoreProps & { readonly onClose: () => void }) {
  const { namespace, name = '' } = then.metadata;
  const wanted = restored(then, now);
  const act = async (): Promise<void> => {
    try {
      await restoreObject(resourceIn(kind, namespace), { wanted: then, now, fieldManager });
      announce('ok', text().done);
      onClose();
    } catch (failure) {
      announce('bad', messageOf(failure));
    }
  };
  return (
    <Dialog
      wide
      title={text().title(name)}
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{text().cancel}</Button>
          <Button kind="primary" onPress={() => detach(act())}>
            {text().act}
          </Button>
        </>
      }
    >
      <div class="restore-changes">
        <TextView
          text={yamlOfState(kind, wanted)}
          label={text().changes}
          {...(now !== undefined && { before: yamlOfState(kind, now) })}
        />
      </div>
    </Dialog>
  );
}
