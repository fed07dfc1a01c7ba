/** One field to go anywhere: `/` for everything, `:` for kinds. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Icon } from '../../design/icon.tsx';
import { inLanguages } from '../../language/language.ts';
import { go } from '../../navigation/route.ts';
import { found, kindEntries, objectEntries, pageEntries, type Entry } from './found-entries.ts';
import { closePalette, palette, type PaletteScope } from './palette-state.ts';
import './palette.css';

const text = inLanguages(
  {
    everything: 'Search objects, kinds and pages',
    kinds: 'Go to a kind: pods, deploy, svc …',
    none: 'No matches',
    keys: ['choose', 'open', 'close'],
  },
  {
    everything: '搜索对象、类型和页面',
    kinds: '前往某个类型：pods、deploy、svc…',
    none: '没有找到',
    keys: ['选择', '打开', '关闭'],
  },
);

const shownMax = 40;

export const Palette = () => (palette.value === undefined ? null : <OpenPalette scope={palette.value} />);

function OpenPalette({ scope }: { readonly scope: PaletteScope }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [sought, setSought] = useState('');
  const [chosen, setChosen] = useState(0);
  const objects = useObjects(scope);
  const entries = useMemo(
    () =>
      found(
        scope === 'kinds' ? kindEntries() : [...pageEntries(), ...kindEntries(), ...objects],
        sought,
        shownMax,
      ),
    [scope, sought, objects],
  );
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(
    () => dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [chosen],
  );
  const open = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    closePalette();
    go(entry.path);
  };
  const take = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setChosen((chosen + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') open(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={text()[scope]}
      onClose={closePalette}
      onClick={(event) => event.target === dialog.current && closePalette()}
    >
      <div class="palette-field">
        <Icon name={scope === 'kinds' ? 'custom' : 'search'} />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={entries.length > 0 ? `palette-${chosen}` : undefined}
          aria-label={text()[scope]}
          placeholder={text()[scope]}
          spellcheck={false}
          value={sought}
          onInput={({ currentTarget }) => {
            setSought(currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={take}
        />
      </div>
      <ul id="palette-list" role="listbox" aria-label={text()[scope]}>
        {entries.map((entry, index) => (
          <li
            key={entry.path}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseMove={() => setChosen(index)}
            onClick={() => open(entry)}
          >
            <Icon name={entry.icon} size={14} />
            <span class="truncated">{entry.title}</span>
            <span class="palette-note truncated">{entry.note}</span>
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p class="palette-none">{text().none}</p>}
      <div class="palette-foot">
        {['↑↓', '↵', 'esc'].map((key, index) => (
          <span key={key}>
            <kbd>{key}</kbd> {text().keys[index]}
          </span>
        ))}
      </div>
    </dialog>
  );
}

function useObjects(scope: PaletteScope): readonly Entry[] {
  const [objects, setObjects] = useState<readonly Entry[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    if (scope === 'everything') objectEntries(leaving.signal).then(setObjects, () => undefined);
    return () => leaving.abort();
  }, [scope]);
  return objects;
}
