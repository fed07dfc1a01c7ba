/** The whole element: a bar, the terminal, and the panes beside it. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Bar } from './bar.tsx';
import { Checks } from './checks-list.tsx';
import type { Check } from './checks.ts';
import { FilesPane } from './panes/files.tsx';
import { MapPane } from './panes/map.tsx';
import { ObjectsPane } from './panes/objects.tsx';
import { TimelinePane } from './panes/timeline.tsx';
import type { Session } from './session.ts';
import type { SharedState } from './shared-state.ts';
import { ClusterTerminal } from './terminal.ts';
import type { Words } from './words.ts';

export interface ViewOptions {
  readonly session: Session;
  readonly words: Words;
  readonly steps: readonly string[];
  readonly checks: readonly Check[];
  readonly isReadonly: boolean;
  /** Commands that run automatically at the beginning. */
  readonly autorun: readonly string[];
  /** The history to replay first: that of the opened link, or that of the page before it was reloaded. */
  readonly shared: SharedState | undefined;
  /** The link parameter; undefined if sharing is not possible. */
  readonly linkKey: string | undefined;
  readonly done: () => void;
  /** Restarts from a shared file. */
  readonly open: (text: string) => void;
}

const panes = ['map', 'objects', 'timeline', 'files'] as const;

export function View(options: ViewOptions) {
  const { session, words, steps, autorun, checks, isReadonly, shared, linkKey, done, open } = options;
  const place = useRef<HTMLDivElement>(null);
  const terminal = useRef<ClusterTerminal>(undefined);
  useEffect(() => {
    terminal.current = new ClusterTerminal(place.current!, session, words);
    detach(shared === undefined ? terminal.current.enterAll(autorun) : terminal.current.replay(shared));
    return () => terminal.current?.dispose();
  }, [session]);
  const enter = (line: string) => detach(terminal.current?.enter(line));
  return (
    <>
      <Bar session={session} words={words} linkKey={linkKey} open={open} />
      <div class="halves">
        <div class="left">
          {checks.length > 0 && <Checks session={session} words={words} checks={checks} done={done} />}
          {steps.length > 0 && <Steps session={session} steps={steps} words={words} enter={enter} />}
          <div class="shell" ref={place} inert={isReadonly} />
        </div>
        <Panes session={session} words={words} isReadonly={isReadonly} enter={enter} />
      </div>
    </>
  );
}

interface StepsOptions {
  readonly session: Session;
  readonly words: Words;
  readonly steps: readonly string[];
  readonly enter: (line: string) => void;
}

function Steps({ session, steps, words, enter }: StepsOptions) {
  // Read after each command.
  void session.ended.value;
  const entered = session.lines;
  return (
    <ol class="steps" aria-label={words.steps}>
      {steps.map((step, index) => {
        // A command listed twice must be used twice.
        const before = steps.slice(0, index).filter((other) => other === step).length;
        const isUsed = entered.filter((line) => line === step).length > before;
        return (
          <li key={index}>
            <button
              type="button"
              class={isUsed ? 'used' : ''}
              title={words.runStep}
              disabled={session.isBusy.value}
              onClick={() => enter(step)}
            >
              <span aria-hidden="true">{isUsed ? '✓' : '▸'}</span> {step}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

interface PanesOptions extends Pick<ViewOptions, 'session' | 'words' | 'isReadonly'> {
  readonly enter: (line: string) => void;
}

function Panes({ session, words, isReadonly, enter }: PanesOptions) {
  const chosen = useSignal<(typeof panes)[number]>('map');
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
      <div role="tablist" aria-label={words.panes} onKeyDown={move}>
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
            {words[name]}
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
        {chosen.value === 'map' && <MapPane session={session} words={words} />}
        {chosen.value === 'objects' && <ObjectsPane session={session} words={words} />}
        {chosen.value === 'timeline' && <TimelinePane session={session} words={words} />}
        {chosen.value === 'files' && (
          <FilesPane session={session} words={words} isReadonly={isReadonly} enter={enter} />
        )}
      </div>
    </div>
  );
}
