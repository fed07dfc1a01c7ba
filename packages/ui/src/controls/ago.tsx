/** An age in kubectl's format, updated while it is shown. */

import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import { computed, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

/** One clock for all ages; it stops while the page is hidden. */
const ticks = signal(0);
setInterval(() => {
  if (!document.hidden) ticks.value++;
}, 5000);

export const Ago = ({ time }: { readonly time: string | undefined }) =>
  time === undefined ? null : (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      <Duration sinceMs={Date.parse(time)} />
    </time>
  );

/** Renders a signal as text, so that an age whose text does not change costs no redraw. */
function Duration({ sinceMs }: { readonly sinceMs: number }) {
  return <>{useMemo(() => computed(() => ageOf(sinceMs, ticks.value)), [sinceMs])}</>;
}

/** The time of the last tick would be too early for what has been created since. */
const ageOf = (sinceMs: number, _tick: number): string => humanDuration(Date.now() - sinceMs);
