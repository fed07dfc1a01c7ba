import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../design/icon.tsx';
import { inLanguages } from '../../../language/language.ts';

const text = inLanguages(
  {
    title: 'Containers',
    all: 'All containers',
    some: (count: number, all: number) => `${count} of ${all} containers`,
  },
  {
    title: '容器',
    all: '所有容器',
    some: (count: number, all: number) => `${all} 个容器中的 ${count} 个`,
  },
);

interface ContainerChoiceProps {
  readonly names: readonly string[];
  /** Empty for all. */
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Selects the containers whose lines are shown: any number of them. */
export function ContainerChoice({ names, chosen, onChoose }: ContainerChoiceProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target, type }: Event): void => {
      const element = details.current!;
      if (type === 'focusin' || type === 'pointerdown') if (element.contains(target as Node)) return;
      element.open = false;
    };
    const escape = (event: KeyboardEvent): void => void (event.key === 'Escape' && close(event));
    document.addEventListener('pointerdown', close);
    document.addEventListener('focusin', close);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
      document.removeEventListener('keydown', escape);
    };
  }, []);
  const toggle = (name: string): void => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChoose(next.size === names.length ? new Set() : next);
  };
  const only = chosen.size === 1 ? [...chosen][0] : undefined;
  return (
    <details class="container-choice" ref={details}>
      <summary class="input" aria-label={text().title}>
        <span class="truncated">
          {chosen.size === 0 ? text().all : (only ?? text().some(chosen.size, names.length))}
        </span>
        <Icon name="down" size={12} />
      </summary>
      <div class="container-list" role="group" aria-label={text().title}>
        <label class="check-label">
          <input type="checkbox" checked={chosen.size === 0} onChange={() => onChoose(new Set())} />
          {text().all}
        </label>
        {names.map((name) => (
          <label key={name} class="check-label">
            <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
            {name}
          </label>
        ))}
      </div>
    </details>
  );
}
