/** The cluster's time: how late it is, how fast it goes, and back to the beginning. */

import { useSignal } from '@preact/signals';
import type { Session } from './session.ts';
import { linkLengthMax, writeState } from './shared-state.ts';

const speeds = [0, 1, 10, 60] as const;

const nameOf = (speed: number): string => (speed === 0 ? 'Pause' : `×${speed}`);

const titleOf = (speed: number): string =>
  speed === 0 ? 'Time stands still' : speed === 1 ? 'Time as it passes here' : `${speed} seconds in one`;

interface BarOptions {
  readonly session: Session;
  /** Undefined where nothing can be shared. */
  readonly linkKey: string | undefined;
}

export function Bar({ session, linkKey }: BarOptions) {
  const isResetting = useSignal(false);
  const reset = async () => {
    isResetting.value = true;
    await session.reset();
    isResetting.value = false;
  };
  const time = new Date(session.nowMs.value).toISOString();
  return (
    <div class="bar">
      <span class="name">
        <span class="light" aria-hidden="true" /> cluster
      </span>
      <time dateTime={time} title="The clock of the cluster">
        {time.slice(0, 10)} {time.slice(11, 19)}
      </time>
      <span class="space" />
      <span role="group" aria-label="Speed of time" class="speeds">
        {speeds.map((speed) => (
          <button
            key={speed}
            type="button"
            title={titleOf(speed)}
            aria-pressed={session.speed.value === speed}
            onClick={() => (session.speed.value = speed)}
          >
            {nameOf(speed)}
          </button>
        ))}
      </span>
      {linkKey !== undefined && <Share session={session} linkKey={linkKey} />}
      <button
        type="button"
        disabled={isResetting.value}
        title="Back to the beginning"
        onClick={() => void reset()}
      >
        Reset
      </button>
    </div>
  );
}

/** A link that makes the same cluster again: in the address of the page, and on the clipboard. */
function Share({ session, linkKey }: { readonly session: Session; readonly linkKey: string }) {
  const told = useSignal('');
  const share = async () => {
    told.value = '…';
    const text = await writeState(await session.share());
    if (text.length > linkLengthMax) {
      told.value = 'too large for a link';
      return;
    }
    history.replaceState(null, '', `${location.href.replace(/#.*$/, '')}#${linkKey}=${text}`);
    const copied = navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    told.value = (await copied) === true ? 'link copied' : 'link in the address bar';
  };
  return (
    <>
      <span role="status">{told.value}</span>
      <button type="button" title="A link that replays this cluster" onClick={() => void share()}>
        Share
      </button>
    </>
  );
}
