/** Brings an object back to what it was at a moment, after showing what that changes. */

import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ApiResource } from '@coxswain/client';
import { useState } from 'preact/hooks';
import { client, fieldManager } from '../../../cluster/cluster.ts';
import { useMay } from '../../../cluster/permissions.ts';
import { Button } from '../../../controls/button.tsx';
import { Dialog } from '../../../controls/dialog.tsx';
import { CodeView } from '../../../editor/code-view.tsx';
import { inLanguages } from '../../../language/language.ts';
import { announce } from '../../../controls/announcements.tsx';
import { restored } from './restored.ts';

const text = inLanguages(
  {
    restore: 'Restore this',
    again: 'Create it again',
    title: (name: string) => `Bring ${name} back to what it was`,
    changes: 'What changes',
    cancel: 'Cancel',
    act: 'Restore',
    done: 'Restored',
    same: 'The object is like this now',
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

interface RestoreButtonProps {
  readonly kind: ApiResource;
  readonly then: KubeObject;
  /** Undefined where it is no more. */
  readonly now: KubeObject | undefined;
  readonly yamlOf: (object: KubeObject) => string;
}

export function RestoreButton({ kind, then, now, yamlOf }: RestoreButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { namespace, name = '' } = then.metadata;
  const may = useMay({ verb: now === undefined ? 'create' : 'update', resource: kind, namespace, name });
  const wanted = restored(then, now);
  const isSame = now !== undefined && yamlOf(wanted) === yamlOf(now);
  const act = async (): Promise<void> => {
    const all = client.resource(kind);
    const resource = namespace === undefined ? all : all.namespace(namespace);
    try {
      await (now === undefined
        ? resource.create(wanted, { fieldManager })
        : resource.update(wanted, { fieldManager }));
      announce('ok', text().done);
      setOpen(false);
    } catch (failure) {
      announce('bad', messageOf(failure));
    }
  };
  return (
    <>
      <Button icon="undo" may={may} unless={isSame ? text().same : undefined} onPress={() => setOpen(true)}>
        {now === undefined ? text().again : text().restore}
      </Button>
      {isOpen && (
        <Dialog
          wide
          title={text().title(name)}
          onClose={() => setOpen(false)}
          foot={
            <>
              <Button onPress={() => setOpen(false)}>{text().cancel}</Button>
              <Button kind="primary" onPress={() => void act()}>
                {text().act}
              </Button>
            </>
          }
        >
          <div class="restore-changes">
            <CodeView
              text={yamlOf(wanted)}
              label={text().changes}
              {...(now !== undefined && { before: yamlOf(now) })}
            />
          </div>
        </Dialog>
      )}
    </>
  );
}
