import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { useState } from 'preact/hooks';
import { pluralOf } from '../cluster/kinds.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { inLanguages } from '../language/language.ts';
import type { ChosenObjects } from './chosen-objects.ts';
import { deleteAll } from './many-objects.ts';
import { ChosenNames } from './chosen-names.tsx';

const text = inLanguages(
  {
    one: (kind: string, name: string) => `Delete ${kind} ${name}?`,
    title: (count: number, kind: string) => `Delete ${count} ${kind}?`,
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
    one: (kind: string, name: string) => `删除 ${kind} ${name}？`,
    title: (count: number, kind: string) => `删除 ${count} 个 ${kind}？`,
    dependents: '其拥有的对象',
    policies: { Background: '随后一并删除', Foreground: '先行删除', Orphan: '保留' },
    cancel: '取消',
    delete: '删除',
  },
);

const policies = ['Background', 'Foreground', 'Orphan'] as const;

export function DeleteDialog({ kind, rows, onClose, onDone }: ChosenObjects) {
  const [policy, setPolicy] = useState<(typeof policies)[number]>('Background');
  const [first] = rows;
  return (
    <Dialog
      title={
        rows.length === 1
          ? text().one(kind.kind, first?.metadata.name ?? '')
          : text().title(rows.length, pluralOf(kind))
      }
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
