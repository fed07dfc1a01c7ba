/** The controls of the cluster's time: the current time, its speed, and a reset. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { saveFile } from './save-file.ts';
import type { Session } from './session.ts';
import { linkLengthMax, writeState } from './shared-state.ts';
import type { Words } from './words.ts';

const speeds = [0, 1, 10, 60] as const;

const nameOf = (speed: number, { pause }: Words): string => (speed === 0 ? pause : `×${speed}`);

const titleOf = (speed: number, words: Words): string =>
  speed === 0 ? words.standsStill : speed === 1 ? words.realTime : words.secondsInOne(speed);

interface BarOptions {
  readonly session: Session;
  readonly words: Words;
  /** Undefined if sharing is not possible. */
  readonly linkKey: string | undefined;
  /** Opens a shared file. */
  readonly open: (text: string) => void;
}

export function Bar({ session, words, linkKey, open }: BarOptions) {
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
        <span class="light" aria-hidden="true" /> {words.cluster}
      </span>
      <time dateTime={time} title={words.clock}>
        {time.slice(0, 10)} {time.slice(11, 19)}
      </time>
      <span class="space" />
      <span role="group" aria-label={words.speedOfTime} class="speeds">
        {speeds.map((speed) => (
          <button
            key={speed}
            type="button"
            title={titleOf(speed, words)}
            aria-pressed={session.speed.value === speed}
            onClick={() => (session.speed.value = speed)}
          >
            {nameOf(speed, words)}
          </button>
        ))}
      </span>
      {linkKey !== undefined && <Share session={session} words={words} linkKey={linkKey} />}
      {linkKey !== undefined && <Open words={words} open={open} />}
      <button
        type="button"
        disabled={isResetting.value}
        title={words.resetTitle}
        onClick={() => detach(reset())}
      >
        {words.reset}
      </button>
    </div>
  );
}

/** A link that recreates the cluster, put into the page's address and on the clipboard. */
interface ShareOptions {
  readonly session: Session;
  readonly words: Words;
  readonly linkKey: string;
}

function Share({ session, words, linkKey }: ShareOptions) {
  const reported = useSignal('');
  const share = async () => {
    reported.value = '…';
    const state = await session.share();
    const text = await writeState(state);
    if (text.length > linkLengthMax) {
      saveFile(`cluster-${state.digest.slice(0, 8)}.txt`, text);
      reported.value = words.savedAsFile;
      return;
    }
    session.link = text;
    history.replaceState(null, '', `${location.href.replace(/#.*$/, '')}#${linkKey}=${text}`);
    const copied = navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    reported.value = (await copied) === true ? words.linkCopied : words.linkInAddressBar;
  };
  return (
    <>
      <span role="status">{reported.value}</span>
      <button type="button" title={words.shareTitle} onClick={() => detach(share())}>
        {words.share}
      </button>
    </>
  );
}

function Open({ words, open }: Pick<BarOptions, 'words' | 'open'>) {
  const input = useRef<HTMLInputElement>(null);
  const read = async () => {
    const [file] = input.current?.files ?? [];
    if (file !== undefined) open(await file.text());
  };
  return (
    <>
      <input ref={input} type="file" hidden onChange={() => detach(read())} />
      <button type="button" title={words.openTitle} onClick={() => input.current?.click()}>
        {words.open}
      </button>
    </>
  );
}
