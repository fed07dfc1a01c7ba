import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { useState } from 'preact/hooks';
import { titledCount } from './titled-count.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { inLanguages } from '../language/language.ts';
import type { ChosenObjects } from './chosen-objects.ts';
import { ChosenNames } from './chosen-names.tsx';
import { labelAll } from './many-objects.ts';

const text = inLanguages(
  {
    title: (what: string) => `Label ${what}`,
    labels: 'Labels: key=value sets one, key- removes one',
    cancel: 'Cancel',
    label: 'Label',
    wrong: 'Enter key=value or key-, separated by spaces',
  },
  {
    title: (what: string) => `为 ${what} 设置标签`,
    labels: '标签：key=value 设置，key- 删除',
    cancel: '取消',
    label: '设置',
    wrong: '请写成 key=value 或 key-，以空格分隔',
  },
);

export function LabelDialog({ kind, rows, onClose, onDone }: ChosenObjects) {
  const [typed, setTyped] = useState('');
  const labels = labelsIn(typed);
  const act = (): void => {
    if (labels !== undefined) whenFulfilled(labelAll({ kind, rows }, labels), onDone);
  };
  return (
    <Dialog
      title={text().title(titledCount({ kind, rows }))}
      onClose={onClose}
      foot={
        <>
          <Button onPress={onClose}>{text().cancel}</Button>
          <Button kind="primary" unless={labels === undefined ? text().wrong : undefined} onPress={act}>
            {text().label}
          </Button>
        </>
      }
    >
      <ChosenNames rows={rows} />
      <label class="field">
        {text().labels}
        <input
          class="input mono"
          placeholder="tier=web canary-"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && act()}
        />
      </label>
    </Dialog>
  );
}

/**
 * Parses labels in the form that `kubectl label` takes; the server validates names and values. Undefined if a word has
 * neither form, or there are none.
 */
function labelsIn(typed: string): Readonly<Record<string, string | null>> | undefined {
  const words = typed.split(/\s+/).filter(Boolean);
  const pairs = words.map((word) => {
    const [key = '', value] = word.split('=');
    if (value !== undefined) return [key, value] as const;
    return key.endsWith('-') ? ([key.slice(0, -1), null] as const) : undefined;
  });
  if (pairs.length === 0 || pairs.some((pair) => pair === undefined || pair[0] === '')) return undefined;
  return Object.fromEntries(pairs as readonly (readonly [string, string | null])[]);
}
