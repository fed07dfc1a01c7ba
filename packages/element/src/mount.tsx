/** Fills an element: starts its cluster and displays it. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { render } from 'preact';
import { readCheck } from './checks.ts';
import { Session, type SessionOptions } from './session.ts';
import { readState } from './shared-state.ts';
import { View } from './view.tsx';
import type { Words } from './words.ts';

export interface MountOptions extends SessionOptions {
  readonly steps: readonly string[];
  readonly checks: readonly string[];
  readonly isReadonly: boolean;
  readonly words: Words;
  /** The name of the link parameter that holds a state; undefined if sharing is not possible. */
  readonly linkKey: string | undefined;
  /** The state in the link that was opened. */
  readonly sharedText: string | undefined;
}

export interface Mounted {
  setSeen(isSeen: boolean): void;
  setSpeed(speed: number): void;
  stop(): Promise<void>;
}

/** @param element receives `coxswain-ready`, and `coxswain-done` when all checks pass */
export async function mount(element: HTMLElement, root: ShadowRoot, options: MountOptions): Promise<Mounted> {
  const place = document.createElement('div');
  place.className = 'cluster';
  root.replaceChildren(place);
  const tell = (name: string) => void element.dispatchEvent(new Event(name, { bubbles: true }));
  let current: Promise<Session | undefined>;
  const show = (sharedText: string | undefined) => {
    current = shown(place, { ...options, sharedText, tell, open: (text) => void reopen(text) });
    return current;
  };
  const reopen = async (text: string) => {
    await stop();
    await show(text.trim());
  };
  const stop = async () => {
    const session = await current;
    render(null, place);
    await session?.stop();
  };
  await show(options.sharedText);
  return {
    setSeen: (isSeen) => void current.then((session) => session && (session.isSeen = isSeen)),
    setSpeed: (speed) => void current.then((session) => session && (session.speed.value = speed)),
    stop,
  };
}

interface ShownOptions extends MountOptions {
  readonly tell: (name: string) => void;
  readonly open: (text: string) => void;
}

/** Undefined if no cluster can be started; the reader sees the reason. */
async function shown(place: HTMLElement, options: ShownOptions): Promise<Session | undefined> {
  const { sharedText, words, tell } = options;
  render(<p class="starting">{words.starting}</p>, place);
  try {
    const checks = options.checks.map(readCheck);
    const shared = sharedText === undefined ? undefined : await readState(sharedText);
    const session = await Session.start({ ...options, ...shared });
    const done = () => tell('coxswain-done');
    render(<View {...{ ...options, session, checks, shared, done }} />, place);
    tell('coxswain-ready');
    return session;
  } catch (failure) {
    render(
      <p class="failure" role="alert">
        {messageOf(failure)}
      </p>,
      place,
    );
    return undefined;
  }
}
