import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { useState } from 'preact/hooks';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { inLanguages } from '../language/language.ts';
import type { ChosenObjects } from './chosen-objects.ts';
import { deleteAll } from './many-objects.ts';
import { ChosenNames } from './chosen-names.tsx';
import { titledCount } from './titled-count.ts';

const text = inLanguages(
  {
    title: (what: string) => `Delete ${what}?`,
    dependents: 'Objects owned by what is deleted',
    policies: {
      Background: 'Delete in the background',
      Foreground: 'Delete first',
      Orphan: 'Keep',
    },
    cancel: 'Cancel',
    delete: 'Delete',
  },
  {
    title: (what: string) => `删除 ${what}？`,
    dependents: '其拥有的对象',
    policies: { Background: '随后一并删除', Foreground: '先行删除', Orphan: '保留' },
    cancel: '取消',
    delete: '删除',
  },
);

const policies = ['Background', 'Foreground', 'Orphan'] as const;

export function DeleteDialog({ kind, rows, onClose, onDone }: ChosenObjects) {
  const [policy, setPolicy] = useState<(typeof policies)[number]>('Background');
  return (
    <Dialog
      title={text().title(titledCount({ kind, rows }))}
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{text().cancel}</Button>
          <Button
            kind="danger"
            icon="trash"
            onPress={() => whenFulfilled(deleteAll({ kind, rows }, policy), onDone)}
          >
            {text().delete}
          </Button>
        </>
      }
    >
      <ChosenNames rows={rows} />
      <label class="field">
        {text().dependents}
        <select
          class="input"
          value={policy}
          onChange={({ currentTarget }) => setPolicy(currentTarget.value as (typeof policies)[number])}
        >
          {policies.map((name) => (
            <option key={name} value={name}>
              {text().policies[name]}
            </option>
          ))}
        </select>
      </label>
    </Dialog>
  );
}
