/** How long ago something was, as kubectl says it, and kept true while it is shown. */

import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import { signal } from '@preact/signals';

/** One clock for all; it stands while nobody sees the page. */
const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 5000);

export const Ago = ({ time }: { readonly time: string | undefined }) =>
  time === undefined ? null : (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      {humanDuration(now.value - Date.parse(time))}
    </time>
  );
