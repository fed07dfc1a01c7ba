import type { Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { Failed, Loading } from '../controls/notice.tsx';
import { inLanguages } from '../language/language.ts';
import type { ChosenObjects } from './chosen-objects.ts';
import { ChosenNames } from './chosen-names.tsx';
import { drainAll, evictedPods } from './node-actions.ts';

const text = inLanguages(
  {
    title: (count: number) => (count === 1 ? 'Drain the node' : `Drain ${count} nodes`),
    what: 'No new pods are placed on it, and its pods are evicted as far as disruption budgets allow. Pods of DaemonSets and static pods stay.',
    pods: (count: number) => (count === 1 ? '1 pod will be evicted:' : `${count} pods will be evicted:`),
    none: 'There are no pods to evict.',
    lost: (count: number) =>
      count === 1
        ? '1 pod has no controller: nothing will create it again.'
        : `${count} pods have no controller: nothing will create them again.`,
    data: (count: number) =>
      count === 1
        ? '1 pod loses the data of its emptyDir.'
        : `${count} pods lose the data of their emptyDir.`,
    cancel: 'Cancel',
    drain: 'Drain',
  },
  {
    title: (count: number) => `排空 ${count} 个节点`,
    what: '不再向其调度新的 Pod，并在干扰预算允许的范围内驱逐其中的 Pod。DaemonSet 的 Pod 和静态 Pod 会保留。',
    pods: (count: number) => `将驱逐 ${count} 个 Pod：`,
    none: '没有需要驱逐的 Pod。',
    lost: (count: number) => `${count} 个 Pod 没有控制器，不会被重新创建。`,
    data: (count: number) => `${count} 个 Pod 会丢失其 emptyDir 中的数据。`,
    cancel: '取消',
    drain: '排空',
  },
);

export function DrainDialog({ kind, rows, onClose, onDone }: ChosenObjects) {
  const [pods, setPods] = useState<readonly Live<Pod>[] | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    evictedPods({ kind, rows }).then(setPods, setFailure);
  }, []);
  const act = (): void => {
    setBusy(true);
    whenFulfilled(drainAll({ kind, rows }), onDone);
  };
  return (
    <Dialog
      title={text().title(rows.length)}
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{text().cancel}</Button>
          <Button
            kind="danger"
            unless={pods === undefined || isBusy ? text().title(rows.length) : undefined}
            onPress={act}
          >
            {text().drain}
          </Button>
        </>
      }
    >
      <p>{text().what}</p>
      {failure !== undefined ? (
        <Failed failure={failure} />
      ) : pods === undefined ? (
        <Loading lines={3} />
      ) : (
        <Evicted pods={pods} />
      )}
    </Dialog>
  );
}

function Evicted({ pods }: { readonly pods: readonly Live<Pod>[] }) {
  const unmanaged = pods.filter(
    ({ metadata }) => metadata.ownerReferences?.some(({ controller }) => controller === true) !== true,
  );
  const withData = pods.filter(({ spec }) => spec?.volumes?.some(({ emptyDir }) => emptyDir !== undefined));
  if (pods.length === 0) return <p class="field">{text().none}</p>;
  return (
    <div class="field">
      {text().pods(pods.length)}
      <ChosenNames rows={pods} />
      {unmanaged.length > 0 && <strong>{text().lost(unmanaged.length)}</strong>}
      {withData.length > 0 && <strong>{text().data(withData.length)}</strong>}
    </div>
  );
}
