/** An age in kubectl's format, updated while it is shown. */

import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { tickingNowMs } from '../cluster/cluster-time.ts';

export const Ago = ({ time }: { readonly time: string | undefined }) =>
  time === undefined ? null : (
    <time dateTime={time} title={new Date(time).toLocaleString()}>
      <Duration sinceMs={Date.parse(time)} />
    </time>
  );

/** Renders a signal as text, so that an age whose text does not change costs no redraw. */
function Duration({ sinceMs }: { readonly sinceMs: number }) {
  return <>{useMemo(() => computed(() => ageOf(sinceMs)), [sinceMs])}</>;
}

/** What was created after a test cluster's clock was last read is new. */
const ageOf = (sinceMs: number): string => humanDuration(Math.max(0, tickingNowMs() - sinceMs));
