/** Fills an element: starts its cluster, and shows it. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { render } from 'preact';
import { readCheck } from './checks.ts';
import { Session, type SessionOptions } from './session.ts';
import { View } from './view.tsx';

export interface MountOptions extends SessionOptions {
  readonly steps: readonly string[];
  readonly checks: readonly string[];
  readonly isReadonly: boolean;
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
    const session = await Session.start(options);
    const tell = (name: string) => element.dispatchEvent(new Event(name, { bubbles: true }));
    render(<View {...options} session={session} checks={checks} done={() => tell('coxswain-done')} />, place);
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
