/** Fills an element: starts its cluster and displays it. */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { render } from 'preact';
import { readCheck } from './checks.ts';
import { keep, kept } from './kept-state.ts';
import { Session, type SessionOptions } from './session.ts';
import { readState, type SharedState } from './shared-state.ts';
import { View } from './view.tsx';
import type { Words } from './words.ts';

export interface MountOptions extends SessionOptions {
  readonly steps: readonly string[];
  readonly autorun: readonly string[];
  readonly checks: readonly string[];
  readonly isReadonly: boolean;
  readonly words: Words;
  /** The name of the link parameter that holds a state; undefined if sharing is not possible. */
  readonly linkKey: string | undefined;
  /** The state in the link that was opened. */
  readonly sharedText: string | undefined;
  /** The key under which the state outlives the page; undefined if it does not. */
  readonly keptAs: string | undefined;
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
  const report = (name: string) => void element.dispatchEvent(new Event(name, { bubbles: true }));
  let session: Session | undefined;
  const { keptAs, sharedText = '' } = options;
  const show = async (state: () => Promise<SharedState | undefined>, link = '') => {
    session = await shown(place, { ...options, state, report, open: (text) => detach(reopen(text)) });
    if (session !== undefined) session.link = link;
  };
  const reopen = async (text: string) => {
    await end();
    await show(() => readState(text.trim()));
  };
  const end = async () => {
    render(null, place);
    await session?.stop();
  };
  const save = () => {
    if (session !== undefined && keptAs !== undefined) keep(session, keptAs);
  };
  addEventListener('pagehide', save);
  const before = keptAs === undefined ? undefined : kept(keptAs, sharedText);
  await show(async () => before ?? (sharedText === '' ? undefined : readState(sharedText)), sharedText);
  return {
    setSeen: (isSeen) => {
      if (session !== undefined) session.isSeen = isSeen;
    },
    setSpeed: (speed) => {
      if (session !== undefined) session.speed.value = speed;
    },
    stop: () => {
      removeEventListener('pagehide', save);
      save();
      return end();
    },
  };
}

interface ShownOptions extends MountOptions {
  /** The history to replay first. */
  readonly state: () => Promise<SharedState | undefined>;
  readonly report: (name: string) => void;
  readonly open: (text: string) => void;
}

/** Undefined if no cluster can be started; the reader sees the reason. */
async function shown(place: HTMLElement, options: ShownOptions): Promise<Session | undefined> {
  const { words, report } = options;
  render(<p class="starting">{words.starting}</p>, place);
  try {
    const checks = options.checks.map(readCheck);
    const shared = await options.state();
    const session = await Session.start({ ...options, ...shared, shared });
    const done = () => report('coxswain-done');
    render(<View {...{ ...options, session, checks, shared, done }} />, place);
    report('coxswain-ready');
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
