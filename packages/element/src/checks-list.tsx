/** What is to be done, and whether it is. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Check } from './checks.ts';
import type { Session } from './session.ts';

interface ChecksOptions {
  readonly session: Session;
  readonly checks: readonly Check[];
  readonly done: () => void;
}

export function Checks({ session, checks, done }: ChecksOptions) {
  const held = useSignal<readonly boolean[]>(checks.map(() => false));
  const objects = session.objects.value;
  useEffect(() => {
    let isCurrent = true;
    void Promise.all(checks.map(async ({ subject, holds }) => holds(await session.find(subject)))).then(
      (now) => {
        if (!isCurrent || now.join() === held.value.join()) return;
        held.value = now;
        if (now.every(Boolean)) done();
      },
    );
    return () => void (isCurrent = false);
  }, [objects]);
  const isDone = held.value.every(Boolean);
  return (
    <section class={isDone ? 'checks done' : 'checks'} aria-label="Done when">
      <h3>{isDone ? 'Done' : 'Done when'}</h3>
      <ul aria-live="polite">
        {checks.map(({ text }, index) => (
          <li key={text} class={held.value[index] ? 'holds' : ''}>
            <span aria-hidden="true">{held.value[index] ? '✓' : '○'}</span>
            <span class="unseen">{held.value[index] ? 'yes: ' : 'not yet: '}</span>
            {text}
          </li>
        ))}
      </ul>
    </section>
  );
}
