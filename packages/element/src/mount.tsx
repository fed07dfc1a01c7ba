/** Fills an element: starts its cluster, and shows it. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { render } from 'preact';
import { readCheck } from './checks.ts';
import { Session, type SessionOptions } from './session.ts';
import { readState } from './shared-state.ts';
import { View } from './view.tsx';

export interface MountOptions extends SessionOptions {
  readonly steps: readonly string[];
  readonly checks: readonly string[];
  readonly isReadonly: boolean;
  /** The name of the part of a link that holds a state; undefined where nothing can be shared. */
  readonly linkKey: string | undefined;
  /** The state of a link that was opened. */
  readonly sharedText: string | undefined;
}

export interface Mounted {
  setSeen(isSeen: boolean): void;
  setSpeed(speed: number): void;
  stop(): Promise<void>;
}

/** @param element is sent `coxswain-ready`, and `coxswain-done` when all checks hold */
export async function mount(element: HTMLElement, root: ShadowRoot, options: MountOptions): Promise<Mounted> {
  const place = document.createElement('div');
  place.className = 'cluster';
  root.replaceChildren(place);
  render(<p class="starting">Starting a cluster…</p>, place);
  try {
    const checks = options.checks.map(readCheck);
    const { sharedText } = options;
    const shared = sharedText === undefined ? undefined : await readState(sharedText);
    const session = await Session.start({ ...options, ...shared });
    const tell = (name: string) => element.dispatchEvent(new Event(name, { bubbles: true }));
    const done = () => tell('coxswain-done');
    const manifest = shared?.manifest ?? options.manifest;
    render(<View {...{ ...options, manifest, session, checks, shared, done }} />, place);
    tell('coxswain-ready');
    return {
      setSeen: (isSeen) => void (session.isSeen = isSeen),
      setSpeed: (speed) => void (session.speed.value = speed),
      async stop() {
        render(null, place);
        await session.stop();
      },
    };
  } catch (failure) {
    render(
      <p class="failure" role="alert">
        {messageOf(failure)}
      </p>,
      place,
    );
    return { setSeen: () => {}, setSpeed: () => {}, stop: () => Promise.resolve() };
  }
}
