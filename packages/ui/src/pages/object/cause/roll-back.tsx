/** Restores the pod template of a workload from before its latest change. */

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
import { readCause, type Controlled } from './read-cause.ts';

const text = inLanguages(
  { back: 'Roll back', none: 'The server knows of no earlier pod template' },
  { back: '回滚', none: '服务器没有更早的 Pod 模板记录' },
);

interface WithTemplate extends KubeObject {
  readonly spec?: { readonly template?: unknown };
}

const templateOf = ({ spec }: WithTemplate): unknown => spec?.template;

export function RollBackButton({ kind, object }: Controlled) {
  const { namespace, name = '' } = object.metadata;
  const may = useMay({ verb: 'update', resource: kind, namespace, name });
  const [states, setStates] = useState<
    { readonly earlier: KubeObject; readonly now: KubeObject } | undefined
  >(undefined);
  const look = async (): Promise<void> => {
    try {
      const latest = await readCause({ kind, object }, templateOf);
      if (latest?.change.before !== undefined) {
        const { spec, ...rest } = latest.object as WithTemplate;
        const template = templateOf(latest.change.before);
        return setStates({
          earlier: { ...rest, spec: { ...spec, template } } as KubeObject,
          now: latest.object,
        });
      }
      announce('bad', text().none);
    } catch (failure) {
      announce('bad', messageOf(failure));
    }
    go(objectPath(kind, namespace, name, 'history'));
  };
  return (
    <>
      <Button icon="undo" may={may} onPress={() => void look()}>
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
