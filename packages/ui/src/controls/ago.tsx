/** How long ago something was, as kubectl says it, and kept true while it is shown. */

import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import { computed, signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

/** One clock for all; it stands while nobody sees the page. */
const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 5000);

export const Ago = ({ time }: { readonly time: string | undefined }) =>
  time === undefined ? null : (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      <Duration sinceMs={Date.parse(time)} />
    </time>
  );

/** A signal as text: an age that reads as before costs no drawing. */
function Duration({ sinceMs }: { readonly sinceMs: number }) {
  return <>{useMemo(() => computed(() => humanDuration(now.value - sinceMs)), [sinceMs])}</>;
}
