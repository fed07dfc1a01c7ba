/** The whole element: a bar, the terminal, and the panes beside it. */

import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Bar } from './bar.tsx';
import { Checks } from './checks-list.tsx';
import type { Check } from './checks.ts';
import { ManifestPane } from './panes/manifest.tsx';
import { MapPane } from './panes/map.tsx';
import { ObjectsPane } from './panes/objects.tsx';
import { TimelinePane } from './panes/timeline.tsx';
import type { Session } from './session.ts';
import type { SharedState } from './shared-state.ts';
import { ClusterTerminal } from './terminal.ts';

export interface ViewOptions {
  readonly session: Session;
  readonly manifest: string;
  readonly steps: readonly string[];
  readonly checks: readonly Check[];
  readonly isReadonly: boolean;
  /** What a link says that was opened. */
  readonly shared: SharedState | undefined;
  /** In links; undefined where nothing can be shared. */
  readonly linkKey: string | undefined;
  readonly done: () => void;
}

const panes = ['Map', 'Objects', 'Timeline', 'Manifest'] as const;

export function View(options: ViewOptions) {
  const { session, manifest, steps, checks, isReadonly, shared, linkKey, done } = options;
  const place = useRef<HTMLDivElement>(null);
  const terminal = useRef<ClusterTerminal>(undefined);
  useEffect(() => {
    terminal.current = new ClusterTerminal(place.current!, session, 'Terminal with kubectl');
    if (shared !== undefined) void terminal.current.replay(shared);
    return () => terminal.current?.dispose();
  }, [session]);
  const enter = (line: string) => void terminal.current?.enter(line);
  return (
    <>
      <Bar session={session} linkKey={linkKey} />
      <div class="halves">
        <div class="left">
          {checks.length > 0 && <Checks session={session} checks={checks} done={done} />}
          {steps.length > 0 && <Steps steps={steps} enter={enter} />}
          <div class="shell" ref={place} inert={isReadonly} />
        </div>
        <Panes session={session} manifest={manifest} isReadonly={isReadonly} enter={enter} />
      </div>
    </>
  );
}

interface StepsOptions {
  readonly steps: readonly string[];
  readonly enter: (line: string) => void;
}

function Steps({ steps, enter }: StepsOptions) {
  const used = useSignal<ReadonlySet<number>>(new Set());
  return (
    <ol class="steps" aria-label="Steps">
      {steps.map((step, index) => (
        <li key={step}>
          <button
            type="button"
            class={used.value.has(index) ? 'used' : ''}
            title="Run it in the terminal"
            onClick={() => {
              used.value = new Set([...used.value, index]);
              enter(step);
            }}
          >
            <span aria-hidden="true">{used.value.has(index) ? '✓' : '▸'}</span> {step}
          </button>
        </li>
      ))}
    </ol>
  );
}

interface PanesOptions extends Pick<ViewOptions, 'session' | 'manifest' | 'isReadonly'> {
  readonly enter: (line: string) => void;
}

function Panes({ session, manifest, isReadonly, enter }: PanesOptions) {
  const chosen = useSignal<(typeof panes)[number]>('Map');
  const id = useId();
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    chosen.value = panes[(panes.indexOf(chosen.value) + step + panes.length) % panes.length]!;
    const list = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected=true]')?.focus());
  };
  return (
    <div class="right">
      <div role="tablist" aria-label="Panes" onKeyDown={move}>
        {panes.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={chosen.value === name}
            aria-controls={`${id}-pane`}
            tabIndex={chosen.value === name ? 0 : -1}
            onClick={() => (chosen.value = name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div
        class="pane"
        role="tabpanel"
        id={`${id}-pane`}
        aria-labelledby={`${id}-${chosen.value}`}
        tabIndex={0}
      >
        {chosen.value === 'Map' && <MapPane session={session} />}
        {chosen.value === 'Objects' && <ObjectsPane session={session} />}
        {chosen.value === 'Timeline' && <TimelinePane session={session} />}
        {chosen.value === 'Manifest' && (
          <ManifestPane session={session} manifest={manifest} isReadonly={isReadonly} enter={enter} />
        )}
      </div>
    </div>
  );
}
