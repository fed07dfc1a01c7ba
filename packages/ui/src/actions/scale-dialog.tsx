import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { useState } from 'preact/hooks';
import { titledCount } from './titled-count.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { inLanguages } from '../language/language.ts';
import type { ChosenObjects } from './chosen-objects.ts';
import { ChosenNames } from './chosen-names.tsx';
import { scaleAll } from './many-objects.ts';

const text = inLanguages(
  {
    title: (what: string) => `Scale ${what}`,
    replicas: 'Replicas',
    cancel: 'Cancel',
    scale: 'Scale',
    wrong: 'A whole number from 0 to 2147483647',
  },
  {
    title: (what: string) => `伸缩 ${what}`,
    replicas: '副本数',
    cancel: '取消',
    scale: '伸缩',
    wrong: '0 到 2147483647 之间的整数',
  },
);

export function ScaleDialog({ kind, rows, onClose, onDone }: ChosenObjects) {
  const [typed, setTyped] = useState('');
  const replicas = /^\d{1,10}$/.test(typed) && Number(typed) < 2 ** 31 ? Number(typed) : undefined;
  const act = (): void => {
    if (replicas !== undefined) whenFulfilled(scaleAll({ kind, rows }, replicas), onDone);
  };
  return (
    <Dialog
      title={text().title(titledCount({ kind, rows }))}
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{text().cancel}</Button>
          <Button kind="primary" unless={replicas === undefined ? text().wrong : undefined} onPress={act}>
            {text().scale}
          </Button>
        </>
      }
    >
      <ChosenNames rows={rows} />
      <label class="field">
        {text().replicas}
        <input
          class="input"
          inputMode="numeric"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value.trim())}
          onKeyDown={(event) => event.key === 'Enter' && act()}
        />
      </label>
    </Dialog>
  );
}
