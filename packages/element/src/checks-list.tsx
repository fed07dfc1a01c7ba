/** The tasks of an exercise and whether they are done. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Check } from './checks.ts';
import type { Session } from './session.ts';
import type { Words } from './words.ts';

interface ChecksOptions {
  readonly session: Session;
  readonly words: Words;
  readonly checks: readonly Check[];
  readonly done: () => void;
}

export function Checks({ session, words, checks, done }: ChecksOptions) {
  const held = useHeld(session, checks, done);
  const isDone = held.every(Boolean);
  return (
    <section class={isDone ? 'checks done' : 'checks'} aria-label={words.doneWhen}>
      <p class="title">{isDone ? words.done : words.doneWhen}</p>
      <ul aria-live="polite">
        {checks.map(({ text }, index) => (
          <li key={text} class={held[index] ? 'holds' : ''}>
            <span aria-hidden="true">{held[index] ? '✓' : '○'}</span>
            <span class="unseen">{held[index] ? words.yes : words.notYet}</span>
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Evaluates the checks after a change of a displayed object, after each command, and each second of the cluster's time.
 */
function useHeld(session: Session, checks: readonly Check[], done: () => void): readonly boolean[] {
  const held = useSignal<readonly boolean[]>(checks.map(() => false));
  const second = useComputed(() => Math.floor(session.nowMs.value / 1000));
  const isLooking = useRef(false);
  const isDue = useRef(false);
  const cluster = {
    find: (name: string) => session.find(name),
    printed: async (line: string) => {
      const { stdout, stderr } = await session.run(line);
      return stdout + stderr;
    },
  };
  /** One evaluation at a time; of several requests in the meantime, the last one counts. */
  const look = async (): Promise<void> => {
    isDue.current = true;
    if (isLooking.current) return;
    isLooking.current = true;
    while (isDue.current) {
      isDue.current = false;
      const now = await Promise.all(checks.map(({ holds }) => holds(cluster).catch(() => false)));
      if (now.join() === held.value.join()) continue;
      held.value = now;
      if (now.every(Boolean)) done();
    }
    isLooking.current = false;
  };
  useEffect(() => detach(look()), [session.objects.value, session.ended.value, second.value]);
  return held.value;
}
