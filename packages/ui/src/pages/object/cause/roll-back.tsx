/** Restores the pod template of a workload from before its latest change. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { useState } from 'preact/hooks';
import { useMay } from '../../../cluster/permissions.ts';
import { announce } from '../../../controls/announcements.tsx';
import { Button } from '../../../controls/button.tsx';
import { inLanguages } from '../../../language/language.ts';
import { objectPath } from '../../../navigation/paths.ts';
import { go } from '../../../navigation/route.ts';
import { RestoreDialog } from '../history/restore-button.tsx';
import { withEarlierTemplate } from './earlier-template.ts';
import type { Controlled } from './read-cause.ts';

const text = inLanguages(
  { back: 'Roll back', none: 'The server knows of no earlier pod template' },
  { back: '回滚', none: '服务器没有更早的 Pod 模板记录' },
);

export function RollBackButton({ kind, object }: Controlled) {
  const { namespace, name = '' } = object.metadata;
  const may = useMay({ verb: 'update', resource: kind, namespace, name });
  const [states, setStates] = useState<
    { readonly earlier: KubeObject; readonly now: KubeObject } | undefined
  >(undefined);
  const look = async (): Promise<void> => {
    try {
      const earlier = await withEarlierTemplate(kind, object);
      if (earlier !== undefined) return setStates({ earlier, now: object });
      announce('bad', text().none);
    } catch (failure) {
      announce('bad', messageOf(failure));
    }
    go(objectPath(kind, namespace, name, 'history'));
  };
  return (
    <>
      <Button icon="undo" may={may} onPress={() => detach(look())}>
        {text().back}
      </Button>
      {states !== undefined && (
        <RestoreDialog
          kind={kind}
          then={states.earlier}
          now={states.now}
          onClose={() => setStates(undefined)}
        />
      )}
    </>
  );
}
